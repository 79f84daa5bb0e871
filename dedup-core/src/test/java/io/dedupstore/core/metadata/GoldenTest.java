package io.dedupstore.core.metadata;

import static io.dedupstore.core.metadata.TestStore.BUCKET;
import static io.dedupstore.core.metadata.TestStore.chunks;
import static io.dedupstore.core.metadata.TestStore.inline;
import static io.dedupstore.core.metadata.TestStore.key;
import static io.dedupstore.core.metadata.TestStore.range;
import static io.dedupstore.core.metadata.TestStore.unindexed;
import static io.dedupstore.core.metadata.TestStore.zero;
import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.core.kv.KvBatch;
import io.dedupstore.core.kv.MemoryKvStore;
import io.dedupstore.core.kv.Table;
import io.dedupstore.core.model.AccessList;
import io.dedupstore.core.model.DomainId;
import io.dedupstore.core.model.Grantee;
import io.dedupstore.core.model.ObjectKey;
import io.dedupstore.core.model.Permission;
import io.dedupstore.core.model.ReferenceSum;
import io.dedupstore.core.model.Retained;
import io.dedupstore.core.model.Segment;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.V;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Bytes of version 1, as they are in logs and stores out there. Files named 1.1 are what this
 * release writes where the first one wrote something else, which must still be read.
 */
class GoldenTest {
    static final AccessList LIST =
            new AccessList(
                    List.of(
                            new AccessList.Grant(
                                    new Grantee.Canonical("ab"), Permission.FULL_CONTROL),
                            new AccessList.Grant(Grantee.Group.ALL_USERS, Permission.READ)));

    private static final String CUT = "...";

    private static List<String> golden(String file) throws IOException {
        try (InputStream in = GoldenTest.class.getResourceAsStream("/formats/metadata/" + file)) {
            return in == null
                    ? List.of()
                    : new String(in.readAllBytes(), StandardCharsets.US_ASCII).lines().toList();
        }
    }

    @Test
    void commandsHaveTheirBytes() throws IOException {
        HexFormat hex = HexFormat.of();
        List<String> now =
                CommandCodecTest.ALL.stream()
                        .map(command -> hex.formatHex(CommandEncoder.encode(command)))
                        .toList();
        assertThat(now).isEqualTo(golden("commands-v1.hex"));
    }

    @Test
    void workSaysHowMuch() {
        String unsaid = HexFormat.of().formatHex(encoded(WorkSize.UNSAID));
        String usual = HexFormat.of().formatHex(encoded(WorkSize.USUAL));
        assertThat(unsaid).isEqualTo("0108039a0200");
        assertThat(usual).isEqualTo("0108039a020408808004");
        assertThat(CommandDecoder.decode(HexFormat.of().parseHex(usual)))
                .isEqualTo(new MetadataCommand.Work(TestStore.SHARD, WorkSize.USUAL));
    }

    private static byte[] encoded(WorkSize size) {
        return CommandEncoder.encode(new MetadataCommand.Work(TestStore.SHARD, size));
    }

    @Test
    void tagsHaveTheirBytes() {
        TreeMap<String, String> tags = new TreeMap<>(Map.of("k", "v", "a", ""));
        MetadataCommand tag =
                new MetadataCommand.TagObject(
                        TestStore.SHARD, new V(2, 3, 4), 5, place(key("x")), tags);
        byte[] bytes = CommandEncoder.encode(tag);
        assertThat(HexFormat.of().formatHex(bytes))
                .isEqualTo(
                        "0108031210000000020000000300000000000000041805ba01140a05080712017812030a016112060a016b120176");
        assertThat(CommandDecoder.decode(bytes)).isEqualTo(tag);
        assertThat(Wire.attributes(ObjectAttributes.NONE.withTags(tags)).toByteArray())
                .isEqualTo(HexFormat.of().parseHex("1a030a01611a060a016b120176"));
    }

