package io.dedupstore.core.index;

import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.model.ReferenceSum;
import io.dedupstore.core.model.Retained;
import io.dedupstore.core.model.ShardId;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The row of an intent that is open or being settled.
 *
 * @param coordinator the metadata shard that decides
 * @param opened seconds since 1970: no entry it holds was touched earlier
 * @param answers recorded answers
 * @param settling the verdict and how far it has been carried out, or null while open
 */
record Intent(ShardId coordinator, long opened, int answers, @Nullable Settling settling) {
    /** The most answers of one intent: a holder has no more chunks. */
    static final int MAX_ANSWERS = 65_536;

    private static final byte VERSION = 1;
    private static final int HEAD_BYTES = 1 + 2 + 4 + 4 + 1;
    private static final byte OPEN = 0;
    private static final byte ALL = 1;
    private static final byte NONE = 2;
    private static final byte ALL_BUT = 3;

    /**
     * A verdict that is being carried out.
     *
     * @param after answers up to this fingerprint are done; null at the start
     */
    record Settling(Retained retained, @Nullable Fingerprint after) {}

    boolean open() {
        return settling == null;
    }

    byte[] toBytes() {
        Settling work = settling;
        if (work == null) {
            return head(HEAD_BYTES, OPEN).array();
        }
        Set<Fingerprint> dropped =
                work.retained() instanceof Retained.AllBut but ? but.dropped() : Set.of();
        int bytes = HEAD_BYTES + 1 + Fingerprint.BYTES * (1 + dropped.size());
        ByteBuffer out = head(bytes, kind(work.retained()));
        Fingerprint after = work.after();
        if (after == null) {
            out.put((byte) 0).position(out.position() + Fingerprint.BYTES);
        } else {
            out.put((byte) 1);
            after.write(out);
        }
        new TreeSet<>(dropped).forEach(f -> f.write(out));
        return out.array();
    }

    private ByteBuffer head(int bytes, byte kind) {
        return ByteBuffer.allocate(bytes)
                .put(VERSION)
                .putShort((short) coordinator.number())
                .putInt((int) opened)
                .putInt(answers)
                .put(kind);
    }

    private static byte kind(Retained retained) {
        return switch (retained) {
            case Retained.All(ReferenceSum sum) -> ALL;
            case Retained.None() -> NONE;
            case Retained.AllBut(Set<Fingerprint> dropped, ReferenceSum sum) -> ALL_BUT;
        };
    }

    static Intent read(byte[] row) {
        ByteBuffer in = ByteBuffer.wrap(row);
        byte version = in.get();
        if (version != VERSION) {
            throw new IllegalStateException(
                    "intent of format version " + version + ": a newer release wrote it");
        }
        ShardId coordinator = ShardId.metadata(in.getShort());
        long opened = Integer.toUnsignedLong(in.getInt());
        int answers = in.getInt();
        byte kind = in.get();
        return new Intent(
                coordinator, opened, answers, kind == OPEN ? null : readSettling(kind, in));
    }

    private static Settling readSettling(byte kind, ByteBuffer in) {
        boolean hasCursor = in.get() != 0;
        Fingerprint cursor = Fingerprint.read(in);
        Set<Fingerprint> dropped = new HashSet<>();
        while (in.hasRemaining()) {
            dropped.add(Fingerprint.read(in));
        }
        Retained retained =
                switch (kind) {
                    case ALL -> new Retained.All(ReferenceSum.ZERO);
                    case NONE -> new Retained.None();
                    case ALL_BUT -> new Retained.AllBut(dropped, ReferenceSum.ZERO);
                    default -> throw new IllegalStateException("intent with verdict kind " + kind);
                };
        return new Settling(retained, hasCursor ? cursor : null);
    }
}
