package io.dedupstore.client.admin;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A long operation of one node.
 *
 * @param kind index-prune, index-preload, index-rebuild, index-shrink, index-verify and others; one
 *     of each runs at a time
 * @param startedBy admin, or quota where the server began it itself
 * @param state running, done, failed or cancelled
 * @param phase what it does now, or did last
 * @param unit what is counted in this phase
 * @param total of this phase; 0 while it is not known
 * @param perSecond units in the last seconds; of the whole phase once it ended
 * @param etaSeconds until the end of this phase; absent when nobody can tell
 * @param errors the first of them
 * @param errorCount all of them
 * @param startedAt ISO 8601, UTC
 * @param endedAt absent while it runs
 * @param result the report of its kind; of what was done so far when it was cancelled
 */
public record JobReport(
        long id,
        String kind,
        String startedBy,
        String state,
        String phase,
        String unit,
        long done,
        long total,
        double perSecond,
        @Nullable Long etaSeconds,
        List<String> errors,
        long errorCount,
        String startedAt,
        @Nullable String endedAt,
        @Nullable JsonNode result) {
    public static final String RUNNING = "running";
    public static final String DONE = "done";

    public JobReport {
        errors = List.copyOf(errors);
    }

    public boolean ended() {
        return !state.equals(RUNNING);
    }
}
