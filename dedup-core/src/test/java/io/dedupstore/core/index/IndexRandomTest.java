package io.dedupstore.core.index;

import static io.dedupstore.core.index.IndexFixture.at;
import static io.dedupstore.core.index.IndexFixture.fp;
import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.core.kv.KvStore;
import io.dedupstore.core.kv.KvTransaction;
import io.dedupstore.core.kv.MemoryKvStore;
import io.dedupstore.core.kv.RocksKvStore;
import io.dedupstore.core.kv.RocksResources;
import io.dedupstore.core.kv.StoreLimits;
import io.dedupstore.core.kv.WriteMode;
import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.ChunkReference;
import io.dedupstore.core.model.ClaimAnswer;
import io.dedupstore.core.model.ClaimItem;
import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.model.IndexMessage;
import io.dedupstore.core.model.ReferenceSum;
import io.dedupstore.core.model.Retained;
import io.dedupstore.core.model.V;
import io.dedupstore.core.state.MessageCodec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One shard under a random metadata side: attempts claim, repeat and come late; commits, aborts and
 * releases travel the stream in pieces and twice; zombies are collected at any time; epochs close.
 * After each step references are those of the attempts that hold them (I2) and nothing that anyone
 * holds was freed (I3); after quiescence nothing is left over (I5).
 */
class IndexRandomTest {
    private static final int STEPS = 2_000;
    private static final int CONTENTS = 12;

    @TempDir private Path directory;

    /** One attempt as its gateway and its metadata shard see it. */
    private static final class Attempt {
        final V v;

        /** What the index holds for it: answers with an address, while undecided or retained. */
        final Map<Long, ChunkAddress> held = new LinkedHashMap<>();

        /** Addresses its manifest owns without the index. */
        final Map<Long, ChunkAddress> unindexed = new HashMap<>();

        final Map<Long, ChunkAddress> lastOffered = new HashMap<>();
        final Set<Long> dropped = new HashSet<>();
        boolean over;
        boolean committed;

        Attempt(V v) {
            this.v = v;
        }
    }

    private final IndexFixture index = new IndexFixture();
    private final List<Attempt> attempts = new ArrayList<>();
    private final List<IndexMessage> stream = new ArrayList<>();
    private final Map<ChunkAddress, String> slots = new TreeMap<>();
    private final Set<ChunkAddress> pruned = new HashSet<>();
    private ReferenceSum owned = ReferenceSum.ZERO;
    private int delivered;
    private int epoch = 1;
    private long counter;
    private int nextSlot;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void referencesAreThoseOfTheAttemptsThatHoldThem(long seed) {
        run(seed);
    }

    private void run(long seed) {
        Random random = new Random(seed);
        for (int step = 0; step < STEPS; step++) {
            String where = "seed " + seed + " step " + step;
            act(random, where);
            drainSlots(where);
            checkHeld(where);
            if (step % 20 == 0) {
                index.checkCounters(where);
            }
        }
        quiesce("seed " + seed + " at rest");
    }

    private void act(Random random, String where) {
        switch (random.nextInt(13)) {
            case 0, 1 -> attempts.add(new Attempt(new V(epoch, 1, ++counter)));
            case 2, 3, 4, 5 -> claim(random, where);
            case 6 -> decide(random, true);
            case 7 -> decide(random, false);
            case 8 -> delete(random);
            case 9, 10 -> deliver(random);
            case 11 -> index.step();
            case 12 -> rare(random, where);
            default -> throw new AssertionError();
        }
    }

    private void rare(Random random, String where) {
        switch (random.nextInt(9)) {
            case 0 ->
                    index.apply(
                            new IndexCommand.SetEntryLimit(
                                    index.shard,
                                    random.nextBoolean()
                                            ? OptionalLong.empty()
                                            : OptionalLong.of(random.nextInt(CONTENTS))));
            case 1 -> suspect(random);
            case 2 -> index.time(random.nextInt(1_000_000));
            case 3 -> closeEpoch(where);
            case 4 -> stream.add(new IndexMessage.Audit(owned));
            case 5, 6, 7, 8 -> prune(random, where);
            default -> throw new AssertionError();
        }
    }

