package io.dedupstore.core.metadata;

import com.google.protobuf.ByteString;
import io.dedupstore.core.metadata.MetadataService.VersionSpec;
import io.dedupstore.core.model.AccessList;
import io.dedupstore.core.model.BucketId;
import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.model.Grantee;
import io.dedupstore.core.model.ObjectKey;
import io.dedupstore.core.model.Permission;
import io.dedupstore.core.model.ReferenceSum;
import io.dedupstore.core.model.Retained;
import io.dedupstore.core.model.Segment;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.V;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** Values that commands, replies and rows share, to and from their protobuf form. */
final class Wire {
    private static final int HOLD_ON = 1;
    private static final int HOLD_OFF = 2;

    private Wire() {}

    static ByteString bytes(V v) {
        return ByteString.copyFrom(v.toBytes());
    }

    static V v(ByteString bytes) {
        return V.of(bytes.toByteArray());
    }

    static ByteString bytes(ObjectKey key) {
        return ByteString.copyFrom(key.utf8());
    }

    static ObjectKey key(ByteString bytes) {
        return ObjectKey.ofUtf8(bytes.toByteArray());
    }

    static MetadataProto.Place place(BucketId bucket, ObjectKey key) {
        return MetadataProto.Place.newBuilder()
                .setBucket(bucket.value())
                .setKey(bytes(key))
                .build();
    }

    static BucketId bucket(MetadataProto.Place place) {
        return new BucketId(place.getBucket());
    }

    static ObjectKey key(MetadataProto.Place place) {
        return key(place.getKey());
    }

    // ---- attributes and checksums ----

    static MetadataProto.Attributes attributes(ObjectAttributes attributes) {
        MetadataProto.Attributes.Builder out =
                MetadataProto.Attributes.newBuilder()
                        .addAllHeaders(fields(attributes.headers()))
                        .addAllUserMetadata(fields(attributes.userMetadata()))
                        .addAllTags(fields(attributes.tags()));
        lock(attributes.lock(), out);
        attributes.encryption().map(EncryptionWire::toProto).ifPresent(out::setEncryption);
        attributes.access().owner().ifPresent(out::setOwner);
        attributes.access().list().map(Wire::accessList).ifPresent(out::setAcl);
        return out.build();
    }

    static void lock(ObjectLock lock, MetadataProto.Attributes.Builder out) {
        out.setRetentionMode(lock.retention().map(r -> r.mode().code()).orElse(0))
                .setRetainUntilMillis(lock.retention().map(Retention::untilMillis).orElse(0L))
                .setLegalHold(lock.legalHold().map(on -> on ? HOLD_ON : HOLD_OFF).orElse(0));
    }

    static ObjectLock lock(MetadataProto.Attributes in) {
        return new ObjectLock(
                retention(in.getRetentionMode(), in.getRetainUntilMillis()),
                hold(in.getLegalHold()));
    }

    private static Optional<Boolean> hold(int code) {
        return switch (code) {
            case 0 -> Optional.empty();
            case HOLD_ON -> Optional.of(true);
            case HOLD_OFF -> Optional.of(false);
            default -> throw new IllegalArgumentException("legal hold " + code);
        };
    }

    static Optional<Retention> retention(int mode, long untilMillis) {
        return mode == 0
                ? Optional.empty()
                : Optional.of(new Retention(Retention.Mode.ofCode(mode), untilMillis));
    }

    static ObjectAttributes attributes(MetadataProto.Attributes attributes) {
        return new ObjectAttributes(
                map(attributes.getHeadersList()),
                map(attributes.getUserMetadataList()),
                map(attributes.getTagsList()),
                lock(attributes),
                attributes.hasEncryption()
                        ? Optional.of(EncryptionWire.of(attributes.getEncryption()))
                        : Optional.empty(),
                new ObjectAttributes.Access(
                        Optional.of(attributes.getOwner()).filter(owner -> !owner.isEmpty()),
                        attributes.hasAcl()
                                ? Optional.of(accessList(attributes.getAcl()))
                                : Optional.empty()));
    }

