/**
 * Who sends a request and whether they may: authenticates request heads against stored credentials,
 * opens bodies that verify themselves while they are read, and decides access with deny as the
 * default. Works on heads and byte sources, so it imports neither the HTTP server nor S3.
 */
@NullMarked
package io.dedupstore.server.auth;

import org.jspecify.annotations.NullMarked;
