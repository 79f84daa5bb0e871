package io.dedupstore.core.chunking;

import java.util.List;
import java.util.Locale;

/**
 * How a bucket's objects are cut; chosen at bucket creation and written in every manifest.
 *
 * <p>The textual form ({@code cdc}, {@code cdc:16k}, {@code fixed:128k}) is for people and
 * settings, {@link #id()} is for manifests. Both are stable. All lengths are bytes.
 */
public sealed interface ChunkingSpec {

    /** Format limit of a chunk's length. */
    int MAX_CHUNK_LENGTH = 1 << 20;

    /**
     * In a {@code cdc} bucket an object (or part) up to this length is one chunk. The caller
     * decides by the object's length; a {@link Chunker} knows no object lengths.
     */
    int SINGLE_CHUNK_LIMIT = 128 << 10;

    ChunkingSpec DEFAULT = Cdc.ofAverage(64 << 10);

    /** Textual form, the inverse of {@link #parse}. */
    String format();

    /** Stable binary form: algorithm in the high byte, log2 of average or size in the low one. */
    int id();

    /** No chunk is longer, but for the single chunk of {@link #SINGLE_CHUNK_LIMIT}. */
    int maxChunkLength();

    /**
     * Content-defined chunking over the S2 gear hash, normalized at level 2.
     *
     * <p>Larger averages than a bucket may have can be computed with, so that an estimate can tell
     * what they would give; {@link #parse} and {@link #ofId} refuse them.
     *
     * @param min no cut before this length
     * @param avg length at which the strict threshold gives way to the loose one
     * @param max forced cut
     */
    record Cdc(int min, int avg, int max) implements ChunkingSpec {
        static final int ALGORITHM = 1;
        static final int MIN_AVERAGE = 8 << 10;
        static final int MAX_AVERAGE = 64 << 10;
        private static final int MAX_COMPUTED_AVERAGE = MAX_CHUNK_LENGTH / 4;
        private static final int NORMALIZATION_BITS = 2;

        public Cdc {
            if (Integer.bitCount(avg) != 1 || avg < MIN_AVERAGE || avg > MAX_COMPUTED_AVERAGE) {
                throw badAverage(avg);
            }
            if (min != avg / 4 || max != avg * 4) {
                throw new ChunkingException(
                        ChunkingException.Code.BAD_SPEC,
                        "cdc minimum and maximum must be a quarter and four times the average");
            }
        }

        public static Cdc ofAverage(int avg) {
            return new Cdc(avg / 4, avg, avg * 4);
        }

        /** Whether a bucket may be made with it. */
        public boolean isOffered() {
            return avg <= MAX_AVERAGE;
        }

        private Cdc requireOffered() {
            if (!isOffered()) {
                throw badAverage(avg);
            }
            return this;
        }

        private static ChunkingException badAverage(int avg) {
            return new ChunkingException(
                    ChunkingException.Code.BAD_SPEC,
                    "cdc average must be 8k, 16k, 32k or 64k, not " + avg + " bytes");
        }

        /** Unsigned threshold of h below which lengths in [min, avg) are cut. */
        int strictThreshold() {
            return 1 << (32 - log2(avg) - NORMALIZATION_BITS);
        }

        /** Unsigned threshold of h below which lengths in [avg, max) are cut. */
        int looseThreshold() {
            return 1 << (32 - log2(avg) + NORMALIZATION_BITS);
        }

        @Override
        public String format() {
            return "cdc:" + (avg >> 10) + "k";
        }

        @Override
        public int id() {
            return ALGORITHM << 8 | log2(avg);
        }

        @Override
        public int maxChunkLength() {
            return max;
        }
    }

    /** Every chunk has the same length but the last. */
    record Fixed(int size) implements ChunkingSpec {
        static final int ALGORITHM = 2;
        static final int MIN_SIZE = 4 << 10;

        public Fixed {
            if (Integer.bitCount(size) != 1 || size < MIN_SIZE || size > MAX_CHUNK_LENGTH) {
                throw new ChunkingException(
                        ChunkingException.Code.BAD_SPEC,
                        "fixed size must be a power of two from 4k to 1m, not " + size + " bytes");
            }
        }

        @Override
        public String format() {
            return size == MAX_CHUNK_LENGTH ? "fixed:1m" : "fixed:" + (size >> 10) + "k";
        }

        @Override
        public int id() {
            return ALGORITHM << 8 | log2(size);
        }

        @Override
        public int maxChunkLength() {
            return size;
        }
    }

    /** Reads {@code cdc}, {@code cdc:8k|16k|32k|64k} or {@code fixed:4k..1m}. */
    static ChunkingSpec parse(String text) {
        List<String> words = List.of(text.strip().toLowerCase(Locale.ROOT).split(":", -1));
        boolean sized = words.size() == 2;
        if (words.getFirst().equals("cdc") && words.size() == 1) {
            return DEFAULT;
        }
        if (words.getFirst().equals("cdc") && sized) {
            return Cdc.ofAverage(parseSize(text, words.get(1))).requireOffered();
        }
        if (words.getFirst().equals("fixed") && sized) {
            return new Fixed(parseSize(text, words.get(1)));
        }
        throw unknown(text);
    }

    /** The spec with this {@link #id()}; unknown ids are refused. */
    static ChunkingSpec ofId(int id) {
        int log = id & 0xff;
        if (log < 31) {
            switch (id >>> 8) {
                case Cdc.ALGORITHM:
                    return Cdc.ofAverage(1 << log).requireOffered();
                case Fixed.ALGORITHM:
                    return new Fixed(1 << log);
                default:
                    break;
            }
        }
        throw new ChunkingException(
                ChunkingException.Code.BAD_SPEC,
                "unknown chunking id 0x"
                        + Integer.toHexString(id)
                        + "; written by a newer release?");
    }

    private static int parseSize(String text, String size) {
        if (!size.matches("[0-9]{1,7}[km]?")) {
            throw unknown(text);
        }
        char unit = size.charAt(size.length() - 1);
        long number = Long.parseLong(size.replaceAll("[km]", ""));
        long bytes = unit == 'k' ? number << 10 : unit == 'm' ? number << 20 : number;
        return (int) Math.min(bytes, Integer.MAX_VALUE);
    }

    private static ChunkingException unknown(String text) {
        return new ChunkingException(
                ChunkingException.Code.BAD_SPEC,
                "chunking must be cdc, cdc:8k|16k|32k|64k or fixed:4k..1m, not '" + text + "'");
    }

    private static int log2(int powerOfTwo) {
        return Integer.numberOfTrailingZeros(powerOfTwo);
    }
}