    static MetadataProto.AccessList accessList(AccessList list) {
        MetadataProto.AccessList.Builder out = MetadataProto.AccessList.newBuilder();
        for (AccessList.Grant grant : list.grants()) {
            MetadataProto.Grant.Builder one =
                    out.addGrantsBuilder().setPermission(grant.permission().code());
            switch (grant.grantee()) {
                case Grantee.Canonical(String id) -> one.setCanonicalId(id);
                case Grantee.Group group -> one.setGroup(group.code());
            }
        }
        return out.build();
    }

    static AccessList accessList(MetadataProto.AccessList list) {
        return new AccessList(list.getGrantsList().stream().map(Wire::grant).toList());
    }

    private static AccessList.Grant grant(MetadataProto.Grant grant) {
        Grantee grantee =
                grant.hasGroup()
                        ? Grantee.Group.ofCode(grant.getGroup())
                        : new Grantee.Canonical(grant.getCanonicalId());
        return new AccessList.Grant(grantee, Permission.ofCode(grant.getPermission()));
    }

    static List<MetadataProto.Field> fields(SortedMap<String, String> map) {
        List<MetadataProto.Field> fields = new ArrayList<>();
        map.forEach(
                (name, value) ->
                        fields.add(
                                MetadataProto.Field.newBuilder()
                                        .setName(name)
                                        .setValue(value)
                                        .build()));
        return fields;
    }

    static SortedMap<String, String> map(List<MetadataProto.Field> fields) {
        SortedMap<String, String> map = new TreeMap<>();
        fields.forEach(field -> map.put(field.getName(), field.getValue()));
        return map;
    }

    static List<MetadataProto.Checksum> toChecksums(List<ObjectChecksum> checksums) {
        return checksums.stream()
                .map(
                        checksum ->
                                MetadataProto.Checksum.newBuilder()
                                        .setAlgorithm(checksum.algorithm().code())
                                        .setComposite(checksum.composite())
                                        .setValue(ByteString.copyFrom(checksum.value()))
                                        .build())
                .toList();
    }

    static List<ObjectChecksum> checksums(List<MetadataProto.Checksum> checksums) {
        return checksums.stream()
                .map(
                        checksum ->
                                new ObjectChecksum(
                                        ChecksumAlgorithm.ofCode(checksum.getAlgorithm()),
                                        checksum.getComposite(),
                                        checksum.getValue().toByteArray()))
                .toList();
    }

    static MetadataProto.Spec spec(VersionSpec spec) {
        return MetadataProto.Spec.newBuilder()
                .setEtag(spec.etag())
                .setAttributes(attributes(spec.attributes()))
                .addAllChecksums(toChecksums(spec.checksums()))
                .setVersioning(versioning(spec.keeping().versioning()))
                .setDefaultRetentionMode(
                        spec.keeping().defaultRetention().map(d -> d.mode().code()).orElse(0))
                .setDefaultRetentionMillis(
                        spec.keeping().defaultRetention().map(Keeping.Default::millis).orElse(0L))
                .build();
    }

    static VersionSpec spec(MetadataProto.Spec spec) {
        return new VersionSpec(
                spec.getEtag(),
                attributes(spec.getAttributes()),
                checksums(spec.getChecksumsList()),
                keeping(spec));
    }

    private static Keeping keeping(MetadataProto.Spec spec) {
        int mode = spec.getDefaultRetentionMode();
        Optional<Keeping.Default> retention =
                mode == 0
                        ? Optional.empty()
                        : Optional.of(
                                new Keeping.Default(
                                        Retention.Mode.ofCode(mode),
                                        spec.getDefaultRetentionMillis()));
        return new Keeping(versioning(spec.getVersioning()), retention);
    }

