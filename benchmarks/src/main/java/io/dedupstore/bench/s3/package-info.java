/** Loads on a running store through its S3 port, with the server's CPU seconds beside the bytes. */
package io.dedupstore.bench.s3;
