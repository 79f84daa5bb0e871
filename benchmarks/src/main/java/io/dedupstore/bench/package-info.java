/** Benchmarks: JMH for kernels, loads for a running store. Nothing here is a test. */
package io.dedupstore.bench;
