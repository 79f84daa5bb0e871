package io.dedupstore.core.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.dedupstore.core.kv.KvBatch;
import io.dedupstore.core.model.BucketId;
import io.dedupstore.core.model.ContainerId;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Bytes of version 1, and what happens to bytes of no version. */
class ControlFormatTest {
    private static final SealedSecret SEALED =
            new SecretCipher(ControlFixture.MASTER_KEY)
                    .seal("purpose", new byte[] {1, 2, 3}, new byte[SealedSecret.NONCE_BYTES]);
    private static final ControlCommand.AddAccount ACCOUNT =
            new ControlCommand.AddAccount("123456789012", "Ä name", SEALED, 1_700_000_000_000L);
    private static final ControlCommand.PutKey KEY =
            new ControlCommand.PutKey("KEY", "123456789012", SEALED, 1_700_000_000_001L);

    /** In an order in which all of them have an effect. */
    private static final List<ControlCommand> COMMANDS =
            List.of(
                    new ControlCommand.MakeCluster(
                            "11111111-2222-3333-4444-555555555555",
                            new SecretCipher(ControlFixture.MASTER_KEY).keyId(),
                            new ClusterLayout(2, 1),
                            ACCOUNT,
                            KEY,
                            1_700_000_000_002L),
                    new ControlCommand.AddAccount("210987654321", "", SEALED, 1),
                    new ControlCommand.PutKey("OTHER", "210987654321", SEALED, 2),
                    new ControlCommand.DeleteKey("OTHER"),
                    new ControlCommand.CreateBucket(
                            "photos", "123456789012", "cdc:64k", "zstd", "eu-west-1", 3),
                    new ControlCommand.CreateBucket(
                            "films", "210987654321", "fixed:128k", "off", "", 4),
                    new ControlCommand.DropBucket(new BucketId(2)),
                    new ControlCommand.OpenSession("n1", 5, false),
                    new ControlCommand.OpenContainer(new Session(1, 1)),
                    new ControlCommand.OpenContainer(new Session(1, 1)),
                    new ControlCommand.OpenContainer(new Session(1, 1)),
                    new ControlCommand.SealContainer(new ContainerId(1)),
                    new ControlCommand.SealContainer(new ContainerId(2)),
                    new ControlCommand.DropContainer(new ContainerId(2)),
                    new ControlCommand.EndSession(new Session(1, 1)),
                    new ControlCommand.OpenSession("n2", 6, false),
                    new ControlCommand.StartEpochClosing(),
                    new ControlCommand.RecordEpochStep(1, EpochClosing.Step.REFUSE_COMMITS),
                    new ControlCommand.PutSetting("buckets.max-per-account", "100"));

    /** Those that the first release did not know. */
    private static final List<ControlCommand> LATER =
            List.of(
                    new ControlCommand.SetBucketConfiguration(
                            new BucketId(1),
                            "cors",
                            Optional.of(ByteString.copyFromUtf8("<CORS/>")),
                            7),
                    new ControlCommand.SetBucketConfiguration(
                            new BucketId(1), "tagging", Optional.of(ByteString.EMPTY), 8),
                    new ControlCommand.SetBucketConfiguration(
                            new BucketId(1), "tagging", Optional.empty(), 9));

    /** Those of accounts with users, and of what buckets begin with. */
    private static final List<ControlCommand> OF_ACCESS =
            List.of(
                    new ControlCommand.AddAccount(
                            "345678901234",
                            "third",
                            SEALED,
                            10,
                            "0123456789abcdef".repeat(4),
                            "third@example.com"),
                    new ControlCommand.PutIdentity(identity(0)),
                    new ControlCommand.PutIdentity(identity(1)),
                    new ControlCommand.PutIdentity(
                            Identity.group("123456789012", "Staff", "AGPAONE", "/x/", 13)),
                    new ControlCommand.DropIdentity(
                            Identity.group("123456789012", "staff", "AGPAONE", "/x/", 13)
                                    .withRevision(1)),
                    new ControlCommand.PutKey(
                            "USERS", "123456789012", SEALED, 14, "AIDAONE", false),
                    new ControlCommand.CreateBucket(
                            "closed",
                            "345678901234",
                            "cdc:64k",
                            "off",
                            "",
                            15,
                            new TreeMap<>(Map.of("acl", ByteString.copyFromUtf8("<ACL/>")))));

