package io.dedupstore.client.cli;

import io.dedupstore.client.admin.AdminClient;
import io.dedupstore.client.admin.JobReport;
import java.io.IOException;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A verb that begins a job, waits for it with its progress shown, and prints what came of it. */
abstract class JobVerb<R> extends AdminVerb<JobReport> {
    private final Class<R> type;
    private @Nullable R result;

    @Option(names = "--detach", description = "Do not wait; dedup admin jobs shows how far it is.")
    private boolean detach;

    @Spec private CommandSpec verb;

    JobVerb(Class<R> type) {
        this.type = type;
    }

    abstract JobReport begin(AdminClient client);

    abstract void printResult(R what, PrintWriter out);

    /** For verbs whose result may be a bad one. */
    int exitCodeOf(R what) {
        return 0;
    }

    @Override
    final int exitCode(JobReport job) {
        R what = result;
        return what == null ? 0 : exitCodeOf(what);
    }

    @Override
    final JobReport ask(AdminClient client) throws IOException {
        JobReport job = begin(client);
        if (detach) {
            return job;
        }
        PrintWriter err = verb.commandLine().getErr();
        JobReport ended = new JobWait(client, err, System.console() != null).untilEnd(job);
        result = client.result(ended, type);
        return ended;
    }

    @Override
    final void print(JobReport job, PrintWriter out) {
        R what = result;
        if (what == null) {
            out.println("job %d (%s) was begun".formatted(job.id(), job.kind()));
            return;
        }
        if (!job.state().equals(JobReport.DONE)) {
            out.println("job %d was %s; until then:".formatted(job.id(), job.state()));
        }
        printResult(what, out);
    }
}
