/**
 * Metadata shards: versions, holders, uploads. Commands, their codec, the state machine, and the
 * service that the S3 operations call.
 */
@NullMarked
package io.dedupstore.core.metadata;

import org.jspecify.annotations.NullMarked;
