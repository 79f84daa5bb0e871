/**
 * The process: {@code DedupServer} starts it, {@code ServerAssembly} builds it with plain
 * constructors. The only package of the server that sees all others.
 */
@NullMarked
package io.dedupstore.server;

import org.jspecify.annotations.NullMarked;
