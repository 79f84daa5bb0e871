/**
 * Logs of requests that a bucket's owner has delivered to a bucket: their configuration, their
 * lines, and their delivery. Threads are started elsewhere.
 */
@NullMarked
package io.dedupstore.server.s3.logging;

import org.jspecify.annotations.NullMarked;