    static MetadataProto.Versioning versioning(Versioning versioning) {
        return switch (versioning) {
            case NEVER -> MetadataProto.Versioning.VERSIONING_NEVER;
            case ENABLED -> MetadataProto.Versioning.VERSIONING_ENABLED;
            case SUSPENDED -> MetadataProto.Versioning.VERSIONING_SUSPENDED;
        };
    }

    static Versioning versioning(MetadataProto.Versioning versioning) {
        return switch (versioning) {
            case VERSIONING_NEVER -> Versioning.NEVER;
            case VERSIONING_ENABLED -> Versioning.ENABLED;
            case VERSIONING_SUSPENDED -> Versioning.SUSPENDED;
            case UNRECOGNIZED -> throw new IllegalArgumentException("unknown kind of versioning");
        };
    }

    // ---- names of versions ----

    static MetadataProto.VersionName name(VersionId id) {
        return switch (id) {
            case VersionId.Null() -> MetadataProto.VersionName.getDefaultInstance();
            case VersionId.Named(long order, V v) ->
                    MetadataProto.VersionName.newBuilder().setOrder(order).setV(bytes(v)).build();
        };
    }

    static VersionId id(MetadataProto.VersionName name) {
        return name.getV().isEmpty()
                ? VersionId.NULL
                : new VersionId.Named(name.getOrder(), v(name.getV()));
    }

    static VersionId id(MetadataProto.VersionOrBuilder version) {
        return version.getNamed()
                ? new VersionId.Named(version.getOrder(), v(version.getV()))
                : VersionId.NULL;
    }

    // ---- versions ----

    /** The key is not written: where a version is kept, it is known. Nor is its place. */
    static MetadataProto.Version version(ObjectVersion version) {
        return MetadataProto.Version.newBuilder()
                .setV(bytes(version.v()))
                .setSize(version.size())
                .setEtag(version.etag())
                .setModifiedMillis(version.modifiedMillis())
                .setAttributes(attributes(version.attributes()))
                .addAllChecksums(toChecksums(version.checksums()))
                .setPartCount(version.partCount())
                .setDeleteMarker(version.deleteMarker())
                .build();
    }

    static ObjectVersion version(ObjectKey key, MetadataProto.Version version) {
        return new ObjectVersion(
                key,
                v(version.getV()),
                version.getSize(),
                version.getEtag(),
                version.getModifiedMillis(),
                attributes(version.getAttributes()),
                checksums(version.getChecksumsList()),
                version.getPartCount(),
                id(version),
                version.getDeleteMarker());
    }

    // ---- pieces ----

    static MetadataProto.Piece piece(Piece piece) {
        return switch (piece) {
            case Piece.Bytes(byte[] bytes, byte[] seal) ->
                    MetadataProto.Piece.newBuilder()
                            .setInline(ByteString.copyFrom(bytes))
                            .setSeal(ByteString.copyFrom(seal))
                            .build();
            case Piece.Range(Segment segment) ->
                    MetadataProto.Piece.newBuilder()
                            .setRange(
                                    MetadataProto.Range.newBuilder()
                                            .setHolder(bytes(segment.holder()))
                                            .setOffset(segment.offset())
                                            .setLength(segment.length()))
                            .build();
        };
    }

    static Piece piece(MetadataProto.Piece piece) {
        return switch (piece.getWhatCase()) {
            case INLINE ->
                    new Piece.Bytes(piece.getInline().toByteArray(), piece.getSeal().toByteArray());
            case RANGE -> {
                MetadataProto.Range range = piece.getRange();
                yield new Piece.Range(
                        new Segment(v(range.getHolder()), range.getOffset(), range.getLength()));
            }
            case WHAT_NOT_SET -> throw new IllegalStateException("a piece of an unknown kind");
        };
    }

    static List<MetadataProto.Piece> toPieces(List<Piece> pieces) {
        return pieces.stream().map(Wire::piece).toList();
    }

