package io.dedupstore.core.index;

import static io.dedupstore.core.index.IndexFixture.at;
import static io.dedupstore.core.index.IndexFixture.fp;
import static io.dedupstore.core.index.IndexFixture.known;
import static io.dedupstore.core.index.IndexFixture.offer;
import static io.dedupstore.core.index.IndexFixture.v;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedupstore.core.kv.KvBatch;
import io.dedupstore.core.kv.KvTransaction;
import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.ChunkReference;
import io.dedupstore.core.model.ClaimItem;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.Destination;
import io.dedupstore.core.model.IndexMessage;
import io.dedupstore.core.model.ReferenceSum;
import io.dedupstore.core.model.Retained;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.StreamPosition;
import io.dedupstore.core.model.V;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Bytes of version 1, and what happens to bytes of no version. */
class IndexFormatTest {
    private static final V V1 = new V(3, 0x01020304, 0x1122334455667788L);
    private static final ShardId SHARD = ShardId.index(0x0102);
    private static final ChunkAddress LAST =
            new ChunkAddress(new ContainerId(Long.MAX_VALUE), ChunkAddress.MAX_SLOTS - 1);

    private static final List<IndexCommand> COMMANDS =
            List.of(
                    new IndexCommand.Claim(
                            SHARD,
                            V1,
                            ShardId.metadata(4095),
                            Entry.MAX_TIME,
                            List.of(
                                    new ClaimItem(fp(1), LAST, 1 << 20),
                                    new ClaimItem(fp(-1), null, 1))),
                    new IndexCommand.Acknowledge(
                            SHARD,
                            List.of(
                                    new StreamPosition(
                                            new Destination.Container(new ContainerId(7)),
                                            Long.MAX_VALUE),
                                    new StreamPosition(
                                            new Destination.Container(new ContainerId(8)), 1))),
                    new IndexCommand.RefuseEpoch(SHARD, 5),
                    new IndexCommand.ForgetEpoch(SHARD, 6),
                    new IndexCommand.AnnounceClosed(
                            SHARD, 7, List.of(new ContainerId(8), new ContainerId(9))),
                    new IndexCommand.Continue(SHARD, StepSize.UNSAID),
                    new IndexCommand.SetEntryLimit(SHARD, OptionalLong.empty()),
                    new IndexCommand.SetEntryLimit(SHARD, OptionalLong.of(0)),
                    new IndexCommand.MarkSuspect(
                            SHARD, true, List.of(new ChunkReference(fp(2), at(3, 4)))),
                    new IndexCommand.Prune(SHARD, Entry.MAX_TIME, List.of(fp(1), fp(-2))));

    private static final List<IndexReply> REPLIES =
            List.of(
                    new IndexReply.Claimed(
                            List.of(
                                    IndexFixture.own(LAST),
                                    IndexFixture.use(at(1, 2)),
                                    IndexFixture.unindexed(),
                                    IndexFixture.miss())),
                    new IndexReply.Refused(IndexReply.Refused.Code.OVER, "why"),
                    new IndexReply.Delivered(0),
                    new IndexReply.Gap(0),
                    new IndexReply.Done(),
                    new IndexReply.Pruned(7, 1L << 40));

    @Test
    void readsWhatItWrote() {
        for (IndexCommand command : COMMANDS) {
            assertThat(IndexCommandCodec.decode(IndexCommandCodec.encode(command)))
                    .isEqualTo(command);
        }
        for (IndexReply reply : REPLIES) {
            assertThat(IndexReplyCodec.decode(IndexReplyCodec.encode(reply))).isEqualTo(reply);
        }
        IndexCommand.Deliver deliver =
                new IndexCommand.Deliver(
                        SHARD, ShardId.metadata(1), 9, List.of(new byte[] {1}, new byte[0]));
        IndexCommand.Deliver read =
                (IndexCommand.Deliver) IndexCommandCodec.decode(IndexCommandCodec.encode(deliver));
        assertThat(read.source()).isEqualTo(deliver.source());
        assertThat(read.firstSequence()).isEqualTo(9);
        assertThat(read.messages()).containsExactly(new byte[] {1}, new byte[0]);
    }

    @Test
    void commandsAndRepliesHaveTheBytesOfVersion1() throws IOException {
        List<String> lines = new ArrayList<>();
        COMMANDS.forEach(c -> lines.add(hex(IndexCommandCodec.encode(c))));
        REPLIES.forEach(r -> lines.add(hex(IndexReplyCodec.encode(r))));
        assertThat(lines).isEqualTo(golden("commands-v1.hex"));
    }

    @Test
    void stepsSayHowMuch() {
        assertThat(hex(IndexCommandCodec.encode(new IndexCommand.Continue(SHARD))))
                .isEqualTo("088202420308e808");
        assertThat(hex(IndexCommandCodec.encode(deliver(StepSize.USUAL))))
                .isEqualTo("088202" + "1a0a" + "08011009" + "1a0107" + "20e808");
        assertThat(hex(IndexCommandCodec.encode(deliver(StepSize.UNSAID))))
                .isEqualTo("088202" + "1a07" + "08011009" + "1a0107");
        for (StepSize size : List.of(StepSize.USUAL, StepSize.UNSAID)) {
            IndexCommand.Continue work = new IndexCommand.Continue(SHARD, size);
            assertThat(IndexCommandCodec.decode(IndexCommandCodec.encode(work))).isEqualTo(work);
            assertThat(
                            ((IndexCommand.Deliver)
                                            IndexCommandCodec.decode(
                                                    IndexCommandCodec.encode(deliver(size))))
                                    .step())
                    .isEqualTo(size);
        }
    }

