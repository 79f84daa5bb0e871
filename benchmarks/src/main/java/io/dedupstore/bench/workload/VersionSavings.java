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

    /** Of the workload's first object, up to a version. */
    static List<VersionSavings> measure(Workload workload, int versions) {
        GearTable table = GearTable.derive(new byte[32]);
        ByteBuffer window = ByteBuffer.allocateDirect(ChunkLengths.WINDOW_BYTES);
        List<Set<ByteBuffer>> known = new ArrayList<>();
        CHUNKINGS.forEach(chunking -> known.add(new HashSet<>()));
        List<VersionSavings> results = new ArrayList<>();
        for (int version = 0; version <= versions; version++) {
            WorkloadObject object = workload.object(0, version);
            List<Double> shares = new ArrayList<>();
            for (int i = 0; i < CHUNKINGS.size(); i++) {
                Chunker chunker = Chunker.of(CHUNKINGS.get(i), table);
                ChunkLengths.Cuts cuts = new ChunkLengths.Cuts(object, chunker, window);
                long old = knownBytes(cuts, known.get(i));
                shares.add((double) old / object.length());
            }
            results.add(
                    new VersionSavings(
                            version, object.length(), object.changedBytes(), List.copyOf(shares)));
        }
        return results;
    }

    private static long knownBytes(ChunkLengths.Cuts cuts, Set<ByteBuffer> known) {
        long found = 0;
        for (List<ByteBuffer> some = cuts.next(); !some.isEmpty(); some = cuts.next()) {
            for (ByteBuffer chunk : some) {
                if (!known.add(digest(chunk.duplicate()))) {
                    found += chunk.remaining();
                }
            }
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
