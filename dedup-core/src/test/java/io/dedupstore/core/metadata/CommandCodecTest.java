package io.dedupstore.core.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedupstore.core.metadata.MetadataCommand.Deletion;
import io.dedupstore.core.metadata.MetadataCommand.PartSpec;
import io.dedupstore.core.metadata.MetadataCommand.Source;
import io.dedupstore.core.metadata.MetadataCommand.VersionPlace;
import io.dedupstore.core.metadata.MetadataService.SeenPart;
import io.dedupstore.core.metadata.MetadataService.VersionSpec;
import io.dedupstore.core.model.BucketId;
import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.Destination;
import io.dedupstore.core.model.ManifestEntry;
import io.dedupstore.core.model.ObjectKey;
import io.dedupstore.core.model.ReferenceSum;
import io.dedupstore.core.model.Retained;
import io.dedupstore.core.model.Segment;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.StreamPosition;
import io.dedupstore.core.model.V;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class CommandCodecTest {
    private static final ShardId SHARD = ShardId.metadata(3);
    private static final BucketId BUCKET = new BucketId(77);
    private static final ObjectKey KEY = ObjectKey.of("folder/ключ");
    private static final V V1 = new V(2, 3, 4);
    private static final V V2 = new V(2, 3, 5);
    private static final long TIME = 1_700_000_000_123L;
    private static final List<ManifestEntry> ENTRIES =
            List.of(TestStore.indexed(5), TestStore.unindexed(6, 9, 8), TestStore.zero(4096));
    private static final Precondition ETAG = new Precondition.EtagIs("abc");

    private static final VersionId.Named NAMED = new VersionId.Named(TIME * 1000 + 1, V2);
    private static final VersionPlace NAMED_VERSION =
            new VersionPlace(BUCKET, KEY, Optional.of(NAMED));
    private static final VersionPlace NULL_VERSION =
            new VersionPlace(BUCKET, KEY, Optional.of(VersionId.NULL));
    private static final Retention RETENTION = new Retention(Retention.Mode.GOVERNANCE, TIME);

    static final List<MetadataCommand> ALL = commands();

    /** Those that the first release did not know. */
    private static final List<MetadataCommand> LATER =
            List.of(
                    new MetadataCommand.TagObject(
                            SHARD,
                            V1,
                            TIME,
                            new VersionPlace(BUCKET, KEY, Optional.empty()),
                            new TreeMap<>(Map.of("a", "1"))),
                    new MetadataCommand.TagObject(SHARD, V1, TIME, NULL_VERSION, new TreeMap<>()),
                    new MetadataCommand.SetRetention(
                            SHARD, V1, TIME, NAMED_VERSION, Optional.of(RETENTION), true),
                    new MetadataCommand.SetRetention(
                            SHARD, V1, TIME, NULL_VERSION, Optional.empty(), false),
                    new MetadataCommand.SetLegalHold(SHARD, V1, TIME, NAMED_VERSION, true),
                    new MetadataCommand.SetLegalHold(SHARD, V1, TIME, NULL_VERSION, false),
                    new MetadataCommand.DeleteObject(
                            SHARD,
                            V1,
                            TIME,
                            BUCKET,
                            KEY,
                            new Precondition.MadeBy(V2),
                            new Deletion.Current(Versioning.ENABLED)),
                    new MetadataCommand.DeleteObject(
                            SHARD,
                            V1,
                            TIME,
                            BUCKET,
                            KEY,
                            new Precondition.Matches(
                                    Optional.of("e"), Optional.of(0L), Optional.empty()),
                            new Deletion.Version(VersionId.NULL, false)),
                    new MetadataCommand.DeleteObject(
                            SHARD,
                            V1,
                            TIME,
                            BUCKET,
                            KEY,
                            new Precondition.Matches(
                                    Optional.empty(), Optional.empty(), Optional.of(0L)),
                            new Deletion.Version(NAMED, true)),
                    new MetadataCommand.CopyObject(
                            SHARD,
                            V1,
                            TIME,
                            new Source(BUCKET, KEY, V2, NAMED),
                            BUCKET,
                            KEY,
                            new VersionSpec(
                                    "e",
                                    ObjectAttributes.NONE.withLock(
                                            new ObjectLock(
                                                    Optional.of(RETENTION), Optional.of(false))),
                                    List.of(),
                                    new Keeping(
                                            Versioning.ENABLED,
                                            Optional.of(
                                                    new Keeping.Default(
                                                            Retention.Mode.COMPLIANCE, 5)))),
                            new Precondition.None()),
                    new MetadataCommand.AclObject(SHARD, V1, TIME, NAMED_VERSION, GoldenTest.LIST));

    private static List<MetadataCommand> commands() {
        TreeMap<String, String> headers = new TreeMap<>(Map.of("content-type", "text/plain"));
        TreeMap<String, String> meta = new TreeMap<>(Map.of("a", "1", "b", "ü"));
        ObjectAttributes attributes = new ObjectAttributes(headers, meta, new TreeMap<>());
        VersionSpec spec =
                new VersionSpec(
                        "etag-1",
                        attributes,
                        List.of(
                                new ObjectChecksum(
                                        ChecksumAlgorithm.CRC32, true, new byte[] {1, 2, 3, 4})),
                        Keeping.UNVERSIONED);
        Map<ShardId, Retained> claimed =
                Map.of(
                        ShardId.index(0), new Retained.All(new ReferenceSum(-1, 1)),
                        ShardId.index(1), new Retained.None(),
                        ShardId.index(2),
                                new Retained.AllBut(
                                        Set.of(TestStore.fingerprint(1), TestStore.fingerprint(2)),
                                        ReferenceSum.ZERO));
        NewBody.Holder holder =
                new NewBody.Holder(V1, List.of(V2), 5000, 2, ENTRIES, claimed, 4711);
        PartSpec part = new PartSpec(BUCKET, KEY, V2, 10_000, "p", spec.checksums());
        Source source = new Source(BUCKET, KEY, V2, VersionId.NULL);
        return List.of(
                new MetadataCommand.SendRow(SHARD, V1, TIME, 3, ENTRIES),
                new MetadataCommand.CommitEarlier(SHARD, TIME, BUCKET, KEY, holder),
                new MetadataCommand.PutObject(SHARD, TIME, BUCKET, KEY, holder, spec, ETAG),
                new MetadataCommand.PutPart(SHARD, TIME, part, holder),
                new MetadataCommand.Abandon(SHARD, V1, TIME, claimed.keySet()),
                new MetadataCommand.DeleteObject(
                        SHARD,
                        V1,
                        TIME,
                        BUCKET,
                        KEY,
                        new Precondition.Present(),
                        new Deletion.Current(Versioning.NEVER)),
                new MetadataCommand.CopyObject(
                        SHARD, V1, TIME, source, BUCKET, KEY, spec, new Precondition.Absent()),
                new MetadataCommand.CopyPart(
                        SHARD,
                        V1,
                        TIME,
                        source,
                        part,
                        List.of(new Piece.Range(new Segment(V2, 5, 6)))),
                new MetadataCommand.CreateUpload(
                        SHARD,
                        V1,
                        TIME,
                        BUCKET,
                        KEY,
                        attributes,
                        Optional.of(ChecksumAlgorithm.SHA256),
                        true),
                new MetadataCommand.CompleteUpload(
                        SHARD,
                        V1,
                        TIME,
                        BUCKET,
                        KEY,
                        V2,
                        List.of(new SeenPart(1, V1), new SeenPart(9, V2)),
                        spec,
                        new Precondition.None()),
                new MetadataCommand.AbortUpload(SHARD, V1, TIME, BUCKET, KEY, V2),
                new MetadataCommand.SealBucket(SHARD, V1, TIME, BUCKET),
                new MetadataCommand.SwapReferences(
                        SHARD,
                        V1,
                        TIME,
                        V2,
                        List.of(
                                new Swap(
                                        TestStore.fingerprint(6),
                                        new ChunkAddress(new ContainerId(9), 8),
                                        new ChunkAddress(new ContainerId(10), 0))),
                        List.of(0, 127),
                        claimed),
                new MetadataCommand.Resolve(SHARD, V1, ShardId.index(2)),
                new MetadataCommand.RefuseEpoch(SHARD, 9),
                new MetadataCommand.ForgetEpoch(SHARD, 8),
                new MetadataCommand.AnnounceClosed(
                        SHARD, 7, List.of(new ContainerId(1), new ContainerId(1L << 60))),
                new MetadataCommand.Acknowledge(
                        SHARD,
                        List.of(
                                new StreamPosition(new Destination.Shard(ShardId.index(1)), 5),
                                new StreamPosition(
                                        new Destination.Container(new ContainerId(9)), 0))),
                new MetadataCommand.Work(SHARD, WorkSize.UNSAID));
    }

    @Test
    void everyCommandComesBackAsItWas() {
        List<MetadataCommand> all = new ArrayList<>(ALL);
        all.addAll(LATER);
        for (MetadataCommand command : all) {
            assertThat(CommandDecoder.decode(CommandEncoder.encode(command))).isEqualTo(command);
        }
        assertThat(all.stream().map(Object::getClass).distinct())
                .hasSize(MetadataProto.Command.WhatCase.values().length - 1);
    }

    @Test
    void inlineBodiesComeBackAsTheyWere() {
        for (byte[] bytes : new byte[][] {{}, {1, 2, 3}}) {
            MetadataCommand.PutObject put =
                    new MetadataCommand.PutObject(
                            SHARD,
                            TIME,
                            BUCKET,
                            KEY,
                            new NewBody.Inline(V1, bytes),
                            TestStore.spec("x"),
                            ETAG);
            MetadataCommand back = CommandDecoder.decode(CommandEncoder.encode(put));
            NewBody.Inline body = (NewBody.Inline) ((MetadataCommand.PutObject) back).body();
            assertThat(body.v()).isEqualTo(V1);
            assertThat(body.bytes()).isEqualTo(bytes);
        }
    }

    @Test
    void aCommandOfAnotherFormatIsRefused() {
        byte[] bytes = CommandEncoder.encode(new MetadataCommand.Work(SHARD));
        bytes[0] = 2;
        assertThatThrownBy(() -> CommandDecoder.decode(bytes))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("format");
    }

    @Test
    void manifestRowsComeBackAsTheyWere() {
        assertThat(ManifestCodec.decode(ManifestCodec.encode(ENTRIES))).isEqualTo(ENTRIES);
        byte[] bytes = ManifestCodec.encode(ENTRIES);
        bytes[0] = 9;
        assertThatThrownBy(() -> ManifestCodec.decode(bytes))
                .isInstanceOf(IllegalStateException.class);
    }
}
