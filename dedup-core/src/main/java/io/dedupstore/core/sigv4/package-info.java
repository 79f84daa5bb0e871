/**
 * AWS Signature Version 4 as S3 speaks it: canonical requests from the raw request target, header
 * and query authentication, the {@code aws-chunked} payload framing, and a signer. Pure: no
 * network, no HTTP library, no S3 error documents; the time is an argument.
 */
@NullMarked
package io.dedupstore.core.sigv4;

import org.jspecify.annotations.NullMarked;
