package io.dedupstore.core.metadata;

import com.google.protobuf.ByteString;
import io.dedupstore.core.kv.KvCursor;
import io.dedupstore.core.metadata.MetadataProto.GarbageRow;
import io.dedupstore.core.metadata.MetadataProto.Walk;
import io.dedupstore.core.model.BucketId;
import io.dedupstore.core.model.Bytes;
import io.dedupstore.core.model.ChunkReference;
import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.model.V;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The garbage queue: items in order of the entries that queued them. An item that is too large for
 * one step keeps its place, with a cursor in its row.
 *
 * <p>A holder may refer to one chunk in several rows of its manifest, and has one reference to it;
 * exactly one RELEASE must go out. While a manifest of more than one row is walked, the first 64
 * bits of the fingerprints of every row passed are kept beside it (RELEASED rows). Two fingerprints
 * of one holder that share them would leak one reference, once in 2^33 full holders, and harm
 * nothing.
 */
final class Garbage {
    private static final int PART_STEP = 128;
    private static final int UPLOAD_STEP = 100;
    static final byte RELEASED_FORMAT = 1;

    private final ShardEntry entry;
    private final RowWriter rows;
    private final Bodies bodies;
    private final BackgroundWork work;

    Garbage(ShardEntry entry, BackgroundWork work) {
        this.entry = entry;
        this.rows = entry.rows();
        this.bodies = new Bodies(entry);
        this.work = work;
    }

    /** Works on the item at the head. */
    void step() {
        long number = entry.shard().getGarbageHead();
        byte[] key = rows.keys.garbage(number);
        GarbageRow item = rows.get(RowKeys.ROWS, key, GarbageRow.parser());
        if (item == null) {
            throw new IllegalStateException("garbage item " + number + " is missing");
        }
        Optional<GarbageRow> rest = step(item);
        if (rest.isPresent()) {
            rows.put(key, rest.get());
        } else {
            rows.delete(key);
            entry.shard().setGarbageHead(number + 1);
        }
    }

    /** What is left of the item. */
    private Optional<GarbageRow> step(GarbageRow item) {
        return switch (item.getWhatCase()) {
            case USES -> {
                Holders holders = new Holders(entry);
                item.getUses().getHoldersList().forEach(v -> holders.unuse(Wire.v(v)));
                yield Optional.empty();
            }
            case LAYOUT_USE -> {
                unuseLayout(Wire.v(item.getLayoutUse()));
                yield Optional.empty();
            }
            case HOLDER ->
                    releaseHolder(item.getHolder())
                            .map(walk -> item.toBuilder().setHolder(walk).build());
            case PIECES ->
                    dropPages(item.getPieces())
                            .map(walk -> item.toBuilder().setPieces(walk).build());
            case PARTS ->
                    dropParts(item.getParts()).map(walk -> item.toBuilder().setParts(walk).build());
            case UNUSED_PARTS ->
                    dropUnusedParts(item.getUnusedParts())
                            .map(walk -> item.toBuilder().setUnusedParts(walk).build());
            case EARLY_ROWS -> {
                deleteManifest(Wire.v(item.getEarlyRows()));
                yield Optional.empty();
            }
            case BUCKET_UPLOADS ->
                    giveUpUploads(new BucketId(item.getBucketUploads()))
                            ? Optional.empty()
                            : Optional.of(item);
            case WHAT_NOT_SET -> throw new IllegalStateException("garbage of an unknown kind");
        };
    }

    // ---- layouts ----

    private void unuseLayout(V v) {
        byte[] key = rows.keys.of(RowKeys.Kind.LAYOUT, v);
        MetadataProto.LayoutRow layout = rows.layout(v);
        if (layout == null || layout.getUses() == 0) {
            throw new IllegalStateException("layout " + v + " lost a use that it did not have");
        }
        int uses = layout.getUses() - 1;
        if (uses > 0) {
            rows.put(key, layout.toBuilder().setUses(uses).build());
            return;
        }
        rows.delete(key);
        Walk walk = Walk.newBuilder().setV(Wire.bytes(v)).build();
        GarbageRow.Builder item = GarbageRow.newBuilder();
        switch (layout.getKind()) {
            case PIECES -> item.setPieces(walk);
            case PARTS -> item.setParts(walk);
            case UNRECOGNIZED -> throw new IllegalStateException("layout of an unknown kind");
        }
        entry.discard(item.build());
    }