    private void claim(Random random, String where) {
        if (attempts.isEmpty()) {
            return;
        }
        Attempt attempt = attempts.get(random.nextInt(attempts.size()));
        Map<Long, ClaimItem> items = new LinkedHashMap<>();
        for (int i = 0; i <= random.nextInt(4); i++) {
            long content = random.nextInt(CONTENTS);
            items.computeIfAbsent(content, c -> item(attempt, c, random));
        }
        List<ClaimItem> asked = List.copyOf(items.values());
        IndexReply reply = index.tryClaim(attempt.v, asked.toArray(ClaimItem[]::new));
        if (reply instanceof IndexReply.Claimed(List<ClaimAnswer> answers)) {
            assertThat(attempt.over && appliedVerdict(attempt)).as(where).isFalse();
            for (int i = 0; i < asked.size(); i++) {
                note(where, attempt, asked.get(i), answers.get(i));
            }
        }
    }

    private ClaimItem item(Attempt attempt, long content, Random random) {
        ChunkAddress offered = null;
        if (random.nextInt(3) > 0) {
            ChunkAddress earlier = attempt.lastOffered.get(content);
            if (earlier != null && random.nextBoolean()) {
                offered = earlier;
            } else {
                offered = at(1 + nextSlot % 3, nextSlot / 3);
                nextSlot++;
                attempt.lastOffered.put(content, offered);
            }
        }
        return new ClaimItem(fp(content), offered, IndexFixture.LENGTH);
    }

    /**
     * An answer that came before is repeated; a manifest can still take in what comes before
     * COMMIT.
     */
    private void note(String where, Attempt attempt, ClaimItem item, ClaimAnswer answer) {
        long content = item.fingerprint().w0();
        switch (answer) {
            case ClaimAnswer.Own(ChunkAddress address) -> hold(where, attempt, content, address);
            case ClaimAnswer.Use(ChunkAddress address) -> hold(where, attempt, content, address);
            case ClaimAnswer.Unindexed() -> {
                assertThat(attempt.held).as(where).doesNotContainKey(content);
                ChunkAddress own = attempt.lastOffered.get(content);
                if (own != null && !attempt.over) {
                    attempt.unindexed.put(content, own);
                }
            }
            case ClaimAnswer.Miss() ->
                    assertThat(attempt.held).as(where).doesNotContainKey(content);
        }
    }

    private void hold(String where, Attempt attempt, long content, ChunkAddress address) {
        assertThat(attempt.unindexed).as(where).doesNotContainKey(content);
        ChunkAddress before = attempt.held.put(content, address);
        if (before != null) {
            assertThat(address).as(where).isEqualTo(before);
        } else if (attempt.over) {
            // Decided without this answer: the verdict that is on its way does not retain it.
            attempt.dropped.add(content);
        }
    }

    private void decide(Random random, boolean commit) {
        List<Attempt> open =
                attempts.stream().filter(a -> !a.over && a.v.epoch() <= epoch).toList();
        if (open.isEmpty()) {
            return;
        }
        Attempt attempt = open.get(random.nextInt(open.size()));
        attempt.over = true;
        if (!commit) {
            attempt.dropped.addAll(attempt.held.keySet());
            attempt.unindexed.clear();
            stream.add(new IndexMessage.Abort(attempt.v));
            return;
        }
        attempt.committed = true;
        for (long content : attempt.held.keySet()) {
            if (random.nextInt(4) == 0) {
                attempt.dropped.add(content);
            }
        }
        // What a late claim is answered after this point is not in the manifest: name all contents
        // that are not retained, as a metadata shard does that knows only its manifest.
        Set<Fingerprint> notRetained = new HashSet<>();
        for (long content = 0; content < CONTENTS; content++) {
            if (!attempt.held.containsKey(content) || attempt.dropped.contains(content)) {
                notRetained.add(fp(content));
            }
        }
        ReferenceSum sum =
                retained(attempt).stream()
                        .map(ReferenceSum::of)
                        .reduce(ReferenceSum.ZERO, ReferenceSum::plus);
        owned = owned.plus(sum);
        boolean none = notRetained.size() == CONTENTS;
        stream.add(
                new IndexMessage.Confirm(
                        attempt.v,
                        none ? new Retained.None() : new Retained.AllBut(notRetained, sum)));
    }

