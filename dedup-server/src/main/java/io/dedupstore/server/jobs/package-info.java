/**
 * Long operations of this node: one of a kind at a time, with progress, to be watched and
 * cancelled. Knows nothing of what they do. Kept in memory: an operation must be safe to start
 * again after it was interrupted, for it is forgotten when the process ends.
 */
@NullMarked
package io.dedupstore.server.jobs;

import org.jspecify.annotations.NullMarked;
