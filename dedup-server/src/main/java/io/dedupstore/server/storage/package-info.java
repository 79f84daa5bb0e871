/**
 * Storage nodes: containers on drives, slot states beside them, and the gateway's side of writing
 * and reading chunks. Knows nothing of objects, of the index or of how messages travel.
 */
@NullMarked
package io.dedupstore.server.storage;

import org.jspecify.annotations.NullMarked;