    private static MetadataCommand.VersionPlace place(ObjectKey key) {
        return new MetadataCommand.VersionPlace(BUCKET, key, Optional.empty());
    }

    @Test
    void encryptionHasItsBytes() {
        DomainId domain = new DomainId(300);
        Map<ObjectEncryption, String> golden =
                Map.of(
                        new ObjectEncryption.Managed(domain),
                        "3205080110ac02",
                        new ObjectEncryption.Kms(domain, "key", "e30=", true, false),
                        "3212080210ac021a036b657922046533303d2801",
                        new ObjectEncryption.Kms(domain, "key", "", false, true),
                        "320a080310ac021a036b6579",
                        new ObjectEncryption.Customer(new byte[] {1, 2}, new byte[] {3, 4}),
                        "320a0804320201023a020304");
        golden.forEach(
                (encryption, hex) -> {
                    ObjectAttributes attributes =
                            ObjectAttributes.NONE.withEncryption(Optional.of(encryption));
                    MetadataProto.Attributes proto = Wire.attributes(attributes);
                    assertThat(HexFormat.of().formatHex(proto.toByteArray())).isEqualTo(hex);
                    assertThat(Wire.attributes(proto)).isEqualTo(attributes);
                });
    }

    @Test
    void encryptedInlineBodiesHaveTheirBytes() {
        Piece piece = new Piece.Bytes(new byte[] {1, 2}, new byte[] {3, 4, 5});
        assertThat(HexFormat.of().formatHex(Wire.piece(piece).toByteArray()))
                .isEqualTo("0a0201021a03030405");
        assertThat(Wire.piece(Wire.piece(piece))).usingRecursiveComparison().isEqualTo(piece);
        TestStore store = new TestStore();
        NewBody.Inline body =
                new NewBody.Inline(store.v(), new byte[] {1, 2}, new byte[] {3, 4, 5});
        store.put("sealed", body);
        assertThat(store.open("sealed").body())
                .isEqualTo(new Body.Inline(new byte[] {1, 2}, new byte[] {3, 4, 5}));
        assertThat(store.open("sealed").version().size()).isEqualTo(2);
    }

    @Test
    void accessListsHaveTheirBytes() {
        MetadataCommand acl =
                new MetadataCommand.AclObject(
                        TestStore.SHARD, new V(2, 3, 4), 5, place(key("x")), LIST);
        byte[] bytes = CommandEncoder.encode(acl);
        assertThat(HexFormat.of().formatHex(bytes))
                .isEqualTo(
                        "0108031210000000020000000300000000000000041805c202170a050807120178120e0a060a02616218050a0410011801");
        assertThat(CommandDecoder.decode(bytes)).isEqualTo(acl);
        ObjectAttributes attributes =
                ObjectAttributes.NONE.withAccess(
                        new ObjectAttributes.Access(
                                Optional.of("123456789012"), Optional.of(LIST)));
        byte[] kept = Wire.attributes(attributes).toByteArray();
        assertThat(HexFormat.of().formatHex(kept))
                .isEqualTo("220c3132333435363738393031322a0e0a060a02616218050a0410011801");
        assertThat(Wire.attributes(Wire.attributes(attributes))).isEqualTo(attributes);
    }

    @Test
    void oldCommandsAreRead() throws IOException {
        List<MetadataCommand> read =
                golden("commands-v1.hex").stream()
                        .map(line -> CommandDecoder.decode(HexFormat.of().parseHex(line)))
                        .toList();
        assertThat(read).isEqualTo(CommandCodecTest.ALL);
    }

