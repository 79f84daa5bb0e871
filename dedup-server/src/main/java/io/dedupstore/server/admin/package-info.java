/**
 * The admin API: routes, tokens, JSON. What an operator can ask and command is {@link
 * io.dedupstore.server.admin.AdminService}, implemented where everything is composed. The records
 * that travel are the client's, so that both sides know the same ones.
 */
@NullMarked
package io.dedupstore.server.admin;

import org.jspecify.annotations.NullMarked;
