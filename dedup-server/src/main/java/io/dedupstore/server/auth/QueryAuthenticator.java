package io.dedupstore.server.auth;

import io.dedupstore.core.sigv4.PayloadHasher;
import io.dedupstore.core.sigv4.RequestHead;
import io.dedupstore.core.sigv4.SigV4Exception;
import io.dedupstore.core.sigv4.SigV4Exception.Reason;
import io.dedupstore.core.sigv4.SigV4Verifier;
import io.dedupstore.core.sigv4.SignatureClaim;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;

/**
 * Finds out who sends a request of the query API: signed in a header, for one of the services named
 * here, over the whole body. A signature for S3 opens nothing here, and one made for here nothing
 * of S3. Safe for many threads.
 */
public final class QueryAuthenticator {
    private static final Set<String> SERVICES = Set.of("iam", "sts");

    private final CredentialStore credentials;
    private final SigV4Verifier verifier = SigV4Verifier.ofServices(SERVICES);
    private final InstantSource clock;
    private final PayloadHasher hasher;

    public QueryAuthenticator(
            CredentialStore credentials, InstantSource clock, PayloadHasher hasher) {
        this.credentials = credentials;
        this.clock = clock;
        this.hasher = hasher;
    }

    /**
     * @param service that the signature was made for
     */
    public record Proved(Principal.Account caller, String service) {}

    /**
     * @throws SigV4Exception the request is not signed, or not in a way that holds
     */
    public Proved authenticate(RequestHead head, byte[] body) {
        PayloadHasher.Running running = hasher.start();
        running.update(ByteBuffer.wrap(body));
        String hash = HexFormat.of().formatHex(running.digest());
        SignatureClaim claim =
                verifier.parseWithBody(head, hash)
                        .orElseThrow(
                                () ->
                                        new SigV4Exception(
                                                Reason.NO_AUTHENTICATION,
                                                "Request is missing Authentication Token"));
        Instant now = clock.instant();
        Optional<Credential> credential =
                TokenChecks.find(credentials, claim.accessKey(), SigV4Verifier.securityToken(head));
        verifier.verify(head, claim, credential.map(Credential::secret), now);
        return new Proved(
                TokenChecks.principal(credential.orElseThrow(), now), claim.scope().service());
    }
}
