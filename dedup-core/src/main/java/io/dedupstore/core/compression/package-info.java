/** Chunk codecs. Bytes in, bytes out; which codec a chunk has is recorded by the container. */
@NullMarked
package io.dedupstore.core.compression;

import org.jspecify.annotations.NullMarked;
