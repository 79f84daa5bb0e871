package io.dedupstore.core.object;

import io.dedupstore.core.checksum.ChunkCrcs;
import io.dedupstore.core.cipher.ChunkCipher;
import io.dedupstore.core.cipher.RootKey;
import io.dedupstore.core.cipher.RootKeys;
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
import java.util.Arrays;
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
    private final Opening opening;

    /** Reads what is not encrypted. */
    public ObjectReader(ChunkStore store, MetadataService metadata, BufferBudget budget) {
        this(store, metadata, budget, RootKeys.NONE);
    }

    /**
     * @param keys of what is encrypted
     */
    public ObjectReader(
            ChunkStore store, MetadataService metadata, BufferBudget budget, RootKeys keys) {
        this.store = store;
        this.metadata = metadata;
        this.budget = budget;
        this.opening = new Opening(keys);
    }

    /** Reads with a client's key what was written with one. */
    public ObjectReader withCustomerKey(RootKey key) {
        RootKeys others = opening.keys();
        return new ObjectReader(
                store,
                metadata,
                budget,
                (cipher, domain, version) ->
                        cipher == ChunkCipher.CUSTOMER ? key : others.of(cipher, domain, version));
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
        try (ChunkRun run = new ChunkRun(store, opening, budget, length, sink)) {
            for (Piece piece : Piece.of(body, offset, length)) {
                switch (piece) {
                    case Piece.Kept kept -> {
                        run.flush();
                        sink.write(bytes(kept));
                    }
                    case Piece.Range(Segment segment) -> readSegment(bucket, key, segment, run);
                }
            }
            run.flush();
        } catch (ChunkStoreException e) {
            throw Failures.ofStore(e);
        }
    }

    private ByteBuffer bytes(Piece.Kept kept) {
        byte[] whole = opening.open(kept.whole());
        return ByteBuffer.wrap(whole, kept.from(), kept.to() - kept.from()).slice();
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
                    case Piece.Kept kept ->
                            all[0] =
                                    ChunkCrcs.combine(
                                            all[0],
                                            ChunkCrcs.of(bytes(kept)),
                                            kept.to() - kept.from());
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
        } catch (ChunkStoreException e) {
            throw Failures.ofStore(e);
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
                        opening,
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

    /** Whether a range can be given as references: not where it cuts something encrypted. */
    public static boolean canSlice(Body body, long offset, long length) {
        checkRange(body, offset, length);
        return Piece.of(body, offset, length).stream()
                .noneMatch(
                        piece ->
                                piece instanceof Piece.Kept kept
                                        && kept.whole().sealed()
                                        && !kept.isWhole());
    }

    /**
     * The part of a body that covers a range, as references.
     *
     * @throws IllegalArgumentException it cuts something encrypted
     */
    public static Body slice(Body body, long offset, long length) {
        checkRange(body, offset, length);
        List<Segment> segments = new ArrayList<>();
        List<Body> parts = new ArrayList<>();
        for (Piece piece : Piece.of(body, offset, length)) {
            switch (piece) {
                case Piece.Kept kept -> parts.add(slice(kept));
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

    private static Body.Inline slice(Piece.Kept kept) {
        Body.Inline whole = kept.whole();
        if (kept.isWhole()) {
            return whole;
        }
        if (whole.sealed()) {
            throw new IllegalArgumentException("a part of encrypted bytes can't be referred to");
        }
        return new Body.Inline(Arrays.copyOfRange(whole.bytes(), kept.from(), kept.to()));
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
