package io.dedupstore.core.metadata;

import io.dedupstore.core.model.BucketId;
import io.dedupstore.core.model.ManifestEntry;
import io.dedupstore.core.model.V;
import java.util.List;

/**
 * What one shard has left to do in steps, each a command of its own: adopt the chunks of manifests
 * sent ahead, drop invisible holders of refused epochs, work the garbage queue off, remove what
 * belongs to forgotten epochs, and forget old completions. Adoption comes first: a holder's chunks
 * are adopted before they can be freed.
 */
final class BackgroundWork {
    /** Completed uploads are remembered for a day of the shard's clock. */
    static final long COMPLETION_MICROS = 24L * 3600 * 1_000_000;

    private static final int STEP_ROWS = 500;

    private final ShardEntry entry;
    private final RowWriter rows;
    private final WorkSize size;
    private final int writesAtStart;
    private long bytes;

    BackgroundWork(ShardEntry entry, WorkSize size) {
        this.entry = entry;
        this.size = size;
        this.rows = entry.rows();
        this.writesAtStart = rows.transaction().writeCount();
    }

    static boolean isPending(MetadataProto.ShardRowOrBuilder shard) {
        return shard.getInstalls() > 0
                || shard.getDroppedEpoch() < shard.getRefusedEpoch()
                || shard.getGarbageHead() < shard.getGarbageTail()
                || shard.getCleanedEpoch() < shard.getForgottenEpoch()
                || hasOldCompletions(shard);
    }

    private static boolean hasOldCompletions(MetadataProto.ShardRowOrBuilder shard) {
        long oldest = shard.getOldestCompletionMicros();
        return oldest > 0 && oldest + COMPLETION_MICROS <= shard.getLastMicros();
    }

    void step() {
        MetadataProto.ShardRow.Builder shard = entry.shard();
        while (hasBudget() && isPending(shard)) {
            if (shard.getInstalls() > 0) {
                installStep();
            } else if (shard.getDroppedEpoch() < shard.getRefusedEpoch()) {
                dropInvisible();
            } else if (shard.getGarbageHead() < shard.getGarbageTail()) {
                new Garbage(entry, this).step();
            } else if (shard.getCleanedEpoch() < shard.getForgottenEpoch()) {
                clean();
            } else {
                forgetCompletions();
            }
        }
    }

    boolean hasBudget() {
        return rows.transaction().writeCount() - writesAtStart < size.writes()
                && bytes < size.bytes();
    }

    WorkSize size() {
        return size;
    }

    /** Notes that a step has gone over this much. */
    void spend(long more) {
        bytes += more;
    }

    private void installStep() {
        Scans.Row first = first(RowKeys.Kind.INSTALL, 1).getFirst();
        V v = RowKeys.vOf(first.key());
        MetadataProto.InstallRow cursor =
                RowReader.parse(RowKeys.ROWS, MetadataProto.InstallRow.parser(), first.value());
        int row = cursor.getNextRow();
        Holders holders = new Holders(entry);
        BucketId bucket = holders.bucketOf(v);
        while (row < cursor.getRows() && hasBudget()) {
            holders.count(v, bucket, manifest(v, row));
            row++;
        }
        if (row < cursor.getRows()) {
            rows.put(first.key(), cursor.toBuilder().setNextRow(row).build());
        } else {
            rows.delete(first.key());
            entry.shard().setInstalls(entry.shard().getInstalls() - 1);
        }
    }

    /** A manifest row that must be there. */
    List<ManifestEntry> manifest(V v, int row) {
        List<ManifestEntry> entries = rows.manifest(v, row);
        if (entries == null) {
            throw new IllegalStateException("row " + row + " of manifest " + v + " is missing");
        }
        spend(entries.size() * 65L);
        return entries;
    }

    /** What unfinished writes have committed: a few holders each. */
    private void dropInvisible() {
        int refused = entry.shard().getRefusedEpoch();
        Holders holders = new Holders(entry);
        for (Scans.Row row : first(RowKeys.Kind.INVISIBLE, size.invisibleTogether())) {
            if (Epochs.epochOf(row) > refused) {
                entry.shard().setDroppedEpoch(refused);
                return;
            }
            rows.delete(row.key());
            RowReader.invisible(RowKeys.vOf(row.key()), row.value()).forEach(holders::unuse);
        }
        if (first(RowKeys.Kind.INVISIBLE, 1).isEmpty()) {
            entry.shard().setDroppedEpoch(refused);
        }
    }

    /** Removes fates, and manifests that were sent ahead in vain. */
    private void clean() {
        int forgotten = entry.shard().getForgottenEpoch();
        boolean done = true;
        for (Scans.Row row : first(RowKeys.Kind.EARLY, STEP_ROWS / 2)) {
            if (Epochs.epochOf(row) <= forgotten) {
                rows.delete(row.key());
                entry.discard(
                        MetadataProto.GarbageRow.newBuilder()
                                .setEarlyRows(Wire.bytes(RowKeys.vOf(row.key())))
                                .build());
                done = false;
            }
        }
        for (Scans.Row row : first(RowKeys.Kind.FATE, STEP_ROWS)) {
            if (Epochs.epochOf(row) <= forgotten) {
                rows.delete(row.key());
                done = false;
            }
        }
        if (done) {
            entry.shard().setCleanedEpoch(forgotten);
        }
    }

    private void forgetCompletions() {
        long until = entry.nowMicros() - COMPLETION_MICROS;
        List<Scans.Row> oldest = first(RowKeys.Kind.COMPLETED_BY_TIME, STEP_ROWS);
        for (Scans.Row row : oldest) {
            long micros = RowKeys.microsOf(row.key());
            if (micros > until) {
                entry.shard().setOldestCompletionMicros(micros);
                return;
            }
            rows.delete(row.key());
            rows.delete(rows.keys.of(RowKeys.Kind.COMPLETED, RowKeys.uploadOf(row.key())));
        }
        List<Scans.Row> next = first(RowKeys.Kind.COMPLETED_BY_TIME, 1);
        entry.shard()
                .setOldestCompletionMicros(
                        next.isEmpty() ? 0 : RowKeys.microsOf(next.getFirst().key()));
    }

    private List<Scans.Row> first(RowKeys.Kind kind, int limit) {
        return Scans.first(rows.rows(), RowKeys.ROWS, rows.keys.all(kind), limit);
    }
}
