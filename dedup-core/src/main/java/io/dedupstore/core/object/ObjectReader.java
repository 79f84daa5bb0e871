package io.dedupstore.core.object;

import io.dedupstore.core.checksum.ChunkCrcs;
import io.dedupstore.core.metadata.Body;
import io.dedupstore.core.metadata.MetadataService;
import io.dedupstore.core.metadata.MetadataService.ManifestStretch;
import io.dedupstore.core.model.BucketId;
import io.dedupstore.core.model.ChunkSums;
import io.dedupstore.core.model.ManifestEntry;
import io.dedupstore.core.model.ObjectKey;
import io.dedupstore.core.model.Segment;
import io.dedupstore.core.spi.ChunkStore;
import io.dedupstore.core.spi.ChunkStoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Manifest ► containers ► bytes. The index is never asked.
 *
 * <p>Blocking, for virtual threads; any number of them. A read holds one buffer of the budget and
 * fetches runs of chunks of up to 2 MiB, neighbours in a container with one call. Every chunk is
 * verified before a byte of it is handed on.
 */
public final class ObjectReader {
    private final ChunkStore store;
    private final MetadataService metadata;
    private final BufferBudget budget;

    public ObjectReader(ChunkStore store, MetadataService metadata, BufferBudget budget) {
        this.store = store;
        this.metadata = metadata;
        this.budget = budget;
    }

    /** Where the bytes go. */
    @FunctionalInterface
    public interface Sink {
        /**
         * @param bytes in order; the reader's, good until the call returns
         */
        void write(ByteBuffer bytes) throws IOException;
    }

    /**
     * Streams a range of a stored body.
     *
     * @throws IOException of {@code sink}
     * @throws ObjectStoreException GONE before the first byte means: read the metadata again;
     *     later, or any other code: the stream must be broken off
     */
    public void read(BucketId bucket, ObjectKey key, Body body, long offset, long length, Sink sink)
            throws IOException {
        checkRange(body, offset, length);
        if (length == 0) {
            return;
        }
        try (ChunkRun run = new ChunkRun(store, budget, length, sink)) {
            for (Piece piece : Piece.of(body, offset, length)) {
                switch (piece) {
                    case Piece.Bytes(ByteBuffer bytes) -> {
                        run.flush();
                        sink.write(bytes);
                    }
                    case Piece.Range(Segment segment) -> readSegment(bucket, key, segment, run);
                }
            }
            run.flush();
        } catch (ChunkStoreException e) {
            throw Failures.ofStore(e);
        }
    }

    private void readSegment(BucketId bucket, ObjectKey key, Segment segment, ChunkRun run)
            throws IOException {
        walk(bucket, key, segment, run::add);
    }

    /**
     * CRCs of a range, from the chunks' own where they are covered whole; only cut chunks at the
     * edges are read.
     */
    public ChunkSums sums(BucketId bucket, ObjectKey key, Body body, long offset, long length) {
        checkRange(body, offset, length);
        ChunkSums[] all = {ChunkCrcs.EMPTY};
        try {
            for (Piece piece : Piece.of(body, offset, length)) {
                switch (piece) {
                    case Piece.Bytes(ByteBuffer bytes) ->
                            all[0] =
                                    ChunkCrcs.combine(
                                            all[0], ChunkCrcs.of(bytes), bytes.remaining());
                    case Piece.Range(Segment segment) ->
                            walk(
                                    bucket,
                                    key,
                                    segment,
                                    (entry, from, to) ->
                                            all[0] =
                                                    ChunkCrcs.combine(
                                                            all[0],
                                                            sums(entry, from, to),
                                                            to - from));
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException("nothing here writes to a sink", e);
        }
        return all[0];
    }

    private ChunkSums sums(ManifestEntry entry, int from, int to) throws IOException {
        if (from == 0 && to == entry.length()) {
            return entry.sums();
        }
        ChunkSums[] part = {ChunkCrcs.EMPTY};
        try (ChunkRun run =
                new ChunkRun(
                        store,
                        budget,
                        entry.length(),
                        bytes ->
                                part[0] =
                                        ChunkCrcs.combine(
                                                part[0], ChunkCrcs.of(bytes), bytes.remaining()))) {
            run.add(entry, from, to);
            run.flush();
        } catch (ChunkStoreException e) {
            throw Failures.ofStore(e);
        }
        return part[0];
    }

    /** The part of a body that covers a range, as references. */
    public static Body slice(Body body, long offset, long length) {
        checkRange(body, offset, length);
        List<Segment> segments = new ArrayList<>();
        List<Body> parts = new ArrayList<>();
        for (Piece piece : Piece.of(body, offset, length)) {
            switch (piece) {
                case Piece.Bytes(ByteBuffer bytes) -> {
                    byte[] copy = new byte[bytes.remaining()];
                    bytes.duplicate().get(copy);
                    parts.add(new Body.Inline(copy));
                }
                case Piece.Range(Segment segment) -> {
                    segments.add(segment);
                    parts.add(new Body.Segments(List.of(segment)));
                }
            }
        }
        if (parts.isEmpty()) {
            return new Body.Inline(new byte[0]);
        }
        if (segments.size() == parts.size()) {
            return new Body.Segments(segments);
        }
        return parts.size() == 1 ? parts.getFirst() : new Body.Parts(parts);
    }

    /** Takes entries of a manifest with the range of each that is wanted. */
    @FunctionalInterface
    private interface EntryVisitor {
        void visit(ManifestEntry entry, int from, int to) throws IOException;
    }

    private void walk(BucketId bucket, ObjectKey key, Segment segment, EntryVisitor visitor)
            throws IOException {
        long at = segment.offset();
        long end = segment.offset() + segment.length();
        while (at < end) {
            ManifestStretch stretch =
                    metadata.readManifest(bucket, key, segment.holder(), at)
                            .filter(found -> !found.entries().isEmpty())
                            .orElseThrow(() -> gone(segment));
            long start = stretch.offset();
            for (ManifestEntry entry : stretch.entries()) {
                long entryEnd = start + entry.length();
                if (entryEnd > at && start < end) {
                    int from = (int) Math.max(0, at - start);
                    int to = (int) (Math.min(end, entryEnd) - start);
                    visitor.visit(entry, from, to);
                }
                start = entryEnd;
            }
            if (start <= at) {
                throw gone(segment);
            }
            at = start;
        }
    }

    private static ObjectStoreException gone(Segment segment) {
        return new ObjectStoreException(
                ObjectStoreException.Code.GONE, "holder " + segment.holder() + " is gone");
    }

    private static void checkRange(Body body, long offset, long length) {
        if (offset < 0 || length < 0 || offset > body.length() - length) {
            throw new IllegalArgumentException(
                    "range %d+%d outside of a body of %d bytes"
                            .formatted(offset, length, body.length()));
        }
    }
}
