package io.dedupstore.server;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.dedupstore.client.admin.AdminJson;
import io.dedupstore.client.admin.JobList;
import io.dedupstore.client.admin.JobReport;
import io.dedupstore.server.admin.AdminException;
import io.dedupstore.server.admin.JobService;
import io.dedupstore.server.jobs.Job;
import io.dedupstore.server.jobs.JobState;
import io.dedupstore.server.jobs.Jobs;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Shows the jobs of this node. */
final class LiveJobService implements JobService {
    private static final ObjectMapper JSON = AdminJson.strict();

    private final Jobs jobs;

    LiveJobService(Jobs jobs) {
        this.jobs = jobs;
    }

    @Override
    public JobList jobs() {
        return new JobList(jobs.all().stream().map(LiveJobService::report).toList());
    }

    @Override
    public JobReport job(long id) {
        return jobs.find(id).map(LiveJobService::report).orElseThrow(() -> unknown(id));
    }

    @Override
    public JobReport cancel(long id) {
        return jobs.cancel(id).map(LiveJobService::report).orElseThrow(() -> unknown(id));
    }

    private static AdminException unknown(long id) {
        return new AdminException(
                AdminException.Code.NOT_FOUND,
                "there is no job " + id + " (any more): see the list of jobs, and the log");
    }

    static JobReport report(Job job) {
        JobState state = job.state();
        @Nullable Instant ended = state.ended();
        return new JobReport(
                state.id(),
                state.kind(),
                state.by(),
                state.state().name().toLowerCase(Locale.ROOT),
                state.phase(),
                state.unit(),
                state.done(),
                state.total(),
                Math.round(state.perSecond() * 10) / 10.0,
                state.etaSeconds() < 0 ? null : state.etaSeconds(),
                state.errors(),
                state.errorCount(),
                state.started().toString(),
                ended == null ? null : ended.toString(),
                state.result() == null ? null : JSON.valueToTree(state.result()));
    }
}
