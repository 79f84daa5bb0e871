/** The keys of encrypted dedup domains: found, made and kept open while the process runs. */
@NullMarked
package io.dedupstore.server.keys;

import org.jspecify.annotations.NullMarked;
