/**
 * Reads from any S3 server: lists a bucket, streams objects, goes on where a connection broke.
 * Nothing is ever written. Knows no chunks and no admin API.
 */
@NullMarked
package io.dedupstore.client.s3;

import org.jspecify.annotations.NullMarked;
