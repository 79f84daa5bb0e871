package io.dedupstore.bench.workload;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** One version of one object of a workload, to be made or checked in any order. One thread. */
public final class WorkloadObject {
    /** New bytes of edits are contents numbered from here, one for each object and version. */
    private static final long EDITED = 2L << StretchPlan.KIND_SHIFT;

    static final int VERSION_BITS = 17;
    private static final int CHECK_BYTES = 32 << 10;

    private final Workload workload;
    private final ContentBytes bytes;
    private final long number;
    private final int version;
    private final long length;
    private final long changedBytes;
    private final Piece[] pieces;
    private final long[] starts;
    private @Nullable ByteBuffer checking;

    /** The piece that was used last: most use goes on from there. */
    private int current;

    /** Bytes of one content, in the object and in the content. */
    private record Place(long content, long offset, long length) {}

    WorkloadObject(Workload workload, ContentBytes bytes, long number, int version) {
        this.workload = workload;
        this.bytes = bytes;
        this.number = number;
        this.version = version;
        EditedVersion.Result result = EditedVersion.of(workload.spec(), number, version);
        this.length = result.length();
        this.changedBytes = result.changedBytes();
        this.pieces = result.pieces().toArray(new Piece[0]);
        this.starts = new long[pieces.length];
        for (int i = 1; i < pieces.length; i++) {
            starts[i] = starts[i - 1] + pieces[i - 1].length();
        }
    }

    public long number() {
        return number;
    }

    public int version() {
        return version;
    }

    /** In bytes. */
    public long length() {
        return length;
    }

    /** Bytes that this version inserted, deleted and overwrote in the one before. */
    public long changedBytes() {
        return changedBytes;
    }

    /** Fills what remains of the target with the bytes from an offset on. */
    public void fill(long offset, ByteBuffer target) {
        Objects.checkFromIndexSize(offset, target.remaining(), length);
        int limit = target.limit();
        for (long at = offset; target.position() < limit; ) {
            Place place = place(at);
            int some = (int) Math.min(place.length, limit - target.position());
            bytes.fill(place.content, place.offset, target.limit(target.position() + some));
            at += some;
        }
    }

    public InputStream stream() {
        return stream(0);
    }

    /** The bytes from an offset on; shares this object's thread. */
    public InputStream stream(long offset) {
        return new ObjectStream(this, offset);
    }

    /**
     * Compares what remains of a buffer with the bytes from an offset on; the buffer is left as it
     * is.
     */
    public Optional<Mismatch> verify(long offset, ByteBuffer found) {
        Objects.checkFromIndexSize(offset, found.remaining(), length);
        if (checking == null) {
            checking = ByteBuffer.allocate(CHECK_BYTES);
        }
        ByteBuffer expected = checking;
        ByteBuffer rest = found.duplicate();
        for (long at = offset; rest.hasRemaining(); ) {
            int some = Math.min(CHECK_BYTES, rest.remaining());
            expected.clear().limit(some);
            fill(at, expected);
            ByteBuffer part = rest.slice(rest.position(), some);
            int differs = expected.flip().mismatch(part);
            if (differs >= 0) {
                return Optional.of(mismatch(at, differs, expected.get(differs), rest));
            }
            rest.position(rest.position() + some);
            at += some;
        }
        return Optional.empty();
    }

    /** Reads a stream to its end and compares all of it, length included. */
    public Optional<Mismatch> verify(InputStream found) throws IOException {
        byte[] tile = new byte[CHECK_BYTES];
        long at = 0;
        while (true) {
            int got = found.readNBytes(tile, 0, tile.length);
            int inside = (int) Math.min(got, length - at);
            Optional<Mismatch> mismatch = verify(at, ByteBuffer.wrap(tile, 0, inside));
            if (mismatch.isPresent()) {
                return mismatch;
            }
            if (got > inside) {
                int extra = tile[inside] & 0xff;
                return Optional.of(
                        new Mismatch(number, version, length, -1, extra, "there are more bytes"));
            }
            at += got;
            if (got < tile.length) {
                return at == length ? Optional.empty() : Optional.of(ended(at));
            }
        }
    }

    private Mismatch ended(long at) {
        ByteBuffer next = ByteBuffer.allocate(1);
        fill(at, next);
        return new Mismatch(
                number, version, at, next.get(0) & 0xff, -1, (length - at) + " bytes are missing");
    }

    private Mismatch mismatch(long at, int differs, byte expected, ByteBuffer rest) {
        ByteBuffer found = rest.slice(rest.position() + differs, rest.remaining() - differs);
        Place place = place(at + differs);
        found.limit((int) Math.min(place.length, found.remaining()));
        OptionalLong owner = workload.recognise(found, place.offset);
        return new Mismatch(
                number,
                version,
                at + differs,
                expected & 0xff,
                found.get(0) & 0xff,
                owner.isPresent() && owner.getAsLong() != place.content
                        ? "content %x stands where %x should"
                                .formatted(owner.getAsLong(), place.content)
                        : "content %x is damaged".formatted(place.content));
    }

    private Place place(long at) {
        Piece piece = pieces[pieceOf(at)];
        long within = at - starts[current];
        long offset = piece.offset() + within;
        long left = piece.length() - within;
        if (piece.version() > 0) {
            return new Place(EDITED | number << VERSION_BITS | piece.version(), offset, left);
        }
        WorkloadSpec spec = workload.spec();
        long record = offset / spec.recordBytes();
        long inRecord = offset % spec.recordBytes();
        return new Place(
                workload.content(number * spec.recordsPerObject() + record),
                inRecord,
                Math.min(left, spec.recordBytes() - inRecord));
    }

    private int pieceOf(long at) {
        long within = at - starts[current];
        if (within < 0 || within >= pieces[current].length()) {
            int found = Arrays.binarySearch(starts, at);
            current = found >= 0 ? found : -found - 2;
        }
        return current;
    }
}
