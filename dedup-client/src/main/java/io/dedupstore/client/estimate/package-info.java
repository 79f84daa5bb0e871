/**
 * What a data set would save by deduplication and compression, from samples, before anything is
 * moved. Cuts and names chunks with the product's own kernels; reads directories and S3 servers;
 * never writes. Knows no command line.
 *
 * <p>{@link io.dedupstore.client.estimate.Estimation} is where to begin; the statistics stand in
 * {@code DistinctSample}, {@code WholeEstimator} and {@code PartEstimator}.
 */
@NullMarked
package io.dedupstore.client.estimate;

import org.jspecify.annotations.NullMarked;
