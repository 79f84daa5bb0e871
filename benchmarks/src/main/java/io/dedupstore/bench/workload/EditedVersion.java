package io.dedupstore.bench.workload;

import java.util.ArrayList;
import java.util.List;

/** An object's pieces while edits are applied, version after version. One thread. */
final class EditedVersion {
    private static final long EDIT_KEY = 3;

    private final WorkloadSpec spec;
    private final long object;
    private List<Piece> pieces;
    private long length;
    private long changed;

    /** New bytes of the version that is being made. */
    private long fresh;

    EditedVersion(WorkloadSpec spec, long object) {
        this.spec = spec;
        this.object = object;
        this.length = spec.objectBytes();
        this.pieces = List.of(new Piece(0, 0, length));
    }

    /**
     * @param changedBytes bytes that the last version inserted, deleted and overwrote
     */
    record Result(List<Piece> pieces, long length, long changedBytes) {}

    static Result of(WorkloadSpec spec, long object, int version) {
        EditedVersion result = new EditedVersion(spec, object);
        for (int i = 1; i <= version; i++) {
            result.edit(i);
        }
        return result.result();
    }

    Result result() {
        return new Result(List.copyOf(pieces), length, changed);
    }

    private void edit(int version) {
        Edits edits = spec.edits();
        fresh = 0;
        changed = 0;
        Draw draw =
                new Draw(
                        Mixing.key(Mixing.key(spec.seed(), Mixing.key(EDIT_KEY, object)), version));
        if (draw.fraction() >= edits.objectShare()) {
            return;
        }
        replace(version, 0, 0, edits.shiftBytes());
        for (int i = 0; i < edits.perObject(); i++) {
            double kind = draw.fraction();
            long bytes = 1 + draw.below(2L * edits.meanBytes() - 1);
            // At least half of the object stays, whatever is asked.
            long atMost = Math.min(bytes, length / 2);
            if (kind < edits.insertShare()) {
                replace(version, draw.below(length + 1), 0, bytes);
            } else if (kind < edits.insertShare() + edits.deleteShare()) {
                replace(version, draw.below(length - atMost + 1), atMost, 0);
            } else {
                replace(version, draw.below(length - atMost + 1), atMost, atMost);
            }
        }
    }

    /** Puts new bytes in the place of old ones; either may be none. */
    void replace(int version, long at, long removed, long inserted) {
        if (removed == 0 && inserted == 0) {
            return;
        }
        List<Piece> next = new ArrayList<>(pieces.size() + 2);
        boolean placed = inserted == 0;
        long start = 0;
        for (Piece piece : pieces) {
            long end = start + piece.length();
            if (start < at) {
                next.add(piece.upTo(Math.min(piece.length(), at - start)));
            }
            if (!placed && end >= at) {
                next.add(new Piece(version, fresh, inserted));
                placed = true;
            }
            if (end > at + removed) {
                next.add(piece.from(Math.max(0, at + removed - start)));
            }
            start = end;
        }
        pieces = next;
        fresh += inserted;
        length += inserted - removed;
        changed += Math.max(inserted, removed);
    }
}
