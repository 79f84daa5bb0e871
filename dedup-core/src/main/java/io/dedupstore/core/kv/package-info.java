/**
 * The ordered key-value store port, with RocksDB (the only importer of it) and an in-memory twin.
 * Keys order by unsigned bytes.
 */
@NullMarked
package io.dedupstore.core.kv;

import org.jspecify.annotations.NullMarked;