    private static Identity identity(long revision) {
        return new Identity(
                "123456789012",
                Identity.Kind.USER,
                "Ann",
                "AIDAONE",
                "/",
                "what",
                11,
                revision,
                new TreeMap<>(Map.of("p", "{}")),
                List.of("arn:aws:iam::aws:policy/AmazonS3FullAccess"),
                List.of("AGPAONE"),
                "{\"trust\":1}",
                3600);
    }

    @Test
    void commandsOfAccessAndTheirRowsHaveTheirBytes() throws IOException {
        ControlFixture group = new ControlFixture();
        COMMANDS.forEach(command -> group.submit(ControlCodec.encode(command)));
        List<String> before = group.rows();

        OF_ACCESS.forEach(command -> group.submit(ControlCodec.encode(command)));

        List<String> lines =
                new ArrayList<>(OF_ACCESS.stream().map(ControlFormatTest::hex).toList());
        group.rows().stream().filter(row -> !before.contains(row)).forEach(lines::add);
        assertThat(lines).containsExactlyElementsOf(golden("access-v1.hex"));
        for (ControlCommand command : OF_ACCESS) {
            assertThat(ControlCodec.decode(ControlCodec.encode(command))).isEqualTo(command);
        }
    }

    @Test
    void commandsHaveTheBytesOfVersionOne() throws IOException {
        assertThat(COMMANDS.stream().map(ControlFormatTest::hex))
                .containsExactlyElementsOf(golden("commands-v1.hex"));
    }

    @Test
    void commandsOfVersionOneAreRead() throws IOException {
        List<String> golden = golden("commands-v1.hex");
        for (int i = 0; i < golden.size(); i++) {
            ControlCommand read = ControlCodec.decode(HexFormat.of().parseHex(golden.get(i)));
            assertThat(read).usingRecursiveComparison().isEqualTo(COMMANDS.get(i));
        }
    }

    @Test
    void theySampleEveryKindOfCommand() {
        assertThat(
                        Stream.of(COMMANDS, LATER, OF_ACCESS, KeyFormatTest.COMMANDS)
                                .flatMap(List::stream)
                                .map(Object::getClass)
                                .distinct()
                                .count())
                .isEqualTo(ControlCommand.class.getPermittedSubclasses().length);
    }

    @Test
    void rowsHaveTheBytesOfVersionOne() throws IOException {
        ControlFixture group = new ControlFixture();
        COMMANDS.forEach(command -> group.submit(ControlCodec.encode(command)));

        assertThat(group.rows()).containsExactlyElementsOf(golden("rows-v1.hex"));
    }

    @Test
    void laterCommandsAndTheirRowsHaveTheirBytes() throws IOException {
        ControlFixture group = new ControlFixture();
        COMMANDS.forEach(command -> group.submit(ControlCodec.encode(command)));
        List<String> before = group.rows();

        LATER.forEach(command -> group.submit(ControlCodec.encode(command)));

        List<String> lines = new ArrayList<>(LATER.stream().map(ControlFormatTest::hex).toList());
        group.rows().stream().filter(row -> !before.contains(row)).forEach(lines::add);
        assertThat(lines).containsExactlyElementsOf(golden("configurations-v1.hex"));
        for (ControlCommand command : LATER) {
            assertThat(ControlCodec.decode(ControlCodec.encode(command))).isEqualTo(command);
        }
    }

