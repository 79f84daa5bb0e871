/** Files and buffers: the only way to the disk besides {@code kv}. */
@NullMarked
package io.dedupstore.core.io;

import org.jspecify.annotations.NullMarked;
