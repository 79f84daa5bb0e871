/**
 * The straight line: {@link io.dedupstore.core.object.ObjectWriter} and {@link
 * io.dedupstore.core.object.ObjectReader} compose chunking, fingerprints, index, containers and
 * manifests.
 */
@NullMarked
package io.dedupstore.core.object;

import org.jspecify.annotations.NullMarked;
