package io.dedupstore.client.estimate;

/**
 * What an estimator says of the chunks that are not all zero.
 *
 * @param bytes each distinct chunk once
 * @param count how many distinct chunks
 * @param compressed the same chunks after compression, bytes
 * @param zeroBytes bytes in all-zero chunks, each occurrence counted
 */
record Distinct(Range bytes, double count, Range compressed, Range zeroBytes) {}
