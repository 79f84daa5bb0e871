package io.dedupstore.core.control;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.dedupstore.core.control.ControlProto.ClosingRow;
import io.dedupstore.core.control.ControlProto.ClusterRow;
import io.dedupstore.core.control.ControlProto.ContainerRow;
import io.dedupstore.core.control.ControlProto.Reply;
import io.dedupstore.core.control.ControlProto.SessionRow;
import io.dedupstore.core.control.ControlRows.Counter;
import io.dedupstore.core.control.ControlRows.Kind;
import io.dedupstore.core.model.BucketId;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.DomainId;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.state.ReplicatedGroup;
import io.dedupstore.core.state.ReplicationException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * The control group through its replicated log, with a local copy of what every request reads.
 *
 * <p>The copy is an immutable view, replaced whole when a reply shows a newer version; readers
 * never wait and never see half a change. It is loaded anew rather than patched: what it holds is
 * thousands of small rows at most, and changes of it are rare. Secrets are open in the copy only;
 * rows and log hold them sealed.
 *
 * <p>Threads: any.
 */
public final class ControlClient implements ControlService {
    private static final int DOMAIN_KEY_BYTES = 32;
    private static final int CANONICAL_ID_BYTES = 32;
    private static final int ACCOUNT_ID_ATTEMPTS = 8;
    private static final int KEY_ATTEMPTS = 8;

    private final ReplicatedGroup group;
    private final SecretCipher cipher;
    private final TokenCipher tokens;
    private final InstantSource clock;
    private final RandomGenerator random;
    private final Object loading = new Object();
    private final LocalKeyProvider keys;
    private volatile ControlView view;

    /**
     * Reads the local copy.
     *
     * @param random cryptographically secure
     * @throws ControlException the cluster was made with another master key
     */
    public ControlClient(
            ReplicatedGroup group,
            SecretCipher cipher,
            InstantSource clock,
            RandomGenerator random) {
        this.group = group;
        this.cipher = cipher;
        this.tokens = new TokenCipher(cipher);
        this.clock = clock;
        this.random = random;
        this.view = load();
        this.keys =
                new LocalKeyProvider(
                        () -> view,
                        this::findOrMakeKey,
                        () -> randomBytes(SealedSecret.NONCE_BYTES));
    }

    /** Whether there is a cluster; without one only {@link #bootstrap} does anything. */
    public boolean bootstrapped() {
        return view.cluster() != null;
    }

    /** Makes the cluster with its root account and key; does nothing when there is one. */
    public void bootstrap(Bootstrap wanted) {
        if (bootstrapped()) {
            return;
        }
        ControlCommand.AddAccount account = newAccount("root", "");
        submit(
                new ControlCommand.MakeCluster(
                        new UUID(random.nextLong(), random.nextLong()).toString(),
                        cipher.keyId(),
                        wanted.layout(),
                        account,
                        newKey(
                                new AccessKey(
                                        wanted.rootAccessKey(),
                                        wanted.rootSecretKey(),
                                        account.id())),
                        clock.millis()));
    }

    /** Reads the local copy anew; for changes made by other processes. */
    public void refresh() {
        synchronized (loading) {
            view = load();
        }
    }

    @Override
    public String clusterId() {
        return cluster().getClusterId();
    }

    @Override
    public ClusterLayout layout() {
        return new ClusterLayout(cluster().getIndexShards(), cluster().getMetadataShards());
    }

    @Override
    public Account rootAccount() {
        return findAccount(cluster().getRootAccount())
                .orElseThrow(() -> new IllegalStateException("the root account has no row"));
    }

    @Override
    public Optional<AccessKey> findAccessKey(String accessKey) {
        return Optional.ofNullable(view.keys().get(accessKey));
    }

    @Override
    public Optional<Account> findAccount(String id) {
        return Optional.ofNullable(view.accounts().get(id));
    }

    @Override
    public List<Account> accounts() {
        return List.copyOf(view.accounts().values());
    }

