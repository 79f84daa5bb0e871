package io.dedupstore.server.s3.operation;

import io.dedupstore.core.chunking.ChunkingSpec;
import io.dedupstore.core.compression.ChunkCodec;
import io.dedupstore.core.control.Bootstrap;
import io.dedupstore.core.control.ClusterLayout;
import io.dedupstore.core.control.ControlClient;
import io.dedupstore.core.control.ControlStateMachine;
import io.dedupstore.core.control.Identity;
import io.dedupstore.core.control.SecretCipher;
import io.dedupstore.core.fingerprint.HashEngine;
import io.dedupstore.core.fingerprint.HashSettings;
import io.dedupstore.core.io.ByteSource;
import io.dedupstore.core.io.WorkerPool;
import io.dedupstore.core.metadata.MetadataClient;
import io.dedupstore.core.metadata.MetadataStateMachine;
import io.dedupstore.core.metadata.ShardMap;
import io.dedupstore.core.model.BucketId;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.V;
import io.dedupstore.core.object.BufferBudget;
import io.dedupstore.core.object.DomainKeys;
import io.dedupstore.core.object.ObjectReader;
import io.dedupstore.core.object.ObjectWriter;
import io.dedupstore.core.sigv4.PayloadMode;
import io.dedupstore.core.sigv4.RequestHead;
import io.dedupstore.core.state.ReplicatedGroup;
import io.dedupstore.server.auth.AuthenticatedRequest;
import io.dedupstore.server.auth.BodySource;
import io.dedupstore.server.auth.Credential;
import io.dedupstore.server.auth.FormAuthenticator;
import io.dedupstore.server.auth.Principal;
import io.dedupstore.server.keys.EncryptionKeys;
import io.dedupstore.server.s3.EncryptionSettings;
import io.dedupstore.server.s3.OwnUpload;
import io.dedupstore.server.s3.PostForms;
import io.dedupstore.server.s3.S3Gateway;
import io.dedupstore.server.s3.S3Settings;
import io.dedupstore.server.s3.access.AccessCheck;
import io.dedupstore.server.s3.access.NewBuckets;
import io.dedupstore.server.s3.lifecycle.ExpiryDates;
import io.dedupstore.server.s3.lifecycle.LifecycleStatus;
import io.dedupstore.server.s3.lifecycle.LifecycleWorker;
import io.dedupstore.server.s3.logging.BucketLogs;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * The S3 front over the real metadata and control state machines and the real object layer; only
 * the log, the index and the chunk store are doubles. Who calls is taken from a header instead of a
 * signature.
 */
final class TestGateway implements AutoCloseable {
    static final Duration LIFECYCLE_DAY = Duration.ofSeconds(10);
    static final String ACCESS_KEY = "AKIDEXAMPLE";
    static final String SECRET = "secret-of-the-example";
    private static final String CALLER = "test-account";
    private static final String TRAILER = "test-trailer";
    private static final long BUDGET_BYTES = 32L << 20;

    /** Of all gateways: it measures kernels when it starts. */
    private static final HashEngine ENGINE = HashEngine.start(HashSettings.defaults());

    final MapChunks chunks = new MapChunks();
    final String account;
    final ControlClient control;
    final AccessCheck access;
    private final AtomicLong clock =
            new AtomicLong(Instant.parse("2026-01-02T03:04:05.678Z").toEpochMilli());
    private final WorkerPool hashPool = new WorkerPool("hash", 1);
    private final S3Gateway gateway;
    private final LifecycleWorker lifecycle;
    private final BucketLogs logs;

    TestGateway() {
        this(2);
    }

    /**
     * @param shards buckets are spread over them by turns
     */
    TestGateway(int shards) {
        this(shards, NewBuckets.DEFAULT, EncryptionSettings.DEFAULT);
    }

    TestGateway(int shards, NewBuckets newBuckets) {
        this(shards, newBuckets, EncryptionSettings.DEFAULT);
    }

    TestGateway(int shards, EncryptionSettings encryption) {
        this(shards, NewBuckets.DEFAULT, encryption);
    }

    private TestGateway(int shards, NewBuckets newBuckets, EncryptionSettings encryption) {
        ClusterLayout layout = new ClusterLayout(1, shards);
        control =
                new ControlClient(
                        new LocalGroup(new ControlStateMachine()),
                        new SecretCipher(new byte[SecretCipher.MASTER_KEY_BYTES]),
                        () -> Instant.ofEpochMilli(clock.get()),
                        new Random(1));
        control.bootstrap(new Bootstrap(layout, ACCESS_KEY, SECRET));
        account = control.rootAccount().id();
        MetadataClient metadata =
                new MetadataClient(
                        new LocalShards(layout), clock::get, Duration.ofSeconds(1), millis -> true);
        EncryptionKeys keys = new EncryptionKeys(control, new Random(3));
        AtomicLong counter = new AtomicLong();
        Supplier<V> attempts = () -> new V(1, 1, counter.incrementAndGet());
        BufferBudget budget = new BufferBudget(BUDGET_BYTES, Duration.ofSeconds(1));
        ObjectWriter writer =
                new ObjectWriter(
                        chunks,
                        chunks,
                        metadata,
                        attempts,
                        new DomainKeys(ENGINE, keys::fingerprintKey),
                        ENGINE,
                        hashPool,
                        budget,
                        clock::get);
        S3Settings settings =
                new S3Settings(
                        List.of("s3.example.com"),
                        "us-east-1",
                        false,
                        ChunkingSpec.DEFAULT,
                        ChunkCodec.OFF,
                        newBuckets,
                        encryption);
        access =
                new AccessCheck(
                        control,
                        metadata,
                        () -> Instant.ofEpochMilli(clock.get()),
                        Operations::versionId);
        S3Services services =
                new S3Services(
                        metadata,
                        control,
                        access,
                        writer,
                        new ObjectReader(chunks, metadata, budget, keys),
                        attempts,
                        ENGINE,
                        keys,
                        new Random(4),
                        settings,
                        () -> Instant.ofEpochMilli(clock.get()));
        lifecycle =
                new LifecycleWorker(
                        control,
                        metadata,
                        attempts,
                        bucket -> Operations.versioningOf(control, bucket),
                        () -> Instant.ofEpochMilli(clock.get()),
                        new ExpiryDates(LIFECYCLE_DAY),
                        100_000);
        Operations operations = new Operations(services);
        logs =
                new BucketLogs(
                        control,
                        (target, key, text) -> {
                            new OwnUpload(
                                            target,
                                            key,
                                            "text/plain",
                                            text,
                                            new Principal.Account(target.owner(), "logs"))
                                    .send(operations, new Random(3));
                            return true;
                        },
                        () -> Instant.ofEpochMilli(clock.get()),
                        new Random(4),
                        "us-east-1");
        gateway =
                new S3Gateway(
                        settings,
                        this::authenticate,
                        access,
                        control,
                        operations,
                        new PostForms(
                                new FormAuthenticator(
                                        this::credential,
                                        "us-east-1",
                                        true,
                                        () -> Instant.ofEpochMilli(clock.get())),
                                () -> Instant.ofEpochMilli(clock.get())),
                        logs,
                        new Random(2),
                        peer -> peer.isLoopbackAddress());
    }

