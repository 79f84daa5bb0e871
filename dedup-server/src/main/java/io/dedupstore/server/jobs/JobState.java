package io.dedupstore.server.jobs;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a job is at one moment.
 *
 * @param by who started it
 * @param phase what it does now, or did last
 * @param unit what is counted in this phase
 * @param total of this phase; 0 while it is not known
 * @param perSecond units in the last seconds, or of the whole phase once it ended
 * @param etaSeconds until the end of this phase; -1 when nobody can tell
 * @param errors the first of them
 * @param errorCount all of them
 * @param ended null while it runs
 * @param result null while it runs, and when it failed
 */
public record JobState(
        long id,
        String kind,
        String by,
        State state,
        String phase,
        String unit,
        long done,
        long total,
        double perSecond,
        long etaSeconds,
        List<String> errors,
        long errorCount,
        Instant started,
        @Nullable Instant ended,
        @Nullable Object result) {
    /** Where in its life it is. */
    public enum State {
        RUNNING,
        DONE,
        FAILED,
        CANCELLED
    }

    public JobState {
        errors = List.copyOf(errors);
    }
}