    /** One page of a layout without uses. */
    private Optional<Walk> dropPages(Walk walk) {
        V v = Wire.v(walk.getV());
        int number = walk.getNext();
        MetadataProto.LayoutPageRow page =
                rows.get(
                        RowKeys.ROWS,
                        rows.keys.of(RowKeys.Kind.LAYOUT_PAGE, v, number),
                        MetadataProto.LayoutPageRow.parser());
        if (page == null) {
            return Optional.empty();
        }
        bodies.drop(page.getPiecesList());
        rows.putLayoutPage(v, number, page, null);
        work.spend(page.getSerializedSize());
        return Optional.of(walk.toBuilder().setNext(number + 1).build());
    }

    // ---- parts ----

    /** Parts of an upload that was given up, or of a layout without uses. */
    private Optional<Walk> dropParts(Walk walk) {
        Optional<Walk> rest = dropParts(walk, number -> true);
        if (rest.isEmpty()) {
            V upload = Wire.v(walk.getV());
            for (int page = 0; page <= UploadOperations.pageOf(PartInfo.MAX_NUMBER); page++) {
                byte[] key = rows.keys.of(RowKeys.Kind.PART_PAGE, upload, page);
                if (rows.rows().get(RowKeys.ROWS, key) != null) {
                    rows.delete(key);
                }
            }
        }
        return rest;
    }

    private Optional<Walk> dropUnusedParts(Walk walk) {
        V upload = Wire.v(walk.getV());
        return dropParts(walk, new UnusedNumbers(upload));
    }

    /** Numbers that the pages of a completed upload do not name; asked in ascending order. */
    private final class UnusedNumbers implements IntPredicate {
        private final V upload;
        private final Set<Integer> used = new HashSet<>();
        private int page = -1;

        UnusedNumbers(V upload) {
            this.upload = upload;
        }

        @Override
        public boolean test(int number) {
            if (UploadOperations.pageOf(number) != page) {
                page = UploadOperations.pageOf(number);
                used.clear();
                rows.partPage(upload, page)
                        .getPartsList()
                        .forEach(part -> used.add(part.getNumber()));
            }
            return !used.contains(number);
        }
    }

    private Optional<Walk> dropParts(Walk walk, IntPredicate drops) {
        V upload = Wire.v(walk.getV());
        byte[] prefix = rows.keys.of(RowKeys.Kind.PART, upload);
        byte[] from = rows.keys.of(RowKeys.Kind.PART, upload, walk.getNext());
        List<Scans.Row> run = Scans.run(rows.rows(), RowKeys.ROWS, prefix, from, PART_STEP);
        int next = walk.getNext();
        for (Scans.Row row : run) {
            if (!work.hasBudget()) {
                return Optional.of(walk.toBuilder().setNext(next).build());
            }
            int number = RowKeys.numberOf(row.key());
            next = number + 1;
            work.spend(row.value().length);
            if (drops.test(number)) {
                MetadataProto.PartRow part =
                        RowReader.parse(RowKeys.ROWS, MetadataProto.PartRow.parser(), row.value());
                bodies.drop(part.getBody());
                rows.putPart(upload, number, part, null);
            }
        }
        return run.size() < PART_STEP
                ? Optional.empty()
                : Optional.of(walk.toBuilder().setNext(next).build());
    }