    private void delete(Random random) {
        List<Attempt> live = attempts.stream().filter(a -> a.committed).toList();
        if (live.isEmpty()) {
            return;
        }
        Attempt attempt = live.get(random.nextInt(live.size()));
        attempt.committed = false;
        attempt.unindexed.clear();
        List<ChunkReference> references = retained(attempt);
        if (!references.isEmpty()) {
            references.forEach(one -> owned = owned.minus(ReferenceSum.of(one)));
            stream.add(new IndexMessage.Release(attempt.v, references));
        }
    }

    private static List<ChunkReference> retained(Attempt attempt) {
        List<ChunkReference> references = new ArrayList<>();
        attempt.held.forEach(
                (content, address) -> {
                    if (!attempt.dropped.contains(content)) {
                        references.add(new ChunkReference(fp(content), address));
                    }
                });
        return references;
    }

    private void prune(Random random, String where) {
        long content = random.nextInt(CONTENTS);
        Entry before = index.entry(content);
        index.apply(
                new IndexCommand.Prune(
                        index.shard, random.nextInt(1_000_000), List.of(fp(content))));
        if (before != null && index.entry(content) == null) {
            for (Attempt attempt : attempts) {
                assertThat(
                                attempt.held.containsKey(content)
                                        && attempt.held.get(content).equals(before.address())
                                        && !appliedVerdict(attempt))
                        .as(where + ": pruned what an open intent holds")
                        .isFalse();
            }
            pruned.add(before.address());
        }
    }

    private void deliver(Random random) {
        int from = random.nextInt(delivered + 1);
        int to = Math.min(stream.size(), delivered + random.nextInt(4));
        if (from >= to) {
            return;
        }
        List<byte[]> messages =
                stream.subList(from, to).stream().map(MessageCodec::encode).toList();
        IndexReply reply =
                index.apply(
                        new IndexCommand.Deliver(
                                index.shard, IndexFixture.HOME, from + 1, messages));
        delivered = Math.max(delivered, to);
        assertThat(reply).isEqualTo(new IndexReply.Delivered(delivered));
    }

    private boolean appliedVerdict(Attempt attempt) {
        return stream.subList(0, delivered).stream().anyMatch(m -> decides(m, attempt.v));
    }

    private static boolean decides(IndexMessage message, V v) {
        return switch (message) {
            case IndexMessage.Confirm(V of, Retained retained) -> of.equals(v);
            case IndexMessage.Abort(V of) -> of.equals(v);
            case IndexMessage.Release release -> false;
            case IndexMessage.Audit audit -> false;
        };
    }

    private void suspect(Random random) {
        long content = random.nextInt(CONTENTS);
        Entry entry = index.entry(content);
        if (entry != null) {
            index.suspect(content, entry.address(), random.nextBoolean());
        }
    }

    private void closeEpoch(String where) {
        int closing = epoch;
        epoch++;
        index.apply(new IndexCommand.RefuseEpoch(index.shard, closing));
        for (Attempt attempt : attempts) {
            if (!attempt.over) {
                attempt.over = true;
                attempt.dropped.addAll(attempt.held.keySet());
                attempt.unindexed.clear();
                stream.add(new IndexMessage.Abort(attempt.v));
            }
        }
        deliverAll();
        assertThat(index.apply(new IndexCommand.ForgetEpoch(index.shard, closing)))
                .as(where)
                .isEqualTo(new IndexReply.Done());
    }

    private void deliverAll() {
        while (delivered < stream.size()) {
            byte[] next = MessageCodec.encode(stream.get(delivered));
            index.apply(
                    new IndexCommand.Deliver(
                            index.shard, IndexFixture.HOME, delivered + 1, List.of(next)));
            delivered++;
        }
    }

    private static final Pattern SENT = Pattern.compile("(\\d+) (ADOPT|FREE|CLOSED) \\[(.*)]");

    private void drainSlots(String where) {
        for (String line : index.sent()) {
            Matcher matcher = SENT.matcher(line);
            assertThat(matcher.matches()).isTrue();
            for (String slot : matcher.group(3).split(", ")) {
                ChunkAddress address = at(Long.parseLong(matcher.group(1)), Integer.parseInt(slot));
                slots.put(address, matcher.group(2));
                if (matcher.group(2).equals("FREE")) {
                    assertThat(owners(address)).as(where + ": FREE " + address).isEmpty();
                }
            }
        }
    }

