package io.dedupstore.server.s3.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.core.chunking.ChunkingSpec;
import io.dedupstore.core.compression.ChunkCodec;
import io.dedupstore.core.control.AccessKey;
import io.dedupstore.core.control.Account;
import io.dedupstore.core.control.Bucket;
import io.dedupstore.core.control.Identity;
import io.dedupstore.core.control.TemporaryKey;
import io.dedupstore.core.sigv4.PayloadHasher;
import io.dedupstore.core.sigv4.PayloadMode;
import io.dedupstore.core.sigv4.RequestHead;
import io.dedupstore.core.sigv4.SigV4Signer;
import io.dedupstore.server.auth.Authenticator;
import io.dedupstore.server.auth.ControlCredentials;
import io.dedupstore.server.auth.FormAuthenticator;
import io.dedupstore.server.s3.BucketConfiguration;
import io.dedupstore.server.s3.EncryptionSettings;
import io.dedupstore.server.s3.PostForms;
import io.dedupstore.server.s3.RequestLog;
import io.dedupstore.server.s3.S3Gateway;
import io.dedupstore.server.s3.S3Operation;
import io.dedupstore.server.s3.S3Operations;
import io.dedupstore.server.s3.S3Request;
import io.dedupstore.server.s3.S3Settings;
import io.dedupstore.server.s3.access.NewBuckets;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Every operation, asked for by every kind of caller with every kind of forgery: carried out only
 * by those who may, and never when it is forged. What is carried out is only recorded, so that
 * nothing but the gateway decides.
 */
class AccessMatrixTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
    private static final String REGION = "us-east-1";
    private static final String FORM =
            "--b\r\nContent-Disposition: form-data; name=\"key\"\r\n\r\nk\r\n"
                    + "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"f\"\r\n\r\nx\r\n"
                    + "--b--\r\n";

    /** A request for an operation. */
    private record Sample(String method, String target, Map<String, String> headers, String body) {
        Sample(String method, String target) {
            this(method, target, Map.of(), "");
        }
    }

    private enum Caller {
        OWNER,
        OWNER_PRESIGNED,
        OTHER_ACCOUNT,
        OTHER_ACCOUNT_PRESIGNED,
        USER,
        USER_WITH_POLICY,
        SESSION,
        SESSION_PRESIGNED,
        NARROWED_SESSION,
        ANONYMOUS
    }

    private enum Forgery {
        NONE,
        WRONG_SIGNATURE,
        WRONG_SECRET,
        UNKNOWN_KEY,
        ADDED_HEADER,
        OTHER_TARGET,
        OTHER_METHOD,
        TOO_OLD,
        OTHER_REGION,
        OTHER_SERVICE,
        EXPIRED_TOKEN,
        WITHOUT_TOKEN,
        FOREIGN_TOKEN
    }

    private record Keys(String accessKey, String secret, Optional<String> token) {}

    private static final class Recorder implements S3Operations {
        private @Nullable S3Operation executed;

        @Override
        public void execute(S3Request request, S3Operation.OfService operation) throws IOException {
            record(request, operation);
        }

        @Override
        public void execute(S3Request request, S3Operation.OfBucket operation, Bucket bucket)
                throws IOException {
            record(request, operation);
        }

        @Override
        public void execute(S3Request request, S3Operation.OfObject operation, Bucket bucket)
                throws IOException {
            record(request, operation);
        }

        private void record(S3Request request, S3Operation operation) throws IOException {
            executed = operation;
            request.respondEmpty(200);
        }
    }

    private final TestGateway store = new TestGateway();
    private final Recorder recorder = new Recorder();
    private final ControlCredentials credentials = new ControlCredentials(store.control);
    private final S3Gateway gateway =
            new S3Gateway(
                    new S3Settings(
                            List.of(),
                            REGION,
                            false,
                            ChunkingSpec.DEFAULT,
                            ChunkCodec.OFF,
                            NewBuckets.DEFAULT,
                            EncryptionSettings.DEFAULT),
                    new Authenticator(
                                    credentials,
                                    REGION,
                                    () -> NOW,
                                    PayloadHasher.jdk(),
                                    Optional.empty())
                            ::authenticate,
                    store.access,
                    store.control,
                    recorder,
                    new PostForms(
                            new FormAuthenticator(credentials, REGION, false, () -> NOW),
                            () -> NOW),
                    RequestLog.NONE,
                    new Random(3),
                    peer -> false);

    @BeforeEach
    void makeCallers() {
        store.send("PUT", "/docs");
        Account other = store.control.createAccount("other");
        store.control.putAccessKey(new AccessKey("AKOWNER", "secret-owner", store.account));
        store.control.putAccessKey(new AccessKey("AKOTHER", "secret-other", other.id()));
        user("plain", "AIDAPLAIN", "");
        user("able", "AIDAABLE", "s3:*");
        key("AKPLAIN", "AIDAPLAIN");
        key("AKABLE", "AIDAABLE");
    }

    private void user(String name, String id, String action) {
        TreeMap<String, String> policies = new TreeMap<>();
        if (!action.isEmpty()) {
            policies.put("p", allow(action));
        }
        store.control.putIdentity(
                Identity.user(store.account, name, id, "/", 1).withPolicies(policies));
    }

    private static String allow(String action) {
        return "{\"Version\":\"2012-10-17\",\"Statement\":{\"Effect\":\"Allow\",\"Action\":\""
                + action
                + "\",\"Resource\":\"*\"}}";
    }

    private void key(String name, String user) {
        store.control.putAccessKey(
                new AccessKey(
                        name, "secret-of-" + name, store.account, Optional.of(user), true, 1));
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static List<Sample> samples() {
        List<Sample> samples = new ArrayList<>();
        samples.add(new Sample("GET", "/"));
        samples.add(new Sample("PUT", "/another"));
        samples.add(new Sample("HEAD", "/docs"));
        samples.add(new Sample("DELETE", "/docs"));
        samples.add(new Sample("GET", "/docs"));
        samples.add(new Sample("GET", "/docs?list-type=2"));
        for (String sub : List.of("location", "versions", "uploads", "frobnicate")) {
            samples.add(new Sample("GET", "/docs?" + sub));
        }
        samples.add(new Sample("POST", "/docs?delete"));
        for (BucketConfiguration configuration : BucketConfiguration.values()) {
            for (String method : List.of("GET", "PUT", "DELETE")) {
                samples.add(new Sample(method, "/docs?" + configuration.subResource()));
            }
        }
        Map<String, String> form = Map.of("content-type", "multipart/form-data; boundary=b");
        samples.add(new Sample("POST", "/docs", form, FORM));
        Map<String, String> copy = Map.of("x-amz-copy-source", "docs/k");
        for (String method : List.of("GET", "HEAD", "PUT", "DELETE")) {
            samples.add(new Sample(method, "/docs/k"));
        }
        samples.add(new Sample("PUT", "/docs/k", copy, ""));
        samples.add(new Sample("PUT", "/docs/k?partNumber=1&uploadId=u"));
        samples.add(new Sample("PUT", "/docs/k?partNumber=1&uploadId=u", copy, ""));
        samples.add(new Sample("GET", "/docs/k?attributes"));
        samples.add(new Sample("POST", "/docs/k?uploads"));
        for (String method : List.of("GET", "POST", "DELETE")) {
            samples.add(new Sample(method, "/docs/k?uploadId=u"));
        }
        for (String sub : List.of("acl", "tagging", "retention", "legal-hold")) {
            samples.add(new Sample("GET", "/docs/k?" + sub));
            samples.add(new Sample("PUT", "/docs/k?" + sub));
        }
        samples.add(new Sample("DELETE", "/docs/k?tagging"));
        samples.add(new Sample("GET", "/docs/k?frobnicate"));
        return samples;
    }

    @Test
    void thereIsASampleOfEveryOperation() {
        Set<Class<?>> seen =
                samples().stream()
                        .map(
                                sample -> {
                                    send(sample, Caller.OWNER, Forgery.NONE);
                                    return (Class<?>)
                                            Objects.requireNonNull(recorder.executed).getClass();
                                })
                        .collect(Collectors.toSet());
        assertThat(seen).containsExactlyInAnyOrderElementsOf(operations().toList());
    }

    private static Stream<Class<?>> operations() {
        return Stream.of(S3Operation.class.getPermittedSubclasses())
                .flatMap(group -> Stream.of(group.getPermittedSubclasses()));
    }

    @Test
    void onlyWhoMayGetsThroughAndNothingForged() {
        int requests = 0;
        for (Sample sample : samples()) {
            send(sample, Caller.OWNER, Forgery.NONE);
            S3Operation operation = Objects.requireNonNull(recorder.executed);
            for (Caller caller : Caller.values()) {
                for (Forgery forgery : Forgery.values()) {
                    if (applies(caller, forgery) && wanted(operation, forgery)) {
                        Answer answer = send(sample, caller, forgery);
                        boolean may = forgery == Forgery.NONE && may(caller, operation);
                        String what = "%s as %s, %s".formatted(sample, caller, forgery);
                        assertThat(recorder.executed != null).as(what).isEqualTo(may);
                        assertThat(answer.status() < 400).as(what).isEqualTo(may);
                        if (forgery == Forgery.NONE && !may) {
                            assertThat(answer.code()).as(what).isIn("AccessDenied", "403");
                        }
                        requests++;
                    }
                }
            }
        }
        assertThat(requests).isGreaterThan(4000);
    }

    /** Forgery is refused before it matters which of the settings was asked for. */
    private static boolean wanted(S3Operation operation, Forgery forgery) {
        int setting =
                switch (operation) {
                    case S3Operation.GetBucketConfiguration o -> o.configuration().ordinal();
                    case S3Operation.PutBucketConfiguration o -> o.configuration().ordinal();
                    case S3Operation.DeleteBucketConfiguration o -> o.configuration().ordinal();
                    default -> 0;
                };
        return forgery == Forgery.NONE || setting % 7 == 0;
    }

    private static boolean applies(Caller caller, Forgery forgery) {
        boolean session = caller.name().contains("SESSION");
        return switch (forgery) {
            case NONE -> true;
            case EXPIRED_TOKEN, WITHOUT_TOKEN, FOREIGN_TOKEN -> session;
            default -> caller != Caller.ANONYMOUS;
        };
    }

    /** What nobody has been granted anything of. */
    private static boolean may(Caller caller, S3Operation operation) {
        // Each of its keys is decided by itself.
        boolean perKey = operation instanceof S3Operation.DeleteObjects;
        return switch (caller) {
            case OWNER, OWNER_PRESIGNED, USER_WITH_POLICY, SESSION, SESSION_PRESIGNED -> true;
            case OTHER_ACCOUNT, OTHER_ACCOUNT_PRESIGNED ->
                    perKey || operation instanceof S3Operation.OfService;
            case USER -> perKey;
            case NARROWED_SESSION -> perKey || operation instanceof S3Operation.GetBucketLocation;
            case ANONYMOUS -> false;
        };
    }

    private Keys keys(Caller caller, Forgery forgery) {
        return switch (caller) {
            case OWNER, OWNER_PRESIGNED -> new Keys("AKOWNER", "secret-owner", Optional.empty());
            case OTHER_ACCOUNT, OTHER_ACCOUNT_PRESIGNED ->
                    new Keys("AKOTHER", "secret-other", Optional.empty());
            case USER -> new Keys("AKPLAIN", "secret-of-AKPLAIN", Optional.empty());
            case USER_WITH_POLICY -> new Keys("AKABLE", "secret-of-AKABLE", Optional.empty());
            case SESSION, SESSION_PRESIGNED -> session(Optional.empty(), forgery);
            case NARROWED_SESSION -> session(Optional.of(allow("s3:GetBucketLocation")), forgery);
            case ANONYMOUS -> new Keys("", "", Optional.empty());
        };
    }

    private Keys session(Optional<String> policy, Forgery forgery) {
        Instant expires =
                forgery == Forgery.EXPIRED_TOKEN ? NOW.minusSeconds(1) : NOW.plusSeconds(900);
        String name = forgery == Forgery.FOREIGN_TOKEN ? "ASIAELSE" : "ASIASESSION";
        TemporaryKey key =
                new TemporaryKey(
                        name,
                        "secret-session",
                        store.account,
                        Optional.of("AIDAABLE"),
                        "",
                        policy,
                        NOW.toEpochMilli(),
                        expires.toEpochMilli());
        Optional<String> token =
                forgery == Forgery.WITHOUT_TOKEN
                        ? Optional.empty()
                        : Optional.of(store.control.sealToken(key));
        return new Keys("ASIASESSION", "secret-session", token);
    }

    private Answer send(Sample sample, Caller caller, Forgery forgery) {
        recorder.executed = null;
        Call call = call(sample, caller, forgery);
        try {
            gateway.handle(call);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return call.answer();
    }

    private Call call(Sample sample, Caller caller, Forgery forgery) {
        Keys keys = keys(caller, forgery);
        List<Map.Entry<String, String>> headers = new ArrayList<>();
        headers.add(Map.entry("host", "localhost:9000"));
        sample.headers().forEach((name, value) -> headers.add(Map.entry(name, value)));
        if (caller == Caller.ANONYMOUS) {
            return finished(new RequestHead(sample.method(), sample.target(), headers), sample);
        }
        SigV4Signer signer =
                new SigV4Signer(
                        forgery == Forgery.UNKNOWN_KEY ? "AKNOBODY" : keys.accessKey(),
                        forgery == Forgery.WRONG_SECRET ? "another" : keys.secret(),
                        forgery == Forgery.OTHER_REGION ? "mars-1" : REGION,
                        forgery == Forgery.OTHER_SERVICE ? "iam" : "s3");
        Instant time = forgery == Forgery.TOO_OLD ? NOW.minus(Duration.ofMinutes(20)) : NOW;
        RequestHead signed =
                caller.name().endsWith("PRESIGNED")
                        ? presigned(sample, keys, headers, signer, time)
                        : signed(sample, keys, headers, signer, time);
        return finished(forged(signed, forgery), sample);
    }

    private static RequestHead signed(
            Sample sample,
            Keys keys,
            List<Map.Entry<String, String>> headers,
            SigV4Signer signer,
            Instant time) {
        keys.token().ifPresent(t -> headers.add(Map.entry("x-amz-security-token", t)));
        return signer.sign(
                        new RequestHead(sample.method(), sample.target(), headers),
                        new PayloadMode.Unsigned(),
                        time)
                .head();
    }

    private static RequestHead presigned(
            Sample sample,
            Keys keys,
            List<Map.Entry<String, String>> headers,
            SigV4Signer signer,
            Instant time) {
        String joint = sample.target().contains("?") ? "&" : "?";
        String target =
                sample.target()
                        + keys.token().map(t -> joint + "X-Amz-Security-Token=" + t).orElse("");
        String signed =
                signer.presign(
                        new RequestHead(sample.method(), target, headers),
                        Duration.ofMinutes(10),
                        time);
        return new RequestHead(sample.method(), signed, headers);
    }

    private static RequestHead forged(RequestHead head, Forgery forgery) {
        return switch (forgery) {
            case WRONG_SIGNATURE -> {
                List<Map.Entry<String, String>> headers =
                        head.headers().stream()
                                .map(
                                        h ->
                                                h.getKey().equals("authorization")
                                                        ? Map.entry(
                                                                h.getKey(), flipped(h.getValue()))
                                                        : h)
                                .toList();
                boolean inQuery = head.rawTarget().contains("X-Amz-Signature=");
                yield new RequestHead(
                        head.method(),
                        inQuery ? flipped(head.rawTarget()) : head.rawTarget(),
                        headers);
            }
            case ADDED_HEADER -> {
                List<Map.Entry<String, String>> headers = new ArrayList<>(head.headers());
                headers.add(Map.entry("x-amz-meta-added", "1"));
                yield new RequestHead(head.method(), head.rawTarget(), headers);
            }
            case OTHER_TARGET -> {
                String target = head.rawTarget();
                yield new RequestHead(
                        head.method(),
                        target + (target.contains("?") ? "&" : "?") + "x-id=Other",
                        head.headers());
            }
            case OTHER_METHOD ->
                    new RequestHead(
                            head.method().equals("GET") ? "HEAD" : "GET",
                            head.rawTarget(),
                            head.headers());
            default -> head;
        };
    }

    /** With another last digit of the signature. */
    private static String flipped(String text) {
        char last = text.charAt(text.length() - 1);
        return text.substring(0, text.length() - 1) + (last == '0' ? '1' : '0');
    }

    private static Call finished(RequestHead head, Sample sample) {
        Call call = new Call(head.method(), head.rawTarget());
        head.headers().stream()
                .filter(header -> !header.getKey().equals("host"))
                .forEach(header -> call.header(header.getKey(), header.getValue()));
        return sample.body().isEmpty() ? call : call.body(sample.body());
    }
}
