package io.dedupstore.bench.workload;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.OptionalLong;

/**
 * The bytes of contents: a content is a number, its bytes go on without end, and each can be had
 * without those before it.
 *
 * <p>Word i (64 bits, little-endian) of a content is {@code mix(key + i·STEP)}, where the key is a
 * bijection of the content's number for a given seed. So two contents differ in every word, and a
 * word whose place is known tells whose it is ({@link #recognise}).
 *
 * <p>Compressibility: words come in units, each a row of fresh words and then the last of them over
 * and over. A codec that finds repetitions (lz4) and one that codes symbols as well (zstd) gain
 * alike, since the fresh words are random and the others cost next to nothing. Units are as short
 * as a codec's costs of a match permit, so that a chunker's hash window hardly ever sees repeated
 * words only; long runs would make chunks longer. Entropy coding alone gains nothing: data like
 * text, where zstd beats lz4 by far, is not what this makes.
 *
 * <p>Immutable; any number of threads.
 */
final class ContentBytes {
    /** Beyond this what lz4 pays for a long match is no longer small. */
    static final double MAX_RATIO = 10;

    private static final VarHandle WORD =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    /** Stays in the first-level cache. */
    private static final int TILE_BYTES = 2 << 10;

    private static final int MIN_UNIT_SHIFT = 4;

    /** Shorter units would cost lz4 too much, longer ones the chunkers. */
    private static final double MIN_FRESH_WORDS = 6;

    /** What a codec pays for a unit's repetition: 3 to 6 bytes in lz4, 1 to 4 in zstd. */
    private static final double MATCH_COST_WORDS = 0.5;

    private static final int FRACTION_BITS = 16;

    private final long seedKey;
    private final int unitShift;

    /** Fresh words of a unit on average, in fixed point. */
    private final long freshWords;

    /**
     * @param ratio bytes over compressed bytes, from 1 (random) to {@link #MAX_RATIO}
     */
    ContentBytes(long seed, double ratio) {
        this.seedKey = Mixing.mix(seed);
        int shift = MIN_UNIT_SHIFT;
        while ((1 << shift) / ratio < MIN_FRESH_WORDS) {
            shift++;
        }
        this.unitShift = shift;
        double fresh = ratio == 1 ? 1 << shift : (1 << shift) / ratio - MATCH_COST_WORDS;
        this.freshWords = Math.round(fresh * (1 << FRACTION_BITS));
    }

    /** Fills what remains of the target, leaving its position at its limit. */
    void fill(long content, long offset, ByteBuffer target) {
        long key = key(content);
        if (target.hasArray()) {
            fill(
                    key,
                    offset,
                    target.array(),
                    target.arrayOffset() + target.position(),
                    target.remaining());
            target.position(target.limit());
            return;
        }
        // One kind of memory in the loops, or they would be compiled for every kind, slower.
        byte[] tile = new byte[Math.min(TILE_BYTES, target.remaining())];
        for (long at = offset; target.hasRemaining(); ) {
            int length = Math.min(tile.length, target.remaining());
            fill(key, at, tile, 0, length);
            target.put(tile, 0, length);
            at += length;
        }
    }

    private void fill(long key, long offset, byte[] bytes, int at, int length) {
        int head = (int) Math.min(-offset & 7, length);
        if (head > 0) {
            part(key, offset, bytes, at, head);
        }
        int words = (length - head) >>> 3;
        long index = (offset + head) >>> 3;
        if (freshWords == 1L << (unitShift + FRACTION_BITS)) {
            fresh(key + index * Mixing.STEP, bytes, at + head, words);
        } else {
            units(key, index, bytes, at + head, words);
        }
        int done = head + (words << 3);
        if (done < length) {
            part(key, offset + done, bytes, at + done, length - done);
        }
    }

    /**
     * Which content these bytes would be of, if two whole words of them agree. Bytes of a content
     * that stand at another offset agree as well, on a number that nobody uses.
     *
     * @param bytes looked at from its position on
     * @param offset where in a content they would stand
     */
    OptionalLong recognise(ByteBuffer bytes, long offset) {
        int skip = (int) (-offset & 7);
        if (bytes.remaining() < skip + 2 * Long.BYTES) {
            return OptionalLong.empty();
        }
        ByteBuffer words = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
        long index = (offset + skip) >>> 3;
        long first = contentOf(words.getLong(skip), index);
        long second = contentOf(words.getLong(skip + Long.BYTES), index + 1);
        return first == second ? OptionalLong.of(first) : OptionalLong.empty();
    }

    private long key(long content) {
        return Mixing.mix(content + seedKey);
    }

    private long contentOf(long word, long index) {
        return Mixing.unmix(Mixing.unmix(word) - freshIndex(index) * Mixing.STEP) - seedKey;
    }

    private static void fresh(long firstKey, byte[] bytes, int at, int words) {
        for (int i = 0; i < words; i++) {
            WORD.set(bytes, at + (i << 3), Mixing.mix(firstKey + i * Mixing.STEP));
        }
    }

    private void units(long key, long index, byte[] bytes, int at, int words) {
        int unitWords = 1 << unitShift;
        for (int done = 0; done < words; ) {
            long unit = (index + done) >>> unitShift;
            int from = (int) ((index + done) & (unitWords - 1));
            int to = Math.min(unitWords, from + words - done);
            int fresh = freshOf(unit);
            long unitKey = key + (unit << unitShift) * Mixing.STEP;
            int unitAt = at + ((done - from) << 3);
            int i = from;
            for (int end = Math.min(fresh, to); i < end; i++) {
                WORD.set(bytes, unitAt + (i << 3), Mixing.mix(unitKey + i * Mixing.STEP));
            }
            long last = Mixing.mix(unitKey + (fresh - 1) * Mixing.STEP);
            for (; i < to; i++) {
                WORD.set(bytes, unitAt + (i << 3), last);
            }
            done += to - from;
        }
    }

    /** Up to seven bytes of one word. */
    private void part(long key, long offset, byte[] bytes, int at, int length) {
        long word = Mixing.mix(key + freshIndex(offset >>> 3) * Mixing.STEP);
        long shifted = word >>> ((offset & 7) << 3);
        for (int i = 0; i < length; i++) {
            bytes[at + i] = (byte) (shifted >>> (i << 3));
        }
    }

    /** The word that stands at a place: itself, or the last fresh one before. */
    private long freshIndex(long index) {
        long unit = index >>> unitShift;
        return Math.min(index, (unit << unitShift) + freshOf(unit) - 1);
    }

    private int freshOf(long unit) {
        return (int)
                (((unit + 1) * freshWords >>> FRACTION_BITS)
                        - (unit * freshWords >>> FRACTION_BITS));
    }
}
