package io.dedupstore.core.index;

import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.ClaimAnswer;
import io.dedupstore.core.model.ClaimItem;
import io.dedupstore.core.model.ReferenceSum;
import io.dedupstore.core.model.V;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * CLAIM: records an answer for each (V, fingerprint) and repeats it for ever after. A refused CLAIM
 * changes nothing and, above all, frees nothing: the address it offers may be a committed one by
 * now.
 */
final class Claims {
    private final ShardTransaction shard;
    private final IndexCommand.Claim claim;
    private final List<ClaimAnswer> answers = new ArrayList<>();
    private final List<ClaimItem> inserted = new ArrayList<>();
    private int recorded;
    private int added;

    private Claims(ShardTransaction shard, IndexCommand.Claim claim) {
        this.shard = shard;
        this.claim = claim;
    }

    static IndexReply apply(ShardTransaction shard, IndexCommand.Claim claim) {
        return new Claims(shard, claim).apply();
    }

    private IndexReply apply() {
        V v = claim.v();
        if (shard.state.rebuild != ShardState.Rebuild.NONE) {
            return Rebuilding.refused();
        }
        if (v.epoch() <= shard.state.refusedEpoch) {
            return over("epoch " + v.epoch() + " is refused");
        }
        if (shard.tombstoned(v)) {
            return over("attempt " + v + " has been settled");
        }
        Optional<Intent> known = shard.intent(v);
        if (known.isPresent() && !known.get().coordinator().equals(claim.coordinator())) {
            return malformed("attempt " + v + " has coordinator " + known.get().coordinator());
        }
        List<@Nullable ClaimAnswer> before = recordedAnswers(known.isPresent());
        int fresh = (int) before.stream().filter(a -> a == null).count();
        int answersBefore = known.map(Intent::answers).orElse(0);
        if (answersBefore + fresh > Intent.MAX_ANSWERS) {
            return malformed("attempt " + v + " claims more than " + Intent.MAX_ANSWERS);
        }
        shard.state.time = Math.max(shard.state.time, claim.timeSeconds());
        answerAll(before);
        new Ghosts(shard).meet(inserted);
        writeIntent(known, answersBefore);
        return new IndexReply.Claimed(answers);
    }

    private static IndexReply over(String reason) {
        return new IndexReply.Refused(IndexReply.Refused.Code.OVER, reason);
    }

    private static IndexReply malformed(String reason) {
        return new IndexReply.Refused(IndexReply.Refused.Code.MALFORMED, reason);
    }

    private List<@Nullable ClaimAnswer> recordedAnswers(boolean intentKnown) {
        List<@Nullable ClaimAnswer> before = new ArrayList<>();
        if (!intentKnown) {
            claim.items().forEach(item -> before.add(null));
            return before;
        }
        List<byte[]> keys = claim.items().stream().map(this::answerKey).toList();
        for (byte[] row : shard.rows.multiGet(IndexTables.ANSWERS, keys)) {
            before.add(row == null ? null : Answers.readOne(row));
        }
        return before;
    }

    private byte[] answerKey(ClaimItem item) {
        return IndexTables.key(shard.prefix, claim.v(), item.fingerprint());
    }

    private void answerAll(List<@Nullable ClaimAnswer> before) {
        List<ClaimItem> items = claim.items();
        shard.entries.load(
                IntStream.range(0, items.size())
                        .filter(i -> before.get(i) == null)
                        .mapToObj(i -> items.get(i).fingerprint())
                        .toList());
        for (int i = 0; i < items.size(); i++) {
            ClaimAnswer earlier = before.get(i);
            ClaimAnswer answer = earlier != null ? earlier : answer(items.get(i));
            if (earlier == null && !(answer instanceof ClaimAnswer.Miss)) {
                shard.rows.put(
                        IndexTables.ANSWERS, answerKey(items.get(i)), Answers.toBytes(answer));
                recorded++;
                ClaimItem item = items.get(i);
                addressOf(answer)
                        .ifPresent(
                                address ->
                                        shard.audit.claim(
                                                ReferenceSum.of(item.fingerprint(), address)));
            }
            freeOffered(items.get(i), answer);
            answers.add(answer);
        }
    }

    /** The answer to an item that none has been recorded for. */
    private ClaimAnswer answer(ClaimItem item) {
        EntryRows.Slot slot = shard.entries.of(item.fingerprint());
        if (slot.unreadable()) {
            return new ClaimAnswer.Unindexed();
        }
        Entry entry = slot.entry();
        if (entry != null) {
            if (!usable(entry, item)) {
                return new ClaimAnswer.Unindexed();
            }
            slot.set(entry.claimed(shard.state.time));
            return new ClaimAnswer.Use(entry.address());
        }
        ChunkAddress offered = item.offered();
        // The limit counts what this command itself has added.
        if (shard.state.full(added)) {
            return new ClaimAnswer.Unindexed();
        }
        if (offered == null) {
            return new ClaimAnswer.Miss();
        }
        slot.set(new Entry(offered, item.length(), 1, shard.state.time, false));
        shard.storage.adopt(offered);
        added++;
        inserted.add(item);
        return new ClaimAnswer.Own(offered);
    }

    /**
     * A suspect entry counts on but is not handed out; neither is one that cannot be this chunk's.
     */
    private static boolean usable(Entry entry, ClaimItem item) {
        return !entry.suspect()
                && entry.length() == item.length()
                && entry.references() < Entry.MAX_REFERENCES;
    }

    /** Another address than the answered one will never be used. */
    private void freeOffered(ClaimItem item, ClaimAnswer answer) {
        ChunkAddress offered = item.offered();
        Optional<ChunkAddress> address = addressOf(answer);
        if (offered != null && address.isPresent() && !address.get().equals(offered)) {
            shard.storage.free(offered);
        }
    }

    static Optional<ChunkAddress> addressOf(ClaimAnswer answer) {
        return switch (answer) {
            case ClaimAnswer.Own(ChunkAddress address) -> Optional.of(address);
            case ClaimAnswer.Use(ChunkAddress address) -> Optional.of(address);
            case ClaimAnswer.Unindexed() -> Optional.empty();
            case ClaimAnswer.Miss() -> Optional.empty();
        };
    }

    private void writeIntent(Optional<Intent> known, int answersBefore) {
        if (known.isPresent() && recorded == 0) {
            return;
        }
        if (known.isEmpty()) {
            shard.state.openIntents++;
        }
        long opened = known.map(Intent::opened).orElse(shard.state.time);
        shard.putIntent(
                claim.v(), new Intent(claim.coordinator(), opened, answersBefore + recorded, null));
    }
}