    @Test
    void rowsHaveTheirBytes() throws IOException {
        TestStore store = new TestStore();
        rowsOfEveryKind(store);
        List<String> now = new ArrayList<>();
        TreeSet<String> kinds = new TreeSet<>();
        store.group
                .rows()
                .forEach(
                        (key, value) -> {
                            if (!key.startsWith("outbox")) {
                                now.add(key + " " + shortened(value));
                            }
                            if (key.startsWith("metadata/0003")) {
                                kinds.add(key.substring(13, 15));
                            }
                        });
        assertThat(kinds)
                .as("a row of every kind of then")
                .hasSize(RowKeys.Kind.values().length - 2);
        assertThat(now).isEqualTo(golden("rows-v1.1.hex"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"rows-v1.hex", "rows-v1.1.hex"})
    void oldRowsAreRead(String file) throws IOException {
        MemoryKvStore rows =
                new MemoryKvStore(List.of(RowKeys.OBJECTS, RowKeys.MANIFESTS, RowKeys.ROWS));
        KvBatch batch = new KvBatch();
        for (String line : golden(file)) {
            String[] words = line.split("[/ ]");
            if (!words[2].endsWith(CUT)) {
                HexFormat hex = HexFormat.of();
                batch.put(
                        new Table(words[0], Table.Profile.SCAN),
                        hex.parseHex(words[1]),
                        hex.parseHex(words[2]));
            }
        }
        rows.write(batch);
        V unfinished = new V(1, 1, 4);
        assertThat(new RowReader(rows, TestStore.SHARD).invisible(unfinished))
                .containsExactly(unfinished);
        MetadataQueries.over(
                rows,
                TestStore.SHARD,
                shard -> {
                    assertThat(shard.openObject(BUCKET, key("k")).orElseThrow().body().length())
                            .isEqualTo(264);
                    assertThat(shard.openObject(BUCKET, key("small")).orElseThrow().body())
                            .isEqualTo(new Body.Inline(new byte[3]));
                    assertThat(shard.openObject(BUCKET, key("done")).orElseThrow().parts())
                            .hasSize(1);
                    V holder = shard.findObject(BUCKET, key("k")).orElseThrow().v();
                    assertThat(shard.readManifest(holder, 0).orElseThrow().entries()).hasSize(3);
                    assertThat(
                                    shard.listUploads(
                                                    BUCKET,
                                                    "",
                                                    Optional.empty(),
                                                    Optional.empty(),
                                                    10)
                                            .uploads())
                            .hasSize(1);
                    return null;
                });
    }

    /** Full manifest rows and the like stand in the file with their beginning alone. */
    private static String shortened(String hex) {
        return hex.length() <= 4000 ? hex : hex.substring(0, 400) + CUT;
    }

    private static void rowsOfEveryKind(TestStore store) {
        // A holder half released, with everything that stands in the queue behind it.
        long[] many = range(0, 5_200);
        store.put("big", chunks(many));
        store.group.workAll();
        store.delete("big");
        while (store.group.rows().keySet().stream()
                .noneMatch(row -> row.startsWith("metadata/000344"))) {
            store.group.oldWork();
        }
        V v = store.v();
        ObjectVersion object =
                store.put(
                        "k",
                        store.holder(
                                v,
                                List.of(TestStore.indexed(1), unindexed(2, 9, 1), zero(64)),
                                Map.of(
                                        ShardId.index(2),
                                        new Retained.All(new ReferenceSum(-1, 1)))));
        store.put("small", inline(store.v(), 3));
        store.client.commitEarlier(BUCKET, key("long"), store.holder(store.v(), chunks(3)));
        store.holder(store.v(), chunks(range(0, 512)));
        store.put("rows", chunks(range(0, 513)));
        V done = store.upload("done");
        PartInfo part = store.part("done", done, 2, inline(store.v(), 4));
        store.complete("done", done, List.of(part));
        V open = store.upload("open\u0000");
        store.client.copyPart(
                store.v(),
                BUCKET,
                object,
                BUCKET,
                key("open\u0000"),
                open,
                7,
                new Body.Segments(Collections.nCopies(65, new Segment(v, 1, 2))),
                "etag",
                List.of());
    }
}
