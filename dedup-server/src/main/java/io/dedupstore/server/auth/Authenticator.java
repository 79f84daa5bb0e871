package io.dedupstore.server.auth;

import io.dedupstore.core.io.ByteSource;
import io.dedupstore.core.sigv4.ChunkedBodyDecoder;
import io.dedupstore.core.sigv4.PayloadHasher;
import io.dedupstore.core.sigv4.PayloadMode;
import io.dedupstore.core.sigv4.RequestHead;
import io.dedupstore.core.sigv4.SigV2Verifier;
import io.dedupstore.core.sigv4.SigV4Exception;
import io.dedupstore.core.sigv4.SigV4Exception.Reason;
import io.dedupstore.core.sigv4.SigV4Verifier;
import io.dedupstore.core.sigv4.SignatureClaim;
import io.dedupstore.core.sigv4.SigningContext;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds out who sends a request. The one place where that is decided: a head either proves its
 * access key, or carries no authentication and is anonymous, or is refused. Safe for many threads.
 */
public final class Authenticator {
    private static final Pattern LENGTH = Pattern.compile("[0-9]{1,18}");
    private static final String DECODED_LENGTH = "x-amz-decoded-content-length";

    private final CredentialStore credentials;
    private final SigV4Verifier verifier;
    private final InstantSource clock;
    private final PayloadHasher hasher;
    private final Optional<SigV2Verifier> version2;

    /**
     * @param region the region that credential scopes must name
     * @param hasher computes what bodies are verified against
     * @param version2 verifies signatures of version 2, where they are good enough
     */
    public Authenticator(
            CredentialStore credentials,
            String region,
            InstantSource clock,
            PayloadHasher hasher,
            Optional<SigV2Verifier> version2) {
        this.version2 = version2;
        this.credentials = credentials;
        this.verifier = new SigV4Verifier(region);
        this.clock = clock;
        this.hasher = hasher;
    }

    /**
     * @throws SigV4Exception if the head claims to be signed and is not, or not in a way that is
     *     understood
     */
    public AuthenticatedRequest authenticate(RequestHead head) {
        Optional<SigV2Verifier.Claim> old = version2.flatMap(verifier2 -> verifier2.parse(head));
        if (old.isPresent()) {
            return authenticate(head, version2.orElseThrow(), old.get());
        }
        Optional<SignatureClaim> claim = verifier.parse(head);
        return claim.isPresent() ? authenticate(head, claim.get()) : anonymous(head);
    }

    private AuthenticatedRequest authenticate(RequestHead head, SignatureClaim claim) {
        Instant now = clock.instant();
        Optional<Credential> credential =
                TokenChecks.find(credentials, claim.accessKey(), SigV4Verifier.securityToken(head));
        SigningContext signing =
                verifier.verify(head, claim, credential.map(Credential::secret), now);
        return request(
                head,
                TokenChecks.principal(credential.orElseThrow(), now),
                claim.payloadMode(),
                Optional.of(
                        new Proof(
                                place(claim.presigned()),
                                Proof.VERSION_4,
                                Optional.of(claim.time()))),
                signing);
    }

    private AuthenticatedRequest authenticate(
            RequestHead head, SigV2Verifier verifier2, SigV2Verifier.Claim claim) {
        Instant now = clock.instant();
        Optional<Credential> credential =
                TokenChecks.find(credentials, claim.accessKey(), SigV4Verifier.securityToken(head));
        verifier2.verify(head, claim, credential.map(Credential::secret), now);
        return request(
                head,
                TokenChecks.principal(credential.orElseThrow(), now),
                SigV4Verifier.anonymousPayloadMode(head),
                Optional.of(new Proof(place(claim.presigned()), Proof.VERSION_2, Optional.empty())),
                null);
    }

    private static Proof.Place place(boolean presigned) {
        return presigned ? Proof.Place.QUERY : Proof.Place.HEADER;
    }

    private AuthenticatedRequest anonymous(RequestHead head) {
        return request(
                head,
                Principal.ANONYMOUS,
                SigV4Verifier.anonymousPayloadMode(head),
                Optional.empty(),
                null);
    }

    private AuthenticatedRequest request(
            RequestHead head,
            Principal principal,
            PayloadMode claimed,
            Optional<Proof> proof,
            @Nullable SigningContext signing) {
        PayloadMode mode = framedAnyway(head, claimed);
        OptionalLong length = length(head, mode.framed() ? DECODED_LENGTH : "content-length");
        Set<String> trailers = declaredTrailers(head);
        return new Verified(
                principal,
                mode,
                proof,
                length,
                body -> open(body, mode, signing, length, trailers));
    }

    private BodySource open(
            ByteSource body,
            PayloadMode mode,
            @Nullable SigningContext signing,
            OptionalLong length,
            Set<String> trailers) {
        return switch (mode) {
            case PayloadMode.SignedHash hash -> new HashedBody(body, length, hash.hex(), hasher);
            case PayloadMode.Unsigned unsigned -> new PlainBody(body, length);
            case PayloadMode.StreamingSigned signed ->
                    framed(body, mode, signing, length, trailers);
            case PayloadMode.StreamingSignedTrailer signed ->
                    framed(body, mode, signing, length, trailers);
            case PayloadMode.StreamingUnsignedTrailer unsigned ->
                    framed(body, mode, null, length, trailers);
        };
    }

    private BodySource framed(
            ByteSource body,
            PayloadMode mode,
            @Nullable SigningContext signing,
            OptionalLong length,
            Set<String> trailers) {
        return new FramedBody(
                new ChunkedBodyDecoder(body, mode, signing, length, trailers, hasher), length);
    }

    /**
     * Some clients frame a payload that they declare unsigned as a whole; to store the framing as
     * if it were content would corrupt what they upload.
     */
    private static PayloadMode framedAnyway(RequestHead head, PayloadMode claimed) {
        boolean framed =
                claimed instanceof PayloadMode.Unsigned
                        && head.header(DECODED_LENGTH).isPresent()
                        && head.headerValues("content-encoding").stream()
                                .anyMatch(
                                        value ->
                                                value.toLowerCase(Locale.ROOT)
                                                        .contains("aws-chunked"));
        return framed ? new PayloadMode.StreamingUnsignedTrailer() : claimed;
    }

    private static OptionalLong length(RequestHead head, String header) {
        Optional<String> value = head.header(header);
        if (value.isEmpty()) {
            return OptionalLong.empty();
        }
        if (!LENGTH.matcher(value.get()).matches()) {
            throw new SigV4Exception(
                    Reason.INVALID_DECODED_LENGTH,
                    "The value of " + header + " is not a length.",
                    Map.of("ArgumentName", header, "ArgumentValue", value.get()));
        }
        return OptionalLong.of(Long.parseLong(value.get()));
    }

    private static Set<String> declaredTrailers(RequestHead head) {
        return head.header("x-amz-trailer").stream()
                .flatMap(value -> Arrays.stream(value.split(",")))
                .map(name -> name.strip().toLowerCase(Locale.ROOT))
                .filter(name -> !name.isEmpty())
                .collect(Collectors.toUnmodifiableSet());
    }
}
