package io.dedupstore.core.model;

/** A logical shard of the fingerprint index (F-shard) or of the metadata (O-shard). */
public record ShardId(Kind kind, int number) implements Comparable<ShardId> {
    public static final int MAX_SHARDS = 1 << 12;

    /** What the shard holds; the code is part of every persistent form. */
    public enum Kind {
        INDEX(1),
        METADATA(2);

        private final int code;

        Kind(int code) {
            this.code = code;
        }

        public int code() {
            return code;
        }

        public static Kind ofCode(int code) {
            for (Kind kind : values()) {
                if (kind.code == code) {
                    return kind;
                }
            }
            throw new IllegalArgumentException("unknown shard kind " + code);
        }
    }

    public ShardId {
        if (number < 0 || number >= MAX_SHARDS) {
            throw new IllegalArgumentException("shard number out of range: " + number);
        }
    }

    public static ShardId index(int number) {
        return new ShardId(Kind.INDEX, number);
    }

    public static ShardId metadata(int number) {
        return new ShardId(Kind.METADATA, number);
    }

    /**
     * The index shard that owns a fingerprint: equal ranges of its first 64 bits. The number of
     * index shards is fixed for the life of a cluster.
     */
    public static ShardId ofFingerprint(Fingerprint fingerprint, int indexShards) {
        if (indexShards < 1 || indexShards > MAX_SHARDS) {
            throw new IllegalArgumentException("number of index shards: " + indexShards);
        }
        return index((int) Math.unsignedMultiplyHigh(fingerprint.w0(), indexShards));
    }

    @Override
    public int compareTo(ShardId o) {
        int c = kind.compareTo(o.kind);
        return c != 0 ? c : Integer.compare(number, o.number);
    }

    @Override
    public String toString() {
        return (kind == Kind.INDEX ? "index-" : "metadata-") + number;
    }
}
