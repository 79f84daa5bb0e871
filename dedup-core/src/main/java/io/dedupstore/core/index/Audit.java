package io.dedupstore.core.index;

import io.dedupstore.core.kv.KvReader;
import io.dedupstore.core.kv.KvTransaction;
import io.dedupstore.core.model.ReferenceSum;
import io.dedupstore.core.model.ShardId;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The books of one shard, kept twice. Every reference is counted where it comes from and where it
 * is: what holders own (told by the metadata shards' streams) and what open intents hold must be
 * what entries count, those pruned and those in doubt set aside. The sums are over references, so
 * that two errors cannot cancel each other out.
 *
 * <pre>
 *   entries + pruned + settling = owned + claimed + lost
 * </pre>
 */
final class Audit {
    private static final byte VERSION = 1;
    private static final int BYTES = 1 + 6 * ReferenceSum.BYTES + 2 * 8;
    private static final int SOURCE_BYTES = 1 + ReferenceSum.BYTES;

    /** References that entries count. */
    private ReferenceSum entries = ReferenceSum.ZERO;

    /** Of entries that were pruned, not yet released. */
    private ReferenceSum pruned = ReferenceSum.ZERO;

    /** Confirmed by a verdict that is still being carried out. */
    private ReferenceSum settling = ReferenceSum.ZERO;

    /** Of holders, as the streams told. */
    private ReferenceSum owned = ReferenceSum.ZERO;

    /** Of intents that have not been settled. */
    private ReferenceSum claimed = ReferenceSum.ZERO;

    /** Given up by their owners while the entry could not be read: they never will be freed. */
    private ReferenceSum lost = ReferenceSum.ZERO;

    private long checks;
    private long failures;

    private final byte[] prefix;
    private final byte[] before;
    private final Map<ShardId, ReferenceSum> sources = new TreeMap<>();

    private Audit(byte[] prefix, byte[] before) {
        this.prefix = prefix;
        this.before = before;
    }

    static Audit load(KvReader rows, byte[] prefix) {
        byte[] row = rows.get(IndexTables.STATE, IndexTables.auditKey(prefix));
        Audit audit = new Audit(prefix, row == null ? IndexTables.NOTHING : row);
        if (row != null) {
            audit.read(row);
        }
        return audit;
    }

    private void read(byte[] row) {
        ByteBuffer in = ByteBuffer.wrap(row);
        requireVersion(in.get());
        entries = ReferenceSum.read(in);
        pruned = ReferenceSum.read(in);
        settling = ReferenceSum.read(in);
        owned = ReferenceSum.read(in);
        claimed = ReferenceSum.read(in);
        lost = ReferenceSum.read(in);
        checks = in.getLong();
        failures = in.getLong();
    }

    private static void requireVersion(byte version) {
        if (version != VERSION) {
            throw new IllegalStateException(
                    "audit row of format version " + version + ": a newer release wrote it");
        }
    }

    void save(KvTransaction rows) {
        ByteBuffer out = ByteBuffer.allocate(BYTES).put(VERSION);
        entries.write(out);
        pruned.write(out);
        settling.write(out);
        owned.write(out);
        claimed.write(out);
        lost.write(out);
        byte[] now = out.putLong(checks).putLong(failures).array();
        if (!Arrays.equals(now, before)) {
            rows.put(IndexTables.STATE, IndexTables.auditKey(prefix), now);
        }
        sources.forEach((source, sum) -> rows.put(IndexTables.STATE, sourceKey(source), row(sum)));
    }

    private static byte[] row(ReferenceSum sum) {
        ByteBuffer out = ByteBuffer.allocate(SOURCE_BYTES).put(VERSION);
        sum.write(out);
        return out.array();
    }

    private byte[] sourceKey(ShardId source) {
        return IndexTables.sourceKey(prefix, source);
    }

    // ---- rebuilding ----

    /** Nothing is held or owned any more; what was found so far stays known. */
    void wipe() {
        entries = ReferenceSum.ZERO;
        pruned = ReferenceSum.ZERO;
        settling = ReferenceSum.ZERO;
        owned = ReferenceSum.ZERO;
        claimed = ReferenceSum.ZERO;
        lost = ReferenceSum.ZERO;
    }

    /** What a source had told when the shard was rebuilt. */
    void begin(ShardId source, ReferenceSum references) {
        owned = owned.plus(references);
        sources.put(source, references);
    }

    // ---- what happens to references ----

    /** An entry counts references at its address. */
    void count(ReferenceSum references) {
        entries = entries.plus(references);
    }

    void claim(ReferenceSum reference) {
        claimed = claimed.plus(reference);
    }

    /** An intent's reference passed to its holder. */
    void keep(ReferenceSum reference) {
        claimed = claimed.minus(reference);
        settling = settling.minus(reference);
    }

    /** An intent's reference was given back. */
    void drop(ReferenceSum reference) {
        claimed = claimed.minus(reference);
    }

    void prune(ReferenceSum reference) {
        pruned = pruned.plus(reference);
    }

    void releasePruned(ReferenceSum reference) {
        pruned = pruned.minus(reference);
    }

    /** Its entry can't be read and goes on counting it. */
    void lose(ReferenceSum reference) {
        lost = lost.plus(reference);
    }

    /** A verdict told what the attempt's holder owns. */
    void own(KvReader rows, ShardId source, ReferenceSum references) {
        owned = owned.plus(references);
        settling = settling.plus(references);
        sources.put(source, ofSource(rows, source).plus(references));
    }

    void release(KvReader rows, ShardId source, ReferenceSum references) {
        owned = owned.minus(references);
        sources.put(source, ofSource(rows, source).minus(references));
    }

    /** The source tells its own sum at this point of its stream. */
    void compare(KvReader rows, ShardId source, ReferenceSum told) {
        checks++;
        failures += ofSource(rows, source).equals(told) ? 0 : 1;
    }

    private ReferenceSum ofSource(KvReader rows, ShardId source) {
        ReferenceSum known = sources.get(source);
        if (known != null) {
            return known;
        }
        byte @Nullable [] row = rows.get(IndexTables.STATE, sourceKey(source));
        if (row == null) {
            return ReferenceSum.ZERO;
        }
        ByteBuffer in = ByteBuffer.wrap(row);
        requireVersion(in.get());
        return ReferenceSum.read(in);
    }

    IndexStatistics.Audit statistics(boolean settled) {
        ReferenceSum difference =
                entries.plus(pruned).plus(settling).minus(owned).minus(claimed).minus(lost);
        boolean balanced =
                difference.equals(ReferenceSum.ZERO)
                        && (!settled || settling.equals(ReferenceSum.ZERO));
        return new IndexStatistics.Audit(balanced, checks, failures);
    }
}
