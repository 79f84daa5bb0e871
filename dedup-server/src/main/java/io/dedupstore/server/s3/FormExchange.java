package io.dedupstore.server.s3;

import io.dedupstore.server.http.HttpExchange;
import io.dedupstore.server.http.RequestHeaders;

/** An exchange whose request said in a form what others say in headers. */
record FormExchange(HttpExchange exchange, RequestHeaders headers) implements ForwardingExchange {}
