package io.dedupstore.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.client.admin.AdminClient;
import io.dedupstore.client.admin.IndexReport;
import io.dedupstore.client.admin.JobReport;
import io.dedupstore.client.admin.SessionList;
import io.dedupstore.client.admin.VerifyReport;
import java.time.Duration;
import java.util.List;

/** What must hold of references once nothing is under way any more. */
final class IndexChecks {
    private static final Duration DEADLINE = Duration.ofMinutes(4);
    private static final int NAMED_DIFFERENCES = 50;

    private IndexChecks() {}

    /** Returns when no write is undecided and nothing waits for collection. */
    static void settle(AdminClient admin) {
        assertThat(Eventually.holds(DEADLINE, () -> isSettled(admin)))
                .as("nothing is open: %s", admin.index())
                .isTrue();
    }

    private static boolean isSettled(AdminClient admin) {
        IndexReport index = admin.index();
        return index.openIntents() + index.settlingIntents() + index.entries().zombies() == 0;
    }

    /** The job's report once it has ended. */
    static JobReport ended(AdminClient admin, JobReport begun) {
        assertThat(Eventually.holds(DEADLINE, () -> admin.job(begun.id()).ended()))
                .as("job %d (%s) ends", begun.id(), begun.kind())
                .isTrue();
        return admin.job(begun.id());
    }

    static VerifyReport verify(AdminClient admin) {
        VerifyReport report =
                admin.result(
                        ended(admin, admin.verifyIndex(NAMED_DIFFERENCES)), VerifyReport.class);
        assertThat(report.complete()).isTrue();
        return report;
    }

    /**
     * With nobody writing: every earlier epoch closes, no intent, no zombie and no slot without
     * owner is left, every owner has what it counts on, and the books agree.
     */
    static void assertNothingIsLeft(AdminClient admin, String when) {
        assertThat(Eventually.holds(DEADLINE, () -> earlierEpochsAreClosed(admin)))
                .as("%s: epochs of earlier processes are closed: %s", when, admin.sessions())
                .isTrue();
        settle(admin);
        VerifyReport verified = verify(admin);
        assertThat(verified.differences()).as(when).isEmpty();
        assertThat(verified.skippedContainers()).as(when).isZero();
        IndexReport index = admin.index();
        assertThat(index.audit().balanced()).as("%s: audit", when).isTrue();
        assertThat(index.audit().failures()).as("%s: failed audits", when).isZero();
        assertThat(index.anomalies()).as("%s: anomalies", when).isZero();
        assertThat(index.unreadable()).as("%s: unreadable entries", when).isZero();
    }

    /** Newest first: the first session is that of the running process. */
    private static boolean earlierEpochsAreClosed(AdminClient admin) {
        List<SessionList.Session> sessions = admin.sessions().sessions();
        return sessions.stream().skip(1).allMatch(session -> session.state().equals("closed"));
    }
}
