package io.dedupstore.bench.workload;

import java.nio.ByteBuffer;
import java.util.OptionalLong;

/**
 * Data made from a spec: records, and objects made of them. Nothing is stored; every byte is made
 * again when it is asked for. Any number of threads.
 */
public final class Workload {
    static final int MAX_VERSION = 1 << 16;

    private final WorkloadSpec spec;
    private final RecordPlan plan;
    private final ContentBytes bytes;

    public Workload(WorkloadSpec spec) {
        this.spec = spec;
        this.plan = RecordPlan.of(spec);
        this.bytes = new ContentBytes(spec.seed(), spec.compressionRatio());
    }

    public WorkloadSpec spec() {
        return spec;
    }

    /**
     * Number of a record's content: equal where the bytes are, different where they are not.
     *
     * @param record from 0 to below {@link WorkloadSpec#records()}
     */
    public long content(long record) {
        if (record < 0 || record >= spec.records()) {
            throw new IndexOutOfBoundsException(
                    "record " + record + " of a workload of " + spec.records());
        }
        return plan.content(record);
    }

    /**
     * Fills what remains of the target with a record's bytes from its first one on. A target longer
     * than a record gets what the content would go on with.
     */
    public void fillRecord(long record, ByteBuffer target) {
        bytes.fill(content(record), 0, target);
    }

    /**
     * Number of the content whose first bytes these are, if they are one's at all; 16 of them are
     * enough.
     */
    public OptionalLong recognise(ByteBuffer firstBytes) {
        return recognise(firstBytes, 0);
    }

    OptionalLong recognise(ByteBuffer found, long offset) {
        OptionalLong content = bytes.recognise(found, offset);
        return content.isPresent() && mayBe(content.getAsLong()) ? content : OptionalLong.empty();
    }

    private boolean mayBe(long content) {
        long number = content & StretchPlan.DUPLICATED - 1;
        return switch ((int) (content >>> StretchPlan.KIND_SHIFT)) {
            case 0, 1 -> number < spec.records();
            case 2 -> number >>> WorkloadObject.VERSION_BITS < spec.objects();
            default -> false;
        };
    }

    /** An object's first version. */
    public WorkloadObject object(long number) {
        return object(number, 0);
    }

    /**
     * An object after some rounds of edits; costs the edits up to there, so keep it while in use.
     *
     * @param version from 0, which is before all edits, to 65536
     */
    public WorkloadObject object(long number, int version) {
        if (number < 0 || number >= spec.objects()) {
            throw new IndexOutOfBoundsException(
                    "object " + number + " of a workload of " + spec.objects());
        }
        if (version < 0 || version > MAX_VERSION) {
            throw new IndexOutOfBoundsException("version " + version + " is not 0 to 65536");
        }
        return new WorkloadObject(this, bytes, number, version);
    }
}
