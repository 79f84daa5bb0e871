package io.dedupstore.core.metadata;

import static io.dedupstore.core.metadata.TestStore.BUCKET;
import static io.dedupstore.core.metadata.TestStore.chunks;
import static io.dedupstore.core.metadata.TestStore.key;
import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.core.kv.KvBatch;
import io.dedupstore.core.kv.MemoryKvStore;
import io.dedupstore.core.kv.Table;
import io.dedupstore.core.metadata.MetadataCommand.Deletion;
import io.dedupstore.core.metadata.MetadataCommand.VersionPlace;
import io.dedupstore.core.metadata.MetadataService.ListedVersion;
import io.dedupstore.core.metadata.MetadataService.VersionSpec;
import io.dedupstore.core.model.V;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Bytes of versions, delete markers and locks, as they are in logs and stores out there. */
class VersionsGoldenTest {
    private static final HexFormat HEX = HexFormat.of();
    private static final V MADE = new V(2, 3, 4);
    private static final V V1 = new V(2, 3, 5);
    private static final VersionId NAMED = new VersionId.Named(1_700_000_000_000_001L, MADE);
    private static final Retention RETENTION =
            new Retention(Retention.Mode.GOVERNANCE, 1_800_000_000_000L);

    private static List<String> golden(String file) throws IOException {
        try (InputStream in =
                VersionsGoldenTest.class.getResourceAsStream("/formats/metadata/" + file)) {
            return in == null
                    ? List.of()
                    : new String(in.readAllBytes(), StandardCharsets.US_ASCII).lines().toList();
        }
    }

    private static VersionPlace place(Optional<VersionId> id) {
        return new VersionPlace(BUCKET, key("k"), id);
    }

    private static MetadataCommand delete(Precondition precondition, Deletion deletion) {
        return new MetadataCommand.DeleteObject(
                TestStore.SHARD, V1, 5, BUCKET, key("k"), precondition, deletion);
    }

    private static List<MetadataCommand> commands() {
        Precondition none = new Precondition.None();
        VersionSpec spec =
                new VersionSpec(
                        "e",
                        ObjectAttributes.NONE.withLock(
                                new ObjectLock(Optional.of(RETENTION), Optional.of(true))),
                        List.of(),
                        new Keeping(
                                Versioning.ENABLED,
                                Optional.of(
                                        new Keeping.Default(
                                                Retention.Mode.COMPLIANCE, 86_400_000))));
        return List.of(
                delete(none, new Deletion.Current(Versioning.ENABLED)),
                delete(new Precondition.MadeBy(MADE), new Deletion.Current(Versioning.SUSPENDED)),
                delete(none, new Deletion.Version(VersionId.NULL, false)),
                delete(
                        new Precondition.Matches(
                                Optional.of("e"), Optional.of(7L), Optional.of(0L)),
                        new Deletion.Version(NAMED, true)),
                new MetadataCommand.TagObject(
                        TestStore.SHARD,
                        V1,
                        5,
                        place(Optional.of(NAMED)),
                        new TreeMap<>(Map.of("a", "b"))),
                new MetadataCommand.SetRetention(
                        TestStore.SHARD,
                        V1,
                        5,
                        place(Optional.of(VersionId.NULL)),
                        Optional.of(RETENTION),
                        true),
                new MetadataCommand.SetRetention(
                        TestStore.SHARD, V1, 5, place(Optional.empty()), Optional.empty(), false),
                new MetadataCommand.SetLegalHold(
                        TestStore.SHARD, V1, 5, place(Optional.of(NAMED)), true),
                new MetadataCommand.CopyObject(
                        TestStore.SHARD,
                        V1,
                        5,
                        new MetadataCommand.Source(BUCKET, key("k"), MADE, NAMED),
                        BUCKET,
                        key("to"),
                        spec,
                        none));
    }

    @Test
    void commandsHaveTheirBytes() throws IOException {
        List<String> now =
                commands().stream().map(c -> HEX.formatHex(CommandEncoder.encode(c))).toList();
        assertThat(now).isEqualTo(golden("version-commands-v1.hex"));
    }

    @Test
    void commandsAreRead() throws IOException {
        List<MetadataCommand> read =
                golden("version-commands-v1.hex").stream()
                        .map(line -> CommandDecoder.decode(HEX.parseHex(line)))
                        .toList();
        assertThat(read).isEqualTo(commands());
    }

    private static VersionSpec spec(Versioning versioning, ObjectLock lock) {
        ObjectAttributes attributes = ObjectAttributes.NONE.withLock(lock);
        return new VersionSpec("e", attributes, List.of(), Keeping.of(versioning));
    }

    /** A null version of old, two of its own, a null marker aside, a lock. */
    private static TestStore store() {
        TestStore store = new TestStore();
        Precondition none = new Precondition.None();
        for (String name : List.of("k", "k\0l")) {
            store.put(name, chunks(1));
            ObjectLock lock = new ObjectLock(Optional.of(RETENTION), Optional.of(false));
            store.client.putObject(
                    BUCKET,
                    key(name),
                    TestStore.inline(store.v(), 2),
                    spec(Versioning.ENABLED, lock),
                    none);
        }
        store.client.deleteObject(store.v(), BUCKET, key("k"), Versioning.SUSPENDED, none);
        store.client.deleteObject(store.v(), BUCKET, key("k\0l"), Versioning.ENABLED, none);
        return store;
    }

    @Test
    void rowsHaveTheirBytes() throws IOException {
        List<String> now = new ArrayList<>();
        store().group
                .rows()
                .forEach(
                        (key, value) -> {
                            if (key.startsWith("objects")
                                    || key.startsWith("metadata/000342")
                                    || key.startsWith("metadata/000346")
                                    || key.startsWith("metadata/000356")
                                    || key.startsWith("metadata/000357")) {
                                now.add(key + " " + value);
                            }
                        });
        assertThat(now).isEqualTo(golden("version-rows-v1.hex"));
    }

    @Test
    void rowsAreRead() throws IOException {
        MemoryKvStore rows =
                new MemoryKvStore(List.of(RowKeys.OBJECTS, RowKeys.MANIFESTS, RowKeys.ROWS));
        KvBatch batch = new KvBatch();
        for (String line : golden("version-rows-v1.hex")) {
            String[] words = line.split("[/ ]");
            Table table = new Table(words[0], Table.Profile.SCAN);
            batch.put(table, HEX.parseHex(words[1]), HEX.parseHex(words[2]));
        }
        rows.write(batch);
        List<ListedVersion> read =
                MetadataQueries.over(
                                rows,
                                TestStore.SHARD,
                                shard ->
                                        shard.listVersions(
                                                BUCKET, "", Optional.empty(), Optional.empty(), 99))
                        .lines();
        TestStore store = store();
        assertThat(read)
                .isEqualTo(
                        store.client
                                .listVersions(BUCKET, "", Optional.empty(), Optional.empty(), 99)
                                .lines())
                .hasSize(5);
    }
}
