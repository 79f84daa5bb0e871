package io.dedupstore.core.object;

import io.dedupstore.core.chunking.Chunker;
import io.dedupstore.core.chunking.ChunkingSpec;
import io.dedupstore.core.cipher.AttemptCipher;
import io.dedupstore.core.cipher.RootKey;
import io.dedupstore.core.cipher.SealedInline;
import io.dedupstore.core.compression.ChunkCodec;
import io.dedupstore.core.fingerprint.HashEngine;
import io.dedupstore.core.io.ByteSource;
import io.dedupstore.core.io.WorkerPool;
import io.dedupstore.core.metadata.Body;
import io.dedupstore.core.metadata.ChecksumAlgorithm;
import io.dedupstore.core.metadata.MetadataException;
import io.dedupstore.core.metadata.MetadataService;
import io.dedupstore.core.metadata.NewBody;
import io.dedupstore.core.model.ChunkSums;
import io.dedupstore.core.model.V;
import io.dedupstore.core.spi.ChunkIndex;
import io.dedupstore.core.spi.ChunkStore;
import io.dedupstore.core.spi.ChunkStoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Bytes of a body ► chunks ► fingerprints ► containers and index ► a manifest ready to be
 * committed.
 *
 * <p>Straight-line and blocking, for virtual threads: what would pin a carrier runs on the hash
 * pool, in the hashing engine or behind the ports. A write holds two buffers of the budget at most
 * (window, compressed or encrypted chunks) and works window by window, so a slow disk or shard
 * stops it from reading the body: that is the back-pressure to the socket.
 *
 * <p>A write that ends early leaves nothing to undo: its appended slots and claims expire by
 * protocol with its epoch. {@link #abandon} only gives them back sooner.
 *
 * <p>Any number of threads; each write is one thread's.
 */
public final class ObjectWriter {
    /** What a commit names as not retained must fit into one command. */
    private static final int MAX_DROPPED = 8192;

    private static final Duration MAX_HOLDER_AGE = Duration.ofHours(1);

    private final ChunkIndex index;
    private final ChunkStore store;
    private final MetadataService metadata;
    private final Supplier<V> attempts;
    private final DomainKeys domains;
    private final HashEngine engine;
    private final WorkerPool hashPool;
    private final BufferBudget budget;
    private final LongSupplier nanoClock;

    /**
     * @param attempts a new V at each call
     * @param engine the more share it, the fuller are its lanes
     * @param hashPool for cutting, checksums and compression
     * @param nanoClock for the age of long writes only
     */
    public ObjectWriter(
            ChunkIndex index,
            ChunkStore store,
            MetadataService metadata,
            Supplier<V> attempts,
            DomainKeys domains,
            HashEngine engine,
            WorkerPool hashPool,
            BufferBudget budget,
            LongSupplier nanoClock) {
        this.index = index;
        this.store = store;
        this.metadata = metadata;
        this.attempts = attempts;
        this.domains = domains;
        this.engine = engine;
        this.hashPool = hashPool;
        this.budget = budget;
        this.nanoClock = nanoClock;
    }

    /**
     * Writes a body; durable but invisible on return.
     *
     * @param body read to its end by the calling thread
     * @param declaredLength bytes that will come, or -1 when unknown; only a hint for buffer sizes
     * @param digests further digests to compute over all bytes
     * @throws IOException of {@code body}
     * @throws ObjectStoreException the bytes could not be written
     */
    public WrittenBody write(
            WriteTarget target,
            ByteSource body,
            long declaredLength,
            Set<ChecksumAlgorithm> digests)
            throws IOException {
        boolean transforms =
                target.compression() != ChunkCodec.OFF || target.sealing() != Sealing.NONE;
        long expected = declaredLength < 0 ? BufferBudget.LARGE_BYTES : declaredLength;
        long room = expected + Math.max(1, target.sealing().cipher().overhead());
        try (BufferBudget.Lease lease = budget.take(transforms ? 2 : 1, room)) {
            ChunkWindow window = new ChunkWindow(lease.buffer(0), body);
            BodyDigests sums = new BodyDigests(engine, digests);
            try {
                window.fill();
                if (window.ended() && window.size() <= Body.MAX_INLINE_BYTES) {
                    return inline(target, window, sums);
                }
                ByteBuffer packed = transforms ? lease.buffer(1) : null;
                return new Writing(target, window, sums, packed).run();
            } finally {
                // The buffer is another's from here on.
                settle(window, sums);
            }
        }
    }

    private static void settle(ChunkWindow window, BodyDigests sums) {
        try {
            sums.settle();
        } finally {
            window.settle();
        }
    }

    /** Gives up what a write left, when the caller will not commit it. Never throws. */
    public void abandon(WriteTarget target, WrittenBody written) {
        if (written.body() instanceof NewBody.Holder holder) {
            metadata.abandon(target.bucket(), target.key(), holder.v(), holder.claimed());
        }
    }

    private WrittenBody inline(WriteTarget target, ChunkWindow window, BodyDigests sums) {
        byte[] bytes = new byte[window.size()];
        window.all().get(bytes);
        V v = attempts.get();
        NewBody.Inline body =
                hashPool.call(
                        () -> {
                            sums.update(window.all());
                            if (bytes.length > 0) {
                                ChunkSums all = ChunkSplitter.sums(window.all());
                                sums.add(all, bytes.length);
                            }
                            return inline(target, v, bytes);
                        });
        return sums.finish(body);
    }

    private static NewBody.Inline inline(WriteTarget target, V v, byte[] bytes) {
        AttemptCipher cipher = target.sealing().begin(target.domain(), v);
        if (cipher == null || bytes.length == 0) {
            return new NewBody.Inline(v, bytes);
        }
        SealedInline sealed = cipher.sealInline(bytes);
        return new NewBody.Inline(v, sealed.bytes(), sealed.seal());
    }

    /** One write that has chunks. */
    private final class Writing {
        private final WriteTarget target;
        private final ChunkWindow window;
        private final BodyDigests sums;
        private final ChunkNames names;
        private final Chunker chunker;
        private final ChunkPlacer placer;
        private final List<V> earlier = new ArrayList<>();
        private HolderBuilder holder;
        private long holderSince;
        private long size;

        Writing(WriteTarget target, ChunkWindow window, BodyDigests sums, ByteBuffer packed) {
            this.target = target;
            this.window = window;
            this.sums = sums;
            DomainKeys.Derived domain = domains.of(target.domain());
            this.chunker = Chunker.of(target.chunking(), domain.gear());
            this.placer =
                    new ChunkPlacer(
                            index,
                            store,
                            hashPool,
                            target,
                            metadata.shardOf(target.bucket(), target.key()),
                            packed);
            this.holder = nextHolder();
            this.names = names(domain);
        }

        private ChunkNames names(DomainKeys.Derived domain) {
            RootKey key = target.sealing().key();
            return key != null && target.sealing().isCustomers()
                    ? ChunkNames.ofPlace(key, holder.v())
                    : ChunkNames.ofContent(domain.fingerprinter());
        }

        WrittenBody run() throws IOException {
            try {
                sums.updateLater(window.fresh());
                if (window.ended() && isSingleChunk(window.size())) {
                    placeChunks(() -> List.of(window.all()));
                } else {
                    placeWindow();
                    while (!window.ended()) {
                        window.fill();
                        sums.updateLater(window.fresh());
                        placeWindow();
                    }
                }
                return sums.finish(holder.build(earlier, size));
            } catch (ChunkStoreException e) {
                giveUp();
                throw Failures.ofStore(e);
            } catch (MetadataException e) {
                giveUp();
                throw new ObjectStoreException(
                        ObjectStoreException.Code.UNAVAILABLE, "the metadata shard gave up", e);
            } catch (IOException | RuntimeException e) {
                giveUp();
                throw e;
            }
        }

        private boolean isSingleChunk(int bytes) {
            return target.chunking() instanceof ChunkingSpec.Cdc
                    && bytes <= ChunkingSpec.SINGLE_CHUNK_LIMIT;
        }

        private void placeWindow() {
            int consumed = 0;
            int placed;
            do {
                int from = consumed;
                placed = placeChunks(() -> window.chunks(chunker, from));
                consumed += placed;
            } while (placed > 0);
            settle(window, sums);
            window.consume(consumed);
        }

        /** Cuts and places a run of chunks; how many bytes they have. */
        private int placeChunks(Supplier<List<ByteBuffer>> cut) {
            boolean storesZeros = target.sealing().isCustomers();
            ChunkSplitter pieces = hashPool.call(() -> ChunkSplitter.of(cut.get(), storesZeros));
            List<Chunk> chunks = pieces.named(names);
            if (chunks.isEmpty()) {
                return 0;
            }
            int placed = 0;
            if (holder.chunks() + chunks.size() > MetadataService.MAX_HOLDER_CHUNKS
                    || holder.dropped() > MAX_DROPPED
                    || isOld()) {
                finishHolder();
            }
            placer.place(chunks, holder);
            for (Chunk chunk : chunks) {
                sums.add(chunk.sums(), chunk.length());
                placed += chunk.length();
            }
            size += placed;
            return placed;
        }

        private boolean isOld() {
            return holder.chunks() > 0
                    && nanoClock.getAsLong() - holderSince > MAX_HOLDER_AGE.toNanos();
        }

        /** No attempt may live long, since its epoch cannot close before: go on under another V. */
        private void finishHolder() {
            metadata.commitEarlier(
                    target.bucket(), target.key(), holder.build(List.copyOf(earlier), size));
            earlier.add(holder.v());
            holder = nextHolder();
        }

        private HolderBuilder nextHolder() {
            holderSince = nanoClock.getAsLong();
            return new HolderBuilder(metadata, target, attempts.get());
        }

        private void giveUp() {
            metadata.abandon(target.bucket(), target.key(), holder.v(), holder.claimed());
        }
    }
}