    /** Sends a request as the root account. */
    Answer send(Call call) {
        return sendAs(account, call);
    }

    /**
     * @param caller account id, {@code account/user}, or {@code anonymous}
     */
    Answer sendAs(String caller, Call call) {
        call.header(CALLER, caller);
        try {
            gateway.handle(call);
        } catch (IOException e) {
            throw new AssertionError("the exchange was given up", e);
        }
        return call.answer();
    }

    Answer send(String method, String target) {
        return send(new Call(method, target));
    }

    Answer put(String target, String body) {
        return send(new Call("PUT", target).body(body));
    }

    /** One run of life-cycle rules. */
    LifecycleStatus runLifecycle() {
        lifecycle.step();
        return lifecycle.status();
    }

    void deliverLogs() {
        logs.deliver();
    }

    void tick(Duration time) {
        clock.addAndGet(time.toMillis());
    }

    @Override
    public void close() {
        hashPool.close();
    }

    /** A trailer that the body will end with, as {@code name:value}. */
    static Call withTrailer(Call call, String trailer) {
        return call.header(TRAILER, trailer);
    }

    private Optional<Credential> credential(String accessKey) {
        return Optional.of(accessKey)
                .filter(ACCESS_KEY::equals)
                .map(key -> new Credential(key, SECRET.getBytes(StandardCharsets.UTF_8), account));
    }

    private AuthenticatedRequest authenticate(RequestHead head) {
        String caller = head.header(CALLER).orElseThrow();
        Principal principal = principal(caller);
        return new Accepted(principal, head);
    }

    private Principal principal(String caller) {
        if (caller.equals("anonymous")) {
            return Principal.ANONYMOUS;
        }
        int slash = caller.indexOf('/');
        if (slash < 0) {
            return new Principal.Account(caller, ACCESS_KEY);
        }
        String of = caller.substring(0, slash);
        Identity user =
                control.findIdentity(of, Identity.Kind.USER, caller.substring(slash + 1))
                        .orElseThrow();
        return new Principal.Account(
                of,
                ACCESS_KEY,
                new Principal.Who.User(user.id(), user.path(), user.name()),
                Optional.empty());
    }

    private record Accepted(Principal principal, RequestHead head) implements AuthenticatedRequest {
        @Override
        public PayloadMode payloadMode() {
            return head.header("x-amz-trailer").isPresent()
                    ? new PayloadMode.StreamingUnsignedTrailer()
                    : new PayloadMode.Unsigned();
        }

        @Override
        public boolean presigned() {
            return head.rawQuery().contains("X-Amz-Signature");
        }

        @Override
        public OptionalLong payloadLength() {
            return head.header("content-length")
                    .map(text -> OptionalLong.of(Long.parseLong(text)))
                    .orElse(OptionalLong.empty());
        }

        @Override
        public BodySource openBody(ByteSource body) {
            Map<String, String> trailers =
                    head.header(TRAILER)
                            .map(text -> text.split(":", 2))
                            .map(pair -> Map.of(pair[0], pair[1]))
                            .orElse(Map.of());
            OptionalLong length = payloadLength();
            return new BodySource() {
                @Override
                public OptionalLong declaredLength() {
                    return length;
                }

                @Override
                public int read(ByteBuffer dst) throws IOException {
                    return body.read(dst);
                }

                @Override
                public Map<String, String> trailers() {
                    return trailers;
                }
            };
        }
    }

    /** Buckets by turns over the shards, each a group of its own. */
    private static final class LocalShards implements ShardMap {
        private final List<ShardId> shards;
        private final Map<ShardId, LocalGroup> groups = new HashMap<>();

        LocalShards(ClusterLayout layout) {
            shards = layout.metadata();
            for (ShardId shard : shards) {
                groups.put(
                        shard,
                        new LocalGroup(
                                new MetadataStateMachine(List.of(shard), layout.indexShards())));
            }
        }

        @Override
        public ShardId homeOf(BucketId bucket) {
            return shards.get((int) (bucket.value() % shards.size()));
        }

        @Override
        public ReplicatedGroup groupOf(ShardId shard) {
            return Objects.requireNonNull(groups.get(shard));
        }
    }
}