    /** Attempts that hold an address now, as far as the index has been told. */
    private List<V> owners(ChunkAddress address) {
        List<V> owners = new ArrayList<>();
        for (Attempt attempt : attempts) {
            if (attempt.unindexed.containsValue(address)) {
                owners.add(attempt.v);
            }
            attempt.held.forEach(
                    (content, held) -> {
                        if (held.equals(address) && counts(attempt, content)) {
                            owners.add(attempt.v);
                        }
                    });
        }
        return owners;
    }

    private boolean counts(Attempt attempt, long content) {
        if (!appliedVerdict(attempt)) {
            return true;
        }
        return !attempt.dropped.contains(content)
                && stream.subList(0, delivered).stream()
                        .noneMatch(
                                m ->
                                        m instanceof IndexMessage.Release release
                                                && release.holder().equals(attempt.v));
    }

    private void checkHeld(String where) {
        Map<Long, Long> expected = new HashMap<>();
        for (Attempt attempt : attempts) {
            attempt.held.forEach(
                    (content, address) -> {
                        if (counts(attempt, content) && !pruned.contains(address)) {
                            expected.merge(content, 1L, Long::sum);
                            assertThat(index.entry(content)).as(where).isNotNull();
                            assertThat(index.entry(content).address()).as(where).isEqualTo(address);
                        }
                    });
        }
        for (long content = 0; content < CONTENTS; content++) {
            long references = Math.max(0, index.references(content));
            assertThat(references)
                    .as(where + ": references of " + content)
                    .isEqualTo(expected.getOrDefault(content, 0L));
        }
    }

    private void quiesce(String where) {
        stream.add(new IndexMessage.Audit(owned));
        closeEpoch(where);
        index.work();
        assertThat(index.statistics().audit().checks()).as(where).isPositive();
        drainSlots(where);
        checkHeld(where);
        index.checkCounters(where);
        assertThat(index.rows(IndexTables.INTENTS)).as(where).isZero();
        assertThat(index.rows(IndexTables.ANSWERS)).as(where).isZero();
        assertThat(index.rows(IndexTables.TOMBSTONES)).as(where).isZero();
        assertThat(index.rows(IndexTables.ZOMBIES)).as(where).isZero();
        Set<ChunkAddress> adopted = new HashSet<>();
        slots.forEach(
                (address, last) -> {
                    if (last.equals("ADOPT")) {
                        adopted.add(address);
                    }
                });
        Set<ChunkAddress> entries = new HashSet<>();
        for (ChunkAddress address : pruned) {
            if (!owners(address).isEmpty()) {
                entries.add(address);
            }
        }
        for (long content = 0; content < CONTENTS; content++) {
            Entry entry = index.entry(content);
            if (entry != null) {
                entries.add(entry.address());
            }
        }
        assertThat(adopted).as(where).isEqualTo(entries);
    }

    @Test
    void theSameCommandsGiveTheSameRowsAndRepliesOnEveryStore() {
        run(99);
        List<String> rows = IndexFixture.dump(index.store);
        KvStore memory = new MemoryKvStore(IndexTables.ALL);
        try (RocksResources resources = new RocksResources(new StoreLimits(16 << 20, 8 << 20, 1));
                KvStore rocks =
                        RocksKvStore.open(
                                directory, IndexTables.ALL, resources, WriteMode.UNLOGGED)) {
            IndexStateMachine machine = new IndexStateMachine(List.of(IndexFixture.SHARD));
            int applied = 0;
            for (byte[] command : index.log) {
                assertThat(apply(machine, rocks, command))
                        .isEqualTo(apply(machine, memory, command));
                if (++applied % 1_000 == 0) {
                    rocks.flush();
                }
            }
            assertThat(IndexFixture.dump(memory)).isEqualTo(rows);
            assertThat(IndexFixture.dump(rocks)).isEqualTo(rows);
        }
    }

    private static byte[] apply(IndexStateMachine machine, KvStore store, byte[] command) {
        KvTransaction rows = new KvTransaction(store);
        byte[] reply = machine.apply(rows, command);
        store.write(rows.toBatch());
        return reply;
    }
}
