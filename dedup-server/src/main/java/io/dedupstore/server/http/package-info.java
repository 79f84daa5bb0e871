/**
 * HTTP/1.1 over Netty for every port that speaks HTTP: connections, framing, time-outs,
 * back-pressure and TLS. Handlers are blocking code on virtual threads. The only package that
 * imports Netty's HTTP codec; knows nothing of S3, of accounts or of signatures.
 */
@NullMarked
package io.dedupstore.server.http;

import org.jspecify.annotations.NullMarked;
