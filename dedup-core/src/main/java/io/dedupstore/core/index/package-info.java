/**
 * The fingerprint index: entries, claims and their settlement, epochs and statistics as a
 * replicated state machine, and its clients. Speaks to metadata shards and storage only through
 * ordered streams; knows no chunk bytes, no manifests and no clock.
 */
@NullMarked
package io.dedupstore.core.index;

import org.jspecify.annotations.NullMarked;