    @Override
    public Account createAccount(String displayName, String email) {
        for (int attempt = 1; ; attempt++) {
            try {
                return ControlView.toAccount(submit(newAccount(displayName, email)).getAccount());
            } catch (ControlException e) {
                boolean taken = e.code() == ControlException.Code.ACCOUNT_EXISTS;
                if (!taken || attempt == ACCOUNT_ID_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    @Override
    public List<String> accessKeysOf(String account) {
        return keysOf(account).stream().map(AccessKey::accessKey).toList();
    }

    @Override
    public List<AccessKey> keysOf(String account) {
        return view.keys().values().stream().filter(key -> key.account().equals(account)).toList();
    }

    @Override
    public Optional<Account> findAccountByCanonicalId(String canonicalId) {
        return view.accounts().values().stream()
                .filter(account -> account.canonicalId().equals(canonicalId))
                .findFirst();
    }

    @Override
    public Optional<Account> findAccountByEmail(String email) {
        return view.accounts().values().stream()
                .filter(account -> !email.isEmpty() && account.email().equalsIgnoreCase(email))
                .findFirst();
    }

    @Override
    public Optional<Identity> findIdentity(String account, Identity.Kind kind, String name) {
        return Optional.ofNullable(
                view.identities()
                        .get(
                                ControlView.identityKey(
                                        account, kind, name.toLowerCase(Locale.ROOT))));
    }

    @Override
    public Optional<Identity> findIdentity(String account, String id) {
        return identitiesAfter(account + "/").values().stream()
                .filter(identity -> identity.id().equals(id))
                .findFirst();
    }

    @Override
    public List<Identity> identities(String account, Identity.Kind kind) {
        return List.copyOf(identitiesAfter(ControlView.identityKey(account, kind, "")).values());
    }

    private SortedMap<String, Identity> identitiesAfter(String prefix) {
        return view.identities().subMap(prefix, prefix + Character.MAX_VALUE);
    }

    @Override
    public void putIdentity(Identity identity) {
        submit(new ControlCommand.PutIdentity(identity));
    }

    @Override
    public void dropIdentity(Identity identity) {
        submit(new ControlCommand.DropIdentity(identity));
    }

    @Override
    public String sealToken(TemporaryKey key) {
        return tokens.seal(key, randomBytes(TokenCipher.SALT_BYTES));
    }

    @Override
    public Optional<TemporaryKey> openToken(String token) {
        return tokens.open(token);
    }

    @Override
    public void putAccessKey(AccessKey key) {
        submit(newKey(key));
    }

    @Override
    public void deleteAccessKey(String accessKey) {
        submit(new ControlCommand.DeleteKey(accessKey));
    }

    @Override
    public byte[] domainKey(DomainId domain) {
        byte[] key = view.domainKeys().get(domain);
        if (key == null) {
            throw new IllegalArgumentException("there is no " + domain);
        }
        return key.clone();
    }

    @Override
    public Optional<Bucket> findBucket(String name) {
        return Optional.ofNullable(view.buckets().get(name));
    }

    @Override
    public List<Bucket> listBuckets(String owner) {
        return view.buckets().values().stream()
                .filter(bucket -> bucket.owner().equals(owner))
                .toList();
    }

    @Override
    public List<Bucket> allBuckets() {
        return List.copyOf(view.buckets().values());
    }

    @Override
    public Bucket createBucket(
            String name,
            String owner,
            String chunking,
            String compression,
            String region,
            Map<String, byte[]> configurations) {
        SortedMap<String, ByteString> documents = new TreeMap<>();
        configurations.forEach((key, value) -> documents.put(key, ByteString.copyFrom(value)));
        Reply reply =
                submit(
                        new ControlCommand.CreateBucket(
                                name,
                                owner,
                                chunking,
                                compression,
                                region,
                                clock.millis(),
                                documents));
        return ControlView.toBucket(reply.getBucket());
    }

    @Override
    public void dropBucket(BucketId bucket) {
        submit(new ControlCommand.DropBucket(bucket));
    }

    @Override
    public Optional<byte[]> bucketConfiguration(BucketId bucket, String name) {
        return Optional.ofNullable(view.configurations().getOrDefault(bucket, Map.of()).get(name))
                .map(ByteString::toByteArray);
    }

    @Override
    public void setBucketConfiguration(BucketId bucket, String name, Optional<byte[]> document) {
        submit(
                new ControlCommand.SetBucketConfiguration(
                        bucket, name, document.map(ByteString::copyFrom), clock.millis()));
    }

    @Override
    public KeyProvider keys() {
        return keys;
    }

    @Override
    public List<NamedKey> namedKeys() {
        return view.namedKeys().values().stream().map(ControlView.OpenKey::key).toList();
    }

    @Override
    public Optional<NamedKey> findNamedKey(String id) {
        return Optional.ofNullable(view.namedKeys().get(id)).map(ControlView.OpenKey::key);
    }

    @Override
    public NamedKey createKey(String id, String description) {
        if (!Names.KEY.matcher(id).matches() || LocalKeyProvider.isReserved(id)) {
            throw new ControlException(
                    ControlException.Code.REFUSED,
                    "a key's id has 1 to 256 letters, digits and any of /_.:- behind the first,"
                            + " and is none of the server's own");
        }
        return makeKey(id, description, "");
    }

    private NamedKey findOrMakeKey(String id, String description, String account) {
        ControlView.OpenKey present = view.namedKeys().get(id);
        if (present != null) {
            return present.key();
        }
        try {
            return makeKey(id, description, account);
        } catch (ControlException e) {
            ControlView.OpenKey made = view.namedKeys().get(id);
            if (e.code() == ControlException.Code.KEY_EXISTS && made != null) {
                return made.key();
            }
            throw e;
        }
    }

    private NamedKey makeKey(String id, String description, String account) {
        byte[] material = randomBytes(SecretCipher.MASTER_KEY_BYTES);
        SealedSecret sealed = sealMaterial(id, KeyCommands.FIRST_KEY_VERSION, material);
        return ControlView.toNamedKey(
                submit(new ControlCommand.MakeKey(id, description, account, sealed, clock.millis()))
                        .getKey());
    }

    private SealedSecret sealMaterial(String id, int version, byte[] material) {
        return cipher.seal(
                ControlView.materialPurpose(id, version),
                material,
                randomBytes(SealedSecret.NONCE_BYTES));
    }

    @Override
    public NamedKey rotateKey(String id) {
        for (int attempt = 1; ; attempt++) {
            ControlView.OpenKey present = view.namedKeys().get(id);
            if (present == null) {
                throw new ControlException(
                        ControlException.Code.NO_SUCH_KEY, "there is no key " + id);
            }
            int version = present.key().version() + 1;
            byte[] material = randomBytes(SecretCipher.MASTER_KEY_BYTES);
            try {
                return ControlView.toNamedKey(
                        submit(
                                        new ControlCommand.RotateKey(
                                                id,
                                                version,
                                                sealMaterial(id, version, material),
                                                keys.rewrap(id, material),
                                                clock.millis()))
                                .getKey());
            } catch (ControlException e) {
                boolean anew = e.code() == ControlException.Code.KEY_CHANGED;
                if (!anew || attempt == KEY_ATTEMPTS) {
                    throw e;
                }
                refresh();
            }
        }
    }

    @Override
    public NamedKey enableKey(String id, boolean enabled) {
        return ControlView.toNamedKey(submit(new ControlCommand.EnableKey(id, enabled)).getKey());
    }

    @Override
    public Optional<CipherDomain> findCipherDomain(DomainId parent, String key, boolean twice) {
        return view.cipherDomains().values().stream()
                .filter(
                        domain ->
                                domain.parent().equals(parent)
                                        && domain.key().equals(key)
                                        && domain.twice() == twice)
                .findFirst();
    }

    @Override
    public Optional<CipherDomain> findCipherDomain(DomainId domain) {
        return Optional.ofNullable(view.cipherDomains().get(domain));
    }

    @Override
    public CipherDomain makeCipherDomain(
            DomainId parent, String key, boolean twice, KeyProvider.Wrapped wrapped) {
        return ControlView.toCipherDomain(
                submit(
                                new ControlCommand.MakeCipherDomain(
                                        parent,
                                        key,
                                        twice,
                                        ByteString.copyFrom(wrapped.bytes()),
                                        wrapped.material(),
                                        clock.millis()))
                        .getCipherDomain());
    }

    @Override
    public Session openSession(String node) {
        return openSession(node, false);
    }

    @Override
    public Session renewSession(String node) {
        return openSession(node, true);
    }

    private Session openSession(String node, boolean keepsEarlier) {
        Reply reply = submit(new ControlCommand.OpenSession(node, clock.millis(), keepsEarlier));
        return new Session(reply.getEpoch(), reply.getSession());
    }

    @Override
    public void endSession(Session session) {
        submit(new ControlCommand.EndSession(session));
    }

    @Override
    public List<SessionRecord> sessions() {
        return group.read(EpochCommands::sessions).stream().map(ControlClient::toSession).toList();
    }

    @Override
    public int closedEpoch() {
        return Math.toIntExact(group.read(rows -> ControlRows.counter(rows, Counter.CLOSED_EPOCH)));
    }

    @Override
    public Optional<EpochClosing> epochClosing() {
        return toClosing(group.read(EpochCommands::closing));
    }

    @Override
    public boolean hasEpochsToClose() {
        return group.read(
                rows -> EpochCommands.closing(rows).getEpoch() > 0 || EpochCommands.closable(rows));
    }

    @Override
    public Optional<EpochClosing> startEpochClosing() {
        // Asked again and again, mostly in vain: only a real start may cost a log entry.
        if (!hasEpochsToClose()) {
            return Optional.empty();
        }
        return toClosing(submit(new ControlCommand.StartEpochClosing()).getClosing());
    }

    @Override
    public Optional<EpochClosing> recordEpochStep(int epoch, EpochClosing.Step done) {
        return toClosing(submit(new ControlCommand.RecordEpochStep(epoch, done)).getClosing());
    }

    @Override
    public Optional<String> setting(String name) {
        return Optional.ofNullable(
                group.read(rows -> ControlRows.text(rows, ControlRows.key(Kind.SETTING, name))));
    }

    @Override
    public void putSetting(String name, String value) {
        submit(new ControlCommand.PutSetting(name, value));
    }

    @Override
    public ContainerId openContainer(Session session) {
        return new ContainerId(submit(new ControlCommand.OpenContainer(session)).getContainer());
    }

    @Override
    public void sealContainer(ContainerId container) {
        submit(new ControlCommand.SealContainer(container));
    }

    @Override
    public void dropContainer(ContainerId container) {
        submit(new ControlCommand.DropContainer(container));
    }

    @Override
    public Optional<ContainerRecord> findContainer(ContainerId container) {
        byte[] key = ControlRows.key(Kind.CONTAINER, container.value());
        return Optional.ofNullable(
                        group.read(rows -> ControlRows.get(rows, key, ContainerRow.parser())))
                .map(ControlClient::toContainer);
    }

    @Override
    public List<ContainerRecord> containers(long after, int limit) {
        byte[] key = ControlRows.key(Kind.CONTAINER, after);
        return group
                .read(
                        rows ->
                                ControlRows.list(
                                        rows, Kind.CONTAINER, key, limit, ContainerRow.parser()))
                .stream()
                .map(ControlClient::toContainer)
                .toList();
    }

    private ControlCommand.AddAccount newAccount(String displayName, String email) {
        String id = Long.toString(random.nextLong(100_000_000_000L, 1_000_000_000_000L));
        byte[] domainKey = randomBytes(DOMAIN_KEY_BYTES);
        SealedSecret sealed =
                cipher.seal(
                        ControlView.domainPurpose(id),
                        domainKey,
                        randomBytes(SealedSecret.NONCE_BYTES));
        return new ControlCommand.AddAccount(
                id,
                displayName,
                sealed,
                clock.millis(),
                HexFormat.of().formatHex(randomBytes(CANONICAL_ID_BYTES)),
                email);
    }

    private ControlCommand.PutKey newKey(AccessKey key) {
        SealedSecret sealed =
                cipher.seal(
                        ControlView.secretPurpose(key.accessKey(), key.account()),
                        key.secretKey().getBytes(StandardCharsets.UTF_8),
                        randomBytes(SealedSecret.NONCE_BYTES));
        return new ControlCommand.PutKey(
                key.accessKey(),
                key.account(),
                sealed,
                key.createdMillis() == 0 ? clock.millis() : key.createdMillis(),
                key.user().orElse(""),
                key.active());
    }

    private byte[] randomBytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private Reply submit(ControlCommand command) {
        Reply reply = parse(replicate(ControlCodec.encode(command)));
        catchUp(reply.getViewVersion());
        if (reply.getRefusal() != 0) {
            throw new ControlException(
                    RefusalCodes.ofNumber(reply.getRefusal()), reply.getMessage());
        }
        return reply;
    }

    private byte[] replicate(byte[] command) {
        try {
            return group.submit(command);
        } catch (ReplicationException e) {
            ControlException.Code code =
                    switch (e.code()) {
                        case NOT_ACCEPTED -> ControlException.Code.UNAVAILABLE;
                        case UNKNOWN -> ControlException.Code.UNKNOWN;
                    };
            ControlException failure =
                    new ControlException(code, "control group: " + e.getMessage());
            failure.initCause(e);
            throw failure;
        }
    }

    private void catchUp(long version) {
        if (view.version() >= version) {
            return;
        }
        synchronized (loading) {
            if (view.version() < version) {
                view = load();
            }
        }
    }

    private ControlView load() {
        return group.read(rows -> ControlView.load(rows, cipher));
    }

    private ClusterRow cluster() {
        ClusterRow cluster = view.cluster();
        if (cluster == null) {
            throw new IllegalStateException("there is no cluster yet");
        }
        return cluster;
    }

    private static Reply parse(byte[] bytes) {
        try {
            return Reply.parseFrom(bytes);
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException("damaged reply of the control group", e);
        }
    }

    private static SessionRecord toSession(SessionRow row) {
        return new SessionRecord(
                new Session(row.getEpoch(), row.getSession()),
                row.getNode(),
                row.getOpenedMillis(),
                row.getEnded());
    }

    private static ContainerRecord toContainer(ContainerRow row) {
        return new ContainerRecord(
                new ContainerId(row.getId()),
                new Session(row.getEpoch(), row.getSession()),
                ContainerRecord.State.ofCode(row.getState()),
                row.getReplicasList());
    }

    private static Optional<EpochClosing> toClosing(ClosingRow row) {
        if (row.getEpoch() == 0) {
            return Optional.empty();
        }
        List<ShardId> shards =
                row.getShardsList().stream()
                        .map(s -> new ShardId(ShardId.Kind.ofCode(s.getKind()), s.getNumber()))
                        .toList();
        return Optional.of(
                new EpochClosing(row.getEpoch(), EpochClosing.Step.ofCode(row.getStep()), shards));
    }
}
