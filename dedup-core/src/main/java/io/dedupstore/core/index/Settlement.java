package io.dedupstore.core.index;

import io.dedupstore.core.kv.KvCursor;
import io.dedupstore.core.model.Bytes;
import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.ChunkReference;
import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.model.IndexMessage;
import io.dedupstore.core.model.ReferenceSum;
import io.dedupstore.core.model.Retained;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.V;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What the ordered streams bring: CONFIRM, ABORT and RELEASE. A verdict makes its attempt a
 * tombstone at once; carrying it out takes as many steps as it needs. References that a verdict
 * drops and those that a holder gives up are bound to an address: an entry at another one is never
 * touched.
 */
final class Settlement {
    private final ShardTransaction shard;
    private final StepSize size;

    Settlement(ShardTransaction shard, StepSize size) {
        this.shard = shard;
        this.size = size;
    }

    /** Rows that applying {@code message} may touch, at most. */
    int cost(IndexMessage message) {
        return switch (message) {
            case IndexMessage.Confirm(V v, Retained retained) -> verdictCost(v, retained);
            case IndexMessage.Abort(V v) -> verdictCost(v, new Retained.None());
            case IndexMessage.Audit(ReferenceSum sum) -> 2;
            case IndexMessage.Release(V holder, List<ChunkReference> references) ->
                    3 * references.size();
        };
    }

    private int verdictCost(V v, Retained retained) {
        int answers = shard.intent(v).map(Intent::answers).orElse(0);
        int rowsEach = retained instanceof Retained.All ? 1 : 4;
        return 4 + rowsEach * Math.min(answers, stepAnswers(retained));
    }

    private int stepAnswers(Retained retained) {
        return switch (retained) {
            case Retained.All(ReferenceSum sum) -> size.keptAnswers();
            case Retained.AllBut(Set<Fingerprint> dropped, ReferenceSum sum) -> size.answers();
            case Retained.None() -> size.answers();
        };
    }

    void apply(ShardId source, IndexMessage message) {
        switch (message) {
            case IndexMessage.Confirm(V v, Retained retained) -> {
                shard.audit.own(shard.rows, source, retained.sum());
                verdict(v, retained);
            }
            case IndexMessage.Audit(ReferenceSum sum) ->
                    shard.audit.compare(shard.rows, source, sum);
            case IndexMessage.Abort(V v) -> verdict(v, new Retained.None());
            case IndexMessage.Release(V holder, List<ChunkReference> references) ->
                    release(source, references);
        }
    }

    private void verdict(V v, Retained retained) {
        if (v.epoch() > shard.state.forgottenEpoch) {
            shard.rows.put(
                    IndexTables.TOMBSTONES, IndexTables.key(shard.prefix, v), IndexTables.NOTHING);
        }
        Optional<Intent> known = shard.intent(v);
        if (known.isEmpty() || !known.get().open()) {
            return;
        }
        shard.state.openIntents--;
        Intent intent = known.get();
        Intent settling =
                new Intent(
                        intent.coordinator(),
                        intent.opened(),
                        intent.answers(),
                        new Intent.Settling(retained, null));
        // A step that is full cannot know that it was the last.
        if (intent.answers() < stepAnswers(retained)) {
            step(v, settling);
        } else {
            shard.putIntent(v, settling);
            shard.rows.put(
                    IndexTables.SETTLING, IndexTables.key(shard.prefix, v), IndexTables.NOTHING);
            shard.state.settlingIntents++;
        }
    }

    /** Goes on with the first intent that is being settled; false when there is none. */
    boolean resume() {
        Optional<V> first = firstSettling();
        if (first.isEmpty()) {
            shard.state.settlingIntents = 0;
            return false;
        }
        V v = first.get();
        Optional<Intent> intent = shard.intent(v);
        if (intent.isEmpty() || intent.get().open()) {
            throw new IllegalStateException("attempt " + v + " is queued but not being settled");
        }
        if (step(v, intent.get())) {
            shard.rows.delete(IndexTables.SETTLING, IndexTables.key(shard.prefix, v));
            shard.state.settlingIntents--;
        }
        return true;
    }

    /**
     * Queues decided intents of epochs up to this one that nobody would go on with: earlier
     * releases left those with as many answers as one step takes.
     */
    void takeUpForgotten(int epoch) {
        int seen = 0;
        try (KvCursor cursor =
                shard.rows.scan(
                        IndexTables.INTENTS, shard.prefix, Bytes.successorOfPrefix(shard.prefix))) {
            while (seen < size.answers() && cursor.next()) {
                V v = IndexTables.vOf(cursor.key());
                if (v.epoch() > epoch) {
                    return;
                }
                seen++;
                byte[] queued = IndexTables.key(shard.prefix, v);
                if (!Intent.read(cursor.value()).open()
                        && shard.rows.get(IndexTables.SETTLING, queued) == null) {
                    shard.rows.put(IndexTables.SETTLING, queued, IndexTables.NOTHING);
                    shard.state.settlingIntents++;
                }
            }
        }
    }

