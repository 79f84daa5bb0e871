/**
 * Life-cycle rules of buckets: their document, what they say of a version, and the worker that
 * carries them out. Knows requests only by their documents; threads are started elsewhere.
 */
@NullMarked
package io.dedupstore.server.s3.lifecycle;

import org.jspecify.annotations.NullMarked;
