/**
 * The admin API: the records that travel over it, as both sides know them, and the client. Knows
 * nothing of the command line, nor of how the server finds its answers.
 */
@NullMarked
package io.dedupstore.client.admin;

import org.jspecify.annotations.NullMarked;
