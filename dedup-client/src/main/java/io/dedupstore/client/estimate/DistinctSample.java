package io.dedupstore.client.estimate;

import io.dedupstore.core.model.Fingerprint;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A sample of the distinct chunks of a stream of any length, in bounded memory.
 *
 * <p>A chunk is kept when the hash of its content begins with {@code level} zero bits. Each
 * distinct chunk is thereby in the sample with probability 2^-level, however often it occurs, and
 * independently of all others. When there are more than the capacity, the level rises by one and
 * half of them go; a chunk that is in the sample at the end was in it from its first occurrence, so
 * what is known of it is complete. (Gibbons, "Distinct sampling for highly-accurate answers to
 * distinct values queries and event reports", VLDB 2001.)
 *
 * <p>Of these, fewer are compressed, chosen the same way with a level of their own, since that
 * costs far more than hashing.
 *
 * <p>Any number of threads.
 */
final class DistinctSample {
    private final int capacity;
    private final int compressedCapacity;
    private final boolean countsPieces;
    private final Map<Fingerprint, SampledChunk> chunks = new HashMap<>();
    private int compressedCount;
    private volatile int level;
    private volatile int compressedLevel;

    /**
     * @param countsPieces whether it matters in how many pieces a chunk is
     */
    DistinctSample(int capacity, int compressedCapacity, boolean countsPieces) {
        if (capacity < 2 || compressedCapacity < 2) {
            throw new IllegalArgumentException("a sample of less than two chunks");
        }
        this.capacity = capacity;
        this.compressedCapacity = compressedCapacity;
        this.countsPieces = countsPieces;
    }

    /** Whether a chunk with this hash is worth being named; may change to false at any time. */
    boolean wants(long hash) {
        return reaches(hash, level);
    }

    /**
     * An occurrence of a chunk.
     *
     * @return whether the caller should compress it and call {@link #compressed}
     */
    synchronized boolean add(Fingerprint name, long hash, int length, Visit visit) {
        if (!reaches(hash, level)) {
            return false;
        }
        SampledChunk chunk = chunks.get(name);
        boolean first = chunk == null;
        if (chunk == null) {
            chunk = new SampledChunk(hash, length);
            chunks.put(name, chunk);
        }
        if (countsPieces) {
            chunk.seenBy(visit);
        }
        while (chunks.size() > capacity) {
            level++;
            chunks.values().removeIf(this::isBelowLevel);
            if (compressedLevel < level) {
                raiseCompressedLevel();
            }
        }
        return first && reaches(hash, compressedLevel);
    }

    synchronized void compressed(Fingerprint name, int bytes) {
        SampledChunk chunk = chunks.get(name);
        if (chunk == null || chunk.isCompressed() || !reaches(chunk.hash, compressedLevel)) {
            return;
        }
        chunk.compressed(bytes);
        compressedCount++;
        while (compressedCount > compressedCapacity) {
            raiseCompressedLevel();
        }
    }

    private boolean isBelowLevel(SampledChunk chunk) {
        return !reaches(chunk.hash, level);
    }

    private void raiseCompressedLevel() {
        compressedLevel++;
        compressedCount = 0;
        for (SampledChunk chunk : chunks.values()) {
            if (chunk.isCompressed() && !reaches(chunk.hash, compressedLevel)) {
                chunk.forgetCompressed();
            }
            compressedCount += chunk.isCompressed() ? 1 : 0;
        }
    }

    private static boolean reaches(long hash, int level) {
        return Long.numberOfLeadingZeros(hash) >= level;
    }

    int level() {
        return level;
    }

    /** Probability of a distinct chunk to be in the sample. */
    double probability() {
        return Math.scalb(1.0, -level);
    }

    /** Probability of a distinct chunk to be compressed. */
    double compressedProbability() {
        return Math.scalb(1.0, -compressedLevel);
    }

    synchronized int size() {
        return chunks.size();
    }

    /** What is kept now. */
    synchronized Collection<SampledChunk> chunks() {
        return List.copyOf(chunks.values());
    }
}