    @Test
    void aBucketHasFromTheBeginningWhatItIsMadeWith() {
        ControlFixture group = new ControlFixture();
        ControlClient client = ControlFixture.clusterOf(group, 1, 1);
        String owner = client.rootAccount().id();
        BucketId made =
                client.createBucket(
                                "locked",
                                owner,
                                "cdc",
                                "off",
                                "",
                                Map.of("versioning", new byte[] {1}, "object-lock", new byte[] {2}))
                        .id();
        assertThat(client.bucketConfiguration(made, "versioning")).contains(new byte[] {1});
        assertThat(client.bucketConfiguration(made, "object-lock")).contains(new byte[] {2});
        client.dropBucket(made);
        assertThat(group.client().bucketConfiguration(made, "versioning")).isEmpty();
    }

    @Test
    void aDroppedBucketTakesItsConfigurationsAlong() {
        ControlFixture group = new ControlFixture();
        ControlClient client = ControlFixture.clusterOf(group, 1, 1);
        String owner = client.rootAccount().id();
        BucketId first = client.createBucket("first", owner, "cdc", "off", "").id();
        BucketId second = client.createBucket("second", owner, "cdc", "off", "").id();
        for (BucketId bucket : List.of(first, second)) {
            client.setBucketConfiguration(bucket, "cors", Optional.of(new byte[] {1}));
            client.setBucketConfiguration(bucket, "tagging", Optional.of(new byte[] {2}));
        }

        client.setBucketConfiguration(second, "cors", Optional.empty());
        client.setBucketConfiguration(second, "cors", Optional.empty());
        client.dropBucket(first);

        assertThat(client.bucketConfiguration(first, "tagging")).isEmpty();
        assertThat(client.bucketConfiguration(second, "cors")).isEmpty();
        assertThat(client.bucketConfiguration(second, "tagging")).contains(new byte[] {2});
        assertThat(group.client().bucketConfiguration(second, "tagging")).contains(new byte[] {2});
        assertThatThrownBy(
                        () ->
                                client.setBucketConfiguration(
                                        first, "cors", Optional.of(new byte[] {3})))
                .isInstanceOfSatisfying(
                        ControlException.class,
                        e -> assertThat(e.code()).isEqualTo(ControlException.Code.NO_SUCH_BUCKET));
    }

    @Test
    void theSameLogGivesTheSameRows() throws IOException {
        ControlFixture first = new ControlFixture();
        ControlClient client = ControlFixture.clusterOf(first, 1, 1);
        client.openContainer(client.openSession("n1"));
        client.createBucket("photos", client.rootAccount().id(), "cdc", "lz4", "");
        ControlFixture second = new ControlFixture();

        first.log.forEach(second::submit);

        assertThat(second.rows()).isEqualTo(first.rows());
    }

    @Test
    void aCommandOfALaterFormatIsNotGuessed() {
        byte[] later = ControlProto.Command.newBuilder().setFormat(2).build().toByteArray();
        byte[] unknown = ControlProto.Command.newBuilder().setFormat(1).build().toByteArray();

        assertThatThrownBy(() -> ControlCodec.decode(later)).hasMessageContaining("format 2");
        assertThatThrownBy(() -> ControlCodec.decode(unknown)).hasMessageContaining("unknown kind");
        assertThatThrownBy(() -> ControlCodec.decode(new byte[] {(byte) 0xff}))
                .hasMessageContaining("damaged");
    }

    @Test
    void aRowOfALaterFormatIsNotGuessed() {
        ControlFixture group = new ControlFixture();
        ControlFixture.clusterOf(group, 1, 1);
        group.store.write(
                new KvBatch()
                        .put(
                                ControlRows.TABLE,
                                ControlRows.key(ControlRows.Kind.CLUSTER),
                                new byte[] {2, 0}));

        assertThatThrownBy(group::client)
                .hasMessageContaining("format 2")
                .hasMessageContaining("run the release that wrote it");
    }

    private static String hex(ControlCommand command) {
        return HexFormat.of().formatHex(ControlCodec.encode(command));
    }

    private static List<String> golden(String name) throws IOException {
        try (InputStream in =
                ControlFormatTest.class.getResourceAsStream("/formats/control/" + name)) {
            assertThat(in).as("golden file %s", name).isNotNull();
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII).lines().toList();
        }
    }
}
