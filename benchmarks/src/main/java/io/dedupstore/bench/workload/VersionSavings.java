package io.dedupstore.bench.workload;

import io.dedupstore.core.chunking.Chunker;
import io.dedupstore.core.chunking.ChunkingSpec;
import io.dedupstore.core.chunking.GearTable;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What a version of an object shares with the versions before it, as chunkers of the product find
 * it.
 *
 * @param length of the version, in bytes
 * @param changedBytes inserted, deleted and overwritten since the version before
 * @param knownShares share of the version's bytes in chunks that were there before, by chunking
 */
record VersionSavings(int version, long length, long changedBytes, List<Double> knownShares) {
    static final List<ChunkingSpec> CHUNKINGS =
            List.of(ChunkingSpec.Cdc.ofAverage(8 << 10), new ChunkingSpec.Fixed(8 << 10));

    private static final int WINDOW_BYTES = 4 << 20;
    private static final int MOST_CUTS = 1024;

    /** Of the workload's first object, up to a version. */
    static List<VersionSavings> measure(Workload workload, int versions) {
        GearTable table = GearTable.derive(new byte[32]);
        List<Set<ByteBuffer>> known = new ArrayList<>();
        CHUNKINGS.forEach(chunking -> known.add(new HashSet<>()));
        List<VersionSavings> results = new ArrayList<>();
        for (int version = 0; version <= versions; version++) {
            WorkloadObject object = workload.object(0, version);
            List<Double> shares = new ArrayList<>();
            for (int i = 0; i < CHUNKINGS.size(); i++) {
                long old = knownBytes(object, Chunker.of(CHUNKINGS.get(i), table), known.get(i));
                shares.add((double) old / object.length());
            }
            results.add(
                    new VersionSavings(
                            version, object.length(), object.changedBytes(), List.copyOf(shares)));
        }
        return results;
    }

    private static long knownBytes(WorkloadObject object, Chunker chunker, Set<ByteBuffer> known) {
        ByteBuffer window = ByteBuffer.allocateDirect(WINDOW_BYTES);
        int[] lengths = new int[MOST_CUTS];
        long found = 0;
        for (long at = 0; at < object.length(); ) {
            window.clear().limit((int) Math.min(WINDOW_BYTES, object.length() - at));
            object.fill(at, window);
            boolean end = at + window.flip().limit() == object.length();
            int cuts = chunker.cuts(window, end, lengths);
            for (int i = 0; i < cuts; i++) {
                if (!known.add(digest(window.slice(window.position(), lengths[i])))) {
                    found += lengths[i];
                }
                window.position(window.position() + lengths[i]);
            }
            at += window.position();
        }
        return found;
    }

    private static ByteBuffer digest(ByteBuffer chunk) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(chunk);
            return ByteBuffer.wrap(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
