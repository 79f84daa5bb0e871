/**
 * Settings of the server: one table of them, read from file, environment and flags into small typed
 * records, one per concern. Refuses to start on what it does not understand. Knows nothing of what
 * the settings are for.
 */
@NullMarked
package io.dedupstore.server.config;

import org.jspecify.annotations.NullMarked;
