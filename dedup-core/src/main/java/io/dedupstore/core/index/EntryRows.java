package io.dedupstore.core.index;

import io.dedupstore.core.kv.KvException;
import io.dedupstore.core.kv.KvReader;
import io.dedupstore.core.kv.KvTransaction;
import io.dedupstore.core.kv.Table;
import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.model.ReferenceSum;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Entries that one command works on. They are read in batches, changed in memory, and {@link #save}
 * derives everything else from the difference: which table an entry is in, the queue of zombies,
 * histogram and counters. An entry is in DUPLICATE if and only if it has two or more references, so
 * it moves back at its last but one.
 */
final class EntryRows {
    private final KvTransaction rows;
    private final byte[] prefix;
    private final ShardState state;
    private final Audit audit;
    private final HistogramRows histogram;
    private final Map<Fingerprint, Slot> slots = new LinkedHashMap<>();

    /** The place of one fingerprint: its entry as stored and as it is to be. */
    static final class Slot {
        private final @Nullable Entry stored;
        private final boolean unreadable;
        private @Nullable Entry entry;

        private Slot(@Nullable Entry stored, boolean unreadable) {
            this.stored = stored;
            this.unreadable = unreadable;
            this.entry = stored;
        }

        @Nullable Entry entry() {
            return entry;
        }

        /**
         * There is a value that means nothing, or may be one that cannot be read: nothing may be
         * concluded, changed or freed.
         */
        boolean unreadable() {
            return unreadable;
        }

        void set(@Nullable Entry now) {
            if (unreadable) {
                throw new IllegalStateException("an unreadable entry is never changed");
            }
            entry = now;
        }
    }

    EntryRows(KvTransaction rows, byte[] prefix, ShardState state, Audit audit) {
        this.rows = rows;
        this.prefix = prefix;
        this.state = state;
        this.audit = audit;
        this.histogram = new HistogramRows(prefix);
    }

    /** Reads those not yet known here, each table with one call. */
    void load(Collection<Fingerprint> fingerprints) {
        List<Fingerprint> wanted =
                fingerprints.stream().distinct().filter(f -> !slots.containsKey(f)).toList();
        List<byte @Nullable []> values = values(rows, prefix, wanted);
        for (int i = 0; i < wanted.size(); i++) {
            byte[] value = values.get(i);
            Optional<Entry> entry = value == null ? Optional.empty() : Entry.read(value);
            boolean unreadable = value != null && entry.isEmpty();
            if (unreadable) {
                state.unreadable++;
            }
            slots.put(wanted.get(i), new Slot(entry.orElse(null), unreadable));
        }
    }

    /**
     * Values from UNIQUE, and for what is not there from DUPLICATE. A row that the store cannot
     * read comes as a value that means nothing.
     */
    static List<byte @Nullable []> values(
            KvReader rows, byte[] prefix, List<Fingerprint> fingerprints) {
        List<byte[]> keys = fingerprints.stream().map(f -> IndexTables.key(prefix, f)).toList();
        List<byte @Nullable []> values = new ArrayList<>(readable(rows, IndexTables.UNIQUE, keys));
        List<Integer> missing = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            if (values.get(i) == null) {
                missing.add(i);
            }
        }
        List<byte @Nullable []> others =
                readable(rows, IndexTables.DUPLICATE, missing.stream().map(keys::get).toList());
        for (int i = 0; i < others.size(); i++) {
            values.set(missing.get(i), others.get(i));
        }
        return values;
    }

    private static List<byte @Nullable []> readable(KvReader rows, Table table, List<byte[]> keys) {
        try {
            return rows.multiGet(table, keys);
        } catch (KvException e) {
            e.requireDamage();
            List<byte @Nullable []> values = new ArrayList<>(keys.size());
            keys.forEach(key -> values.add(readable(rows, table, key)));
            return values;
        }
    }

    private static byte @Nullable [] readable(KvReader rows, Table table, byte[] key) {
        try {
            return rows.get(table, key);
        } catch (KvException e) {
            e.requireDamage();
            return IndexTables.NOTHING;
        }
    }

    Slot of(Fingerprint fingerprint) {
        return Objects.requireNonNull(slots.get(fingerprint), "entry was not loaded");
    }

    void save() {
        slots.forEach(this::save);
        histogram.save(rows);
    }

    private void save(Fingerprint fingerprint, Slot slot) {
        Entry before = slot.stored;
        Entry after = slot.entry;
        if (Objects.equals(before, after)) {
            return;
        }
        byte[] key = IndexTables.key(prefix, fingerprint);
        if (before != null) {
            count(fingerprint, before, -1);
            if (after == null || before.duplicate() != after.duplicate()) {
                rows.delete(table(before), key);
            }
        }
        if (after != null) {
            count(fingerprint, after, 1);
            rows.put(table(after), key, after.toBytes());
        }
        boolean wasZombie = before != null && before.zombie();
        boolean isZombie = after != null && after.zombie();
        if (isZombie && !wasZombie) {
            rows.put(IndexTables.ZOMBIES, key, IndexTables.NOTHING);
        } else if (wasZombie && !isZombie) {
            rows.delete(IndexTables.ZOMBIES, key);
        }
    }

    private void count(Fingerprint fingerprint, Entry entry, int sign) {
        state.entries += sign;
        audit.count(ReferenceSum.of(fingerprint, entry.address()).times(sign * entry.references()));
        if (entry.zombie()) {
            state.zombies += sign;
            state.zombieBytes += (long) sign * entry.length();
        } else {
            histogram.count(entry, sign);
        }
    }

    private static Table table(Entry entry) {
        return entry.duplicate() ? IndexTables.DUPLICATE : IndexTables.UNIQUE;
    }
}