    private static IndexCommand.Deliver deliver(StepSize size) {
        return new IndexCommand.Deliver(
                SHARD, ShardId.metadata(1), 9, List.of(new byte[] {7}), size);
    }

    @Test
    void rowsHaveTheBytesOfVersion1() throws IOException {
        IndexFixture index = new IndexFixture();
        index.time(1_600_000_000);
        index.claim(v(1, 4), offer(16, at(5, 5)));
        index.confirm(v(1, 4));
        index.apply(new IndexCommand.Prune(IndexFixture.SHARD, 1_700_000_000, List.of(fp(16))));
        index.time(1_700_000_000);
        index.claim(v(1, 1), new ClaimItem(fp(1), LAST, 1 << 20), offer(2, at(5, 1)), known(3));
        index.claim(v(1, 2), known(2), offer(4, at(5, 2)));
        index.claim(v(1, 3), offer(5, at(5, 3)));
        index.suspect(1, LAST, true);
        index.limit(4);
        index.claim(v(1, 2), offer(6, at(5, 4)));
        index.deliver(
                new IndexMessage.Confirm(
                        v(1, 3), new Retained.AllBut(Set.of(fp(5)), ReferenceSum.ZERO)));
        index.putSettling(v(1, 9), Set.of(fp(8), fp(7)), fp(6));

        assertThat(IndexFixture.dump(index.store)).isEqualTo(golden("rows-v1.txt"));
    }

    @Test
    void entriesAtTheirLimitsSurviveTheTrip() {
        for (Entry entry :
                List.of(
                        new Entry(LAST, 1 << 20, Entry.MAX_REFERENCES, Entry.MAX_TIME, true),
                        new Entry(at(1, 0), 1, 0, 0, false))) {
            assertThat(entry.toBytes()).hasSize(Entry.BYTES);
            assertThat(Entry.read(entry.toBytes())).contains(entry);
        }
        byte[] newer = new Entry(at(1, 0), 1, 0, 0, false).toBytes();
        newer[0] = 0x20;
        assertThat(Entry.read(newer)).isEmpty();
        assertThat(Entry.read(new byte[Entry.BYTES])).isEmpty();
        assertThat(Entry.read(new byte[3])).isEmpty();
    }

    @Test
    void intentsSurviveTheTrip() {
        ShardId home = ShardId.metadata(9);
        for (Intent.Settling settling :
                new Intent.Settling[] {
                    null,
                    new Intent.Settling(new Retained.All(ReferenceSum.ZERO), null),
                    new Intent.Settling(new Retained.None(), fp(1)),
                    new Intent.Settling(
                            new Retained.AllBut(Set.of(fp(1), fp(2)), ReferenceSum.ZERO), fp(3))
                }) {
            Intent intent = new Intent(home, Entry.MAX_TIME, 65_536, settling);
            assertThat(Intent.read(intent.toBytes())).isEqualTo(intent);
        }
    }

    @Test
    void aCommandOfANewerReleaseHaltsAndAMalformedOneIsAnswered() {
        IndexFixture index = new IndexFixture();
        KvTransaction rows = new KvTransaction(index.store);
        byte[] newer = HexFormat.of().parseHex("0800a20600");
        assertThatThrownBy(() -> index.machine.apply(rows, newer))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("newer");
        byte[] claim = IndexCommandCodec.encode(COMMANDS.getFirst());
        for (byte[] broken :
                List.of(new byte[] {(byte) 0xff}, java.util.Arrays.copyOf(claim, 60))) {
            assertThat(IndexReplyCodec.decode(index.machine.apply(rows, broken)))
                    .isInstanceOfSatisfying(
                            IndexReply.Refused.class,
                            r -> assertThat(r.code()).isEqualTo(IndexReply.Refused.Code.MALFORMED));
        }
        assertThat(rows.toBatch().writes()).isEmpty();
    }

    @Test
    void aShardThatIsNotHostedIsAnswered() {
        IndexFixture index = new IndexFixture();
        assertThat(index.apply(new IndexCommand.Continue(ShardId.index(1))))
                .isInstanceOfSatisfying(
                        IndexReply.Refused.class,
                        r -> assertThat(r.code()).isEqualTo(IndexReply.Refused.Code.NOT_HOSTED));
    }

    @Test
    void stateOfANewerVersionHalts() {
        IndexFixture index = new IndexFixture();
        index.claim(v(1, 1), known(1));
        byte[] key = IndexTables.stateKey(index.prefix());
        byte[] state = index.store.get(IndexTables.STATE, key);
        state[0]++;
        index.store.write(new KvBatch().put(IndexTables.STATE, key, state));
        assertThatThrownBy(() -> index.claim(v(1, 1), known(1)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("newer release");
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    private static List<String> golden(String name) throws IOException {
        try (InputStream in = IndexFormatTest.class.getResourceAsStream("/formats/index/" + name)) {
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII).lines().toList();
        }
    }
}
