/**
 * The command line: one class per verb, tables for people, JSON for programs. Speaks with a server
 * only through {@code client.admin} and {@code client.s3}.
 */
@NullMarked
package io.dedupstore.client.cli;

import org.jspecify.annotations.NullMarked;