    /**
     * @return whether none is left
     */
    private boolean giveUpUploads(BucketId bucket) {
        UploadOperations uploads = new UploadOperations(entry);
        List<Scans.Row> run =
                Scans.first(rows.rows(), RowKeys.ROWS, rows.keys.uploads(bucket), UPLOAD_STEP);
        for (Scans.Row row : run) {
            MetadataProto.UploadRow upload =
                    RowReader.parse(RowKeys.ROWS, MetadataProto.UploadRow.parser(), row.value());
            uploads.giveUp(
                    bucket,
                    Wire.key(ByteString.copyFrom(RowKeys.uploadKeyOf(row.key()))),
                    RowKeys.uploadVOf(row.key()),
                    upload);
        }
        return run.size() < UPLOAD_STEP;
    }

    // ---- holders ----

    private Optional<Walk> releaseHolder(Walk walk) {
        V v = Wire.v(walk.getV());
        MetadataProto.HolderRow holder = rows.holder(v);
        if (holder == null || holder.getUses() > 0) {
            throw new IllegalStateException("holder " + v + " is to be released but is in use");
        }
        int count = holder.getRowBytesCount();
        int row = walk.getNext();
        Set<Long> released = count > 1 ? released(v) : Set.of();
        while (row < count && work.hasBudget()) {
            ChunkTally tally = ChunkTally.of(work.manifest(v, row));
            releaseRow(v, row, tally, released, count > 1);
            entry.uncountChunks(new BucketId(holder.getBucket()), tally);
            new Unindexed(entry).count(v, -tally.unindexedSlots());
            rows.deleteManifest(v, row);
            row++;
        }
        if (row < count) {
            return Optional.of(walk.toBuilder().setNext(row).build());
        }
        for (int i = 0; count > 1 && i < count; i++) {
            rows.delete(rows.keys.of(RowKeys.Kind.RELEASED, v, i));
        }
        rows.putHolder(v, holder, null);
        entry.countHolders(-1);
        entry.countFirstWritten(new BucketId(holder.getBucket()), -holder.getNewChunkBytes());
        return Optional.empty();
    }

    private void releaseRow(V v, int row, ChunkTally tally, Set<Long> released, boolean remember) {
        List<ChunkReference> references = new ArrayList<>();
        for (Map.Entry<Fingerprint, ChunkReference> one : tally.indexed().entrySet()) {
            if (!remember || released.add(one.getKey().w0())) {
                references.add(one.getValue());
            }
        }
        if (remember) {
            ByteBuffer words = ByteBuffer.allocate(1 + 8 * references.size());
            words.put(RELEASED_FORMAT);
            references.forEach(reference -> words.putLong(reference.fingerprint().w0()));
            rows.transaction()
                    .put(RowKeys.ROWS, rows.keys.of(RowKeys.Kind.RELEASED, v, row), words.array());
        }
        entry.messages().release(v, references, work.size().releasedTogether());
        entry.messages().free(tally.unindexed());
    }

    private Set<Long> released(V v) {
        Set<Long> released = new HashSet<>();
        byte[] prefix = rows.keys.of(RowKeys.Kind.RELEASED, v);
        byte @Nullable [] end = Bytes.successorOfPrefix(prefix);
        try (KvCursor cursor = rows.rows().scan(RowKeys.ROWS, prefix, end)) {
            while (cursor.next()) {
                ByteBuffer words = ByteBuffer.wrap(cursor.value());
                // Half a step at most for all of them, so that each step gets on.
                work.spend((long) words.remaining() * work.size().bytes() >> 20);
                if (words.get() != RELEASED_FORMAT) {
                    throw new IllegalStateException("released row of an unknown format");
                }
                while (words.hasRemaining()) {
                    released.add(words.getLong());
                }
            }
        }
        return released;
    }

    private void deleteManifest(V v) {
        byte[] prefix = rows.keys.manifest(v);
        int most = MetadataService.MAX_HOLDER_CHUNKS / MetadataService.MANIFEST_ROW_ENTRIES;
        int found = Scans.first(rows.rows(), RowKeys.MANIFESTS, prefix, most).size();
        for (int row = 0; row < found; row++) {
            rows.deleteManifest(v, row);
        }
    }
}