    static List<Piece> pieces(List<MetadataProto.Piece> pieces) {
        return pieces.stream().map(Wire::piece).toList();
    }

    // ---- swaps ----

    static MetadataProto.Swap swap(Swap swap) {
        ByteBuffer fingerprint = ByteBuffer.allocate(Fingerprint.BYTES);
        swap.fingerprint().write(fingerprint);
        return MetadataProto.Swap.newBuilder()
                .setFingerprint(ByteString.copyFrom(fingerprint.flip()))
                .setUnindexed(bytes(swap.unindexed()))
                .setIndexed(bytes(swap.indexed()))
                .build();
    }

    static Swap swap(MetadataProto.Swap swap) {
        return new Swap(
                Fingerprint.read(swap.getFingerprint().asReadOnlyByteBuffer()),
                ChunkAddress.read(swap.getUnindexed().asReadOnlyByteBuffer()),
                ChunkAddress.read(swap.getIndexed().asReadOnlyByteBuffer()));
    }

    private static ByteString bytes(ChunkAddress address) {
        ByteBuffer bytes = ByteBuffer.allocate(ChunkAddress.BYTES);
        address.write(bytes);
        return ByteString.copyFrom(bytes.flip());
    }

    // ---- what was claimed ----

    /** In order of shard, dropped fingerprints in order: equal values have equal bytes. */
    static List<MetadataProto.Claimed> claimed(Map<ShardId, Retained> claimed) {
        List<MetadataProto.Claimed> list = new ArrayList<>();
        new TreeMap<>(claimed)
                .forEach(
                        (shard, retained) -> {
                            MetadataProto.Claimed.Builder one =
                                    MetadataProto.Claimed.newBuilder()
                                            .setIndexShard(shard.number())
                                            .setSumHigh(retained.sum().high())
                                            .setSumLow(retained.sum().low());
                            switch (retained) {
                                case Retained.All(ReferenceSum sum) ->
                                        one.setKeeps(MetadataProto.Claimed.Keeps.ALL);
                                case Retained.None() ->
                                        one.setKeeps(MetadataProto.Claimed.Keeps.NONE);
                                case Retained.AllBut(Set<Fingerprint> dropped, ReferenceSum sum) ->
                                        one.setKeeps(MetadataProto.Claimed.Keeps.ALL_BUT)
                                                .setDropped(fingerprints(dropped));
                            }
                            list.add(one.build());
                        });
        return list;
    }

    static Map<ShardId, Retained> claimed(List<MetadataProto.Claimed> list) {
        Map<ShardId, Retained> claimed = new TreeMap<>();
        for (MetadataProto.Claimed one : list) {
            ReferenceSum sum = new ReferenceSum(one.getSumHigh(), one.getSumLow());
            Retained retained =
                    switch (one.getKeeps()) {
                        case ALL -> new Retained.All(sum);
                        case NONE -> new Retained.None();
                        case ALL_BUT -> new Retained.AllBut(fingerprints(one.getDropped()), sum);
                        case UNRECOGNIZED ->
                                throw new IllegalStateException("unknown kind of retained set");
                    };
            claimed.put(ShardId.index(one.getIndexShard()), retained);
        }
        return claimed;
    }

    private static ByteString fingerprints(Set<Fingerprint> set) {
        ByteBuffer out = ByteBuffer.allocate(set.size() * Fingerprint.BYTES);
        new TreeSet<>(set).forEach(fingerprint -> fingerprint.write(out));
        return ByteString.copyFrom(out.flip());
    }

    private static Set<Fingerprint> fingerprints(ByteString bytes) {
        Set<Fingerprint> set = new TreeSet<>();
        ByteBuffer in = ByteBuffer.wrap(bytes.toByteArray());
        while (in.hasRemaining()) {
            set.add(Fingerprint.read(in));
        }
        return set;
    }
}