    private Optional<V> firstSettling() {
        try (KvCursor cursor =
                shard.rows.scan(
                        IndexTables.SETTLING,
                        shard.prefix,
                        Bytes.successorOfPrefix(shard.prefix))) {
            return cursor.next() ? Optional.of(IndexTables.vOf(cursor.key())) : Optional.empty();
        }
    }

    /** One answer of an intent. */
    private record Answer(byte[] key, Fingerprint fingerprint, Optional<ChunkAddress> address) {}

    /** Works off answers; true when none is left and the intent is gone. */
    private boolean step(V v, Intent intent) {
        Intent.Settling settling = intent.settling();
        if (settling == null) {
            throw new IllegalStateException("attempt " + v + " is open");
        }
        List<Answer> answers = nextAnswers(v, settling);
        List<ChunkReference> dropped = new ArrayList<>();
        for (Answer answer : answers) {
            shard.rows.delete(IndexTables.ANSWERS, answer.key());
            if (answer.address().isPresent()) {
                ChunkReference reference =
                        new ChunkReference(answer.fingerprint(), answer.address().get());
                if (settling.retained().keeps(answer.fingerprint())) {
                    shard.audit.keep(ReferenceSum.of(reference));
                } else {
                    dropped.add(reference);
                }
            }
        }
        drop(dropped);
        if (answers.size() < stepAnswers(settling.retained())) {
            shard.removeIntent(v);
            return true;
        }
        Fingerprint last = answers.getLast().fingerprint();
        shard.putIntent(
                v,
                new Intent(
                        intent.coordinator(),
                        intent.opened(),
                        intent.answers() - answers.size(),
                        new Intent.Settling(settling.retained(), last)));
        return false;
    }

    private List<Answer> nextAnswers(V v, Intent.Settling settling) {
        byte[] all = IndexTables.key(shard.prefix, v);
        Fingerprint after = settling.after();
        byte[] from =
                after == null ? all : Bytes.successor(IndexTables.key(shard.prefix, v, after));
        int most = stepAnswers(settling.retained());
        List<Answer> answers = new ArrayList<>();
        try (KvCursor cursor =
                shard.rows.scan(IndexTables.ANSWERS, from, Bytes.successorOfPrefix(all))) {
            while (answers.size() < most && cursor.next()) {
                byte[] key = cursor.key();
                answers.add(
                        new Answer(
                                key,
                                IndexTables.fingerprintOf(key),
                                Claims.addressOf(Answers.readOne(cursor.value()))));
            }
        }
        return answers;
    }

    private void drop(List<ChunkReference> references) {
        load(references);
        for (ChunkReference reference : references) {
            EntryRows.Slot slot = shard.entries.of(reference.fingerprint());
            Entry entry = slot.entry();
            shard.audit.drop(ReferenceSum.of(reference));
            // An intent's entry is neither pruned nor condemned, so it is there; if not, a slot is
            // lost.
            if (entry == null || !entry.address().equals(reference.address())) {
                missing(slot, reference);
            } else {
                decrement(slot, entry);
            }
        }
    }

    /** What counted the reference of an unsettled attempt is not there, or not readable. */
    private void missing(EntryRows.Slot slot, ChunkReference reference) {
        if (slot.unreadable()) {
            shard.audit.lose(ReferenceSum.of(reference));
        } else {
            shard.state.anomalies++;
        }
    }

    private void release(ShardId source, List<ChunkReference> references) {
        load(references);
        for (ChunkReference reference : references) {
            EntryRows.Slot slot = shard.entries.of(reference.fingerprint());
            Entry entry = slot.entry();
            ReferenceSum sum = ReferenceSum.of(reference);
            shard.audit.release(shard.rows, source, sum);
            if (slot.unreadable()) {
                shard.audit.lose(sum);
            } else if (entry != null && entry.address().equals(reference.address())) {
                decrement(slot, entry);
            } else {
                releasePruned(sum);
                shard.storage.free(reference.address());
            }
        }
    }

    /** The owner's reference was the only one when the entry was pruned. */
    private void releasePruned(ReferenceSum reference) {
        shard.audit.releasePruned(reference);
        if (shard.state.pruned == 0) {
            shard.state.anomalies++;
        } else {
            shard.state.prunedBytes -= shard.state.prunedBytes / shard.state.pruned;
            shard.state.pruned--;
        }
    }

    private void load(List<ChunkReference> references) {
        shard.entries.load(references.stream().map(ChunkReference::fingerprint).toList());
    }

    private void decrement(EntryRows.Slot slot, Entry entry) {
        if (entry.zombie()) {
            shard.state.anomalies++;
        } else {
            slot.set(entry.released());
        }
    }
}
