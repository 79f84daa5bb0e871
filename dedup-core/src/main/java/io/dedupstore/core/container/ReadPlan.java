package io.dedupstore.core.container;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Which bytes to read for some records of a container: neighbours with one call. */
public final class ReadPlan {
    /** Reading so much for nothing is cheaper than another call. */
    public static final int MAX_GAP_BYTES = 64 << 10;

    /** No run is longer, but for a single record. */
    public static final int MAX_RUN_BYTES = 1 << 20;

    /**
     * One read call.
     *
     * @param members indices into the wanted slots, in the order of the file
     * @param entries indices into the slot table, one for each member
     */
    public record Run(long offset, int length, int[] members, int[] entries) {}

    private ReadPlan() {}

    /**
     * @param entries for each wanted slot its entry in the table
     */
    public static List<Run> of(SlotTable table, int[] entries) {
        long[] order = new long[entries.length];
        for (int i = 0; i < entries.length; i++) {
            order[i] = (long) entries[i] << 32 | i;
        }
        Arrays.sort(order);
        List<Run> runs = new ArrayList<>();
        int from = 0;
        while (from < order.length) {
            long start = table.offset((int) (order[from] >>> 32));
            long end = start;
            int to = from;
            while (to < order.length) {
                int entry = (int) (order[to] >>> 32);
                long offset = table.offset(entry);
                long newEnd = Math.max(end, offset + table.recordLength(entry));
                boolean joins = offset - end <= MAX_GAP_BYTES && newEnd - start <= MAX_RUN_BYTES;
                if (to > from && !joins) {
                    break;
                }
                end = newEnd;
                to++;
            }
            runs.add(run(order, from, to, start, (int) (end - start)));
            from = to;
        }
        return runs;
    }

    private static Run run(long[] order, int from, int to, long offset, int length) {
        int[] members = new int[to - from];
        int[] entries = new int[to - from];
        for (int i = from; i < to; i++) {
            members[i - from] = (int) order[i];
            entries[i - from] = (int) (order[i] >>> 32);
        }
        return new Run(offset, length, members, entries);
    }
}
