package io.dedupstore.core.object;

import io.dedupstore.core.model.ManifestEntry;
import io.dedupstore.core.spi.ChunkOpener;
import io.dedupstore.core.spi.ChunkStore;
import io.dedupstore.core.spi.ChunkStore.Wanted;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Collects consecutive chunks until the buffer is full, fetches them with one call and hands the
 * wanted stretch of each on. One request's own.
 */
final class ChunkRun implements AutoCloseable {
    private static final ByteBuffer ZEROS =
            ByteBuffer.allocateDirect(ManifestEntry.MAX_CHUNK_BYTES).asReadOnlyBuffer();

    private final ChunkStore store;
    private final ChunkOpener opener;
    private final BufferBudget budget;
    private final ObjectReader.Sink sink;
    private BufferBudget.Lease lease;
    private final List<Wanted> wanted = new ArrayList<>();
    private int bytes;
    private int first;
    private int last;

    /**
     * @param expectedBytes about how much will be read; decides the size of the first buffer
     */
    ChunkRun(
            ChunkStore store,
            ChunkOpener opener,
            BufferBudget budget,
            long expectedBytes,
            ObjectReader.Sink sink) {
        this.store = store;
        this.opener = opener;
        this.budget = budget;
        this.sink = sink;
        this.lease = budget.take(1, expectedBytes);
    }

    /** Adds bytes [from, to) of a chunk behind those added before. */
    void add(ManifestEntry entry, int from, int to) throws IOException {
        if (entry.kind() == ManifestEntry.Kind.ZERO) {
            flush();
            sink.write(ZEROS.slice(0, to - from));
            return;
        }
        if (from > 0 || bytes + entry.length() > lease.buffer(0).capacity()) {
            flush();
            growFor(entry.length());
        }
        if (wanted.isEmpty()) {
            first = from;
        }
        wanted.add(
                new Wanted(
                        entry.reference().address(),
                        entry.reference().fingerprint(),
                        entry.length()));
        last = bytes + to;
        bytes += entry.length();
        if (to < entry.length()) {
            flush();
        }
    }

    /** Fetches and hands on what has been collected. */
    void flush() throws IOException {
        if (wanted.isEmpty()) {
            return;
        }
        ByteBuffer buffer = lease.buffer(0).clear();
        store.read(wanted, buffer, opener);
        sink.write(buffer.slice(first, last - first));
        wanted.clear();
        bytes = 0;
    }

    /**
     * A chunk can be longer than a small buffer; that one is given back before another is asked
     * for.
     */
    private void growFor(int length) {
        if (length > lease.buffer(0).capacity()) {
            lease.close();
            lease = budget.take(1, length);
        }
    }

    @Override
    public void close() {
        lease.close();
    }
}
