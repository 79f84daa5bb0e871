package io.dedupstore.client.cli;

import io.dedupstore.client.admin.AdminClient;
import io.dedupstore.client.admin.JobReport;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintWriter;
import java.time.Duration;

/**
 * Waits for a job and shows how far it is: on a terminal in one line that changes, elsewhere one
 * line for each phase.
 */
final class JobWait {
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LAST_PAUSE = Duration.ofSeconds(1);

    private final AdminClient client;
    private final PrintWriter err;
    private final boolean terminal;
    private String shown = "";

    JobWait(AdminClient client, PrintWriter err, boolean terminal) {
        this.client = client;
        this.err = err;
        this.terminal = terminal;
    }

    /**
     * @throws IOException it failed
     */
    JobReport untilEnd(JobReport begun) throws IOException {
        JobReport job = begun;
        Duration pause = FIRST_PAUSE;
        while (!job.ended()) {
            show(job);
            sleep(pause);
            pause =
                    pause.multipliedBy(2).compareTo(LAST_PAUSE) > 0
                            ? LAST_PAUSE
                            : pause.multipliedBy(2);
            job = client.job(job.id());
        }
        if (terminal && !shown.isEmpty()) {
            err.println();
        }
        if (job.result() == null) {
            throw new IOException(
                    "job %d (%s) %s: %s"
                            .formatted(
                                    job.id(),
                                    job.kind(),
                                    job.state(),
                                    String.join("; ", job.errors())));
        }
        return job;
    }

    private void show(JobReport job) {
        if (terminal) {
            String line = JobLine.of(job);
            err.print("\r" + line + " ".repeat(Math.max(0, shown.length() - line.length())));
            shown = line;
        } else if (!shown.equals(job.phase())) {
            err.println("job %d: %s".formatted(job.id(), job.phase()));
            shown = job.phase();
        }
        err.flush();
    }

    private static void sleep(Duration pause) throws IOException {
        try {
            Thread.sleep(pause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (IOException)
                    new InterruptedIOException("interrupted; the job goes on").initCause(e);
        }
    }
}
