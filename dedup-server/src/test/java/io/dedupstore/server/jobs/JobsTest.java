package io.dedupstore.server.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class JobsTest {
    private static final long DEADLINE_MILLIS = 10_000;
    private static final long SECOND = 1_000_000_000L;

    private final AtomicLong nanos = new AtomicLong();
    private final Jobs jobs = new Jobs(() -> Instant.EPOCH, nanos::get);

    @AfterEach
    void close() {
        jobs.close();
    }

    private static JobState ended(Job job) throws InterruptedException {
        assertThat(job.await(DEADLINE_MILLIS)).isTrue();
        return job.state();
    }

    @Test
    void aJobEndsWithItsResult() throws InterruptedException {
        JobState state = ended(jobs.start("prune", "admin", progress -> "much"));

        assertThat(state.state()).isEqualTo(JobState.State.DONE);
        assertThat(state.result()).isEqualTo("much");
        assertThat(state.ended()).isEqualTo(Instant.EPOCH);
        assertThat(state.kind()).isEqualTo("prune");
        assertThat(state.by()).isEqualTo("admin");
    }

    @Test
    void aJobThatThrowsHasFailedAndSaysWhy() throws InterruptedException {
        JobState state =
                ended(
                        jobs.start(
                                "shrink",
                                "admin",
                                progress -> {
                                    throw new IllegalStateException("no room");
                                }));

        assertThat(state.state()).isEqualTo(JobState.State.FAILED);
        assertThat(state.errors()).containsExactly("no room");
        assertThat(state.result()).isNull();
    }

    @Test
    void oneOfAKindRunsAtATime() throws InterruptedException {
        CountDownLatch go = new CountDownLatch(1);
        Job first = jobs.start("verify", "admin", progress -> waitFor(go));

        assertThatThrownBy(() -> jobs.start("verify", "admin", progress -> ""))
                .isInstanceOfSatisfying(
                        JobException.class,
                        e -> assertThat(e.code()).isEqualTo(JobException.Code.RUNNING))
                .hasMessageContaining("job " + first.id());
        ended(jobs.start("prune", "admin", progress -> ""));
        go.countDown();
        ended(first);
        ended(jobs.start("verify", "admin", progress -> ""));
        assertThat(jobs.all()).extracting(Job::id).containsExactly(3L, 2L, 1L);
    }

    private static String waitFor(CountDownLatch go) throws InterruptedException {
        go.await();
        return "";
    }

    @Test
    void aCancelledJobKeepsWhatItDid() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        Job job =
                jobs.start(
                        "prune",
                        "admin",
                        progress -> {
                            begun.countDown();
                            while (!progress.cancelled()) {
                                Thread.onSpinWait();
                            }
                            return 7;
                        });
        begun.await();

        assertThat(jobs.cancel(job.id())).contains(job);
        JobState state = ended(job);
        assertThat(state.state()).isEqualTo(JobState.State.CANCELLED);
        assertThat(state.result()).isEqualTo(7);
        assertThat(jobs.cancel(job.id() + 1)).isEmpty();
    }

    @Test
    void aCancelThatCameTooLateChangesNothing() throws InterruptedException {
        Job job = jobs.start("prune", "admin", progress -> 1);
        ended(job);
        jobs.cancel(job.id());
        assertThat(job.state().state()).isEqualTo(JobState.State.DONE);
    }

    @Test
    void closingCancelsAndRefuses() {
        Job job =
                jobs.start(
                        "verify",
                        "admin",
                        progress -> {
                            while (!progress.cancelled()) {
                                Thread.onSpinWait();
                            }
                            return "";
                        });
        jobs.close();

        assertThat(job.running()).isFalse();
        assertThatThrownBy(() -> jobs.start("verify", "admin", progress -> ""))
                .isInstanceOfSatisfying(
                        JobException.class,
                        e -> assertThat(e.code()).isEqualTo(JobException.Code.CLOSED));
    }

    @Test
    void rateAndEstimateFollowTheLastSeconds() {
        Progress progress = new Progress(nanos::get);
        progress.phase("scanning", "entries", 1_000);
        nanos.addAndGet(2 * SECOND);
        progress.at(200);

        JobState state = progress.state(running());
        assertThat(state.perSecond()).isEqualTo(100);
        assertThat(state.etaSeconds()).isEqualTo(8);
        assertThat(state.phase()).isEqualTo("scanning");
        assertThat(state.unit()).isEqualTo("entries");

        progress.phase("removing", "entries", 0);
        assertThat(progress.state(running()).etaSeconds()).isEqualTo(-1);
        assertThat(progress.state(running()).done()).isZero();
    }

    @Test
    void aTotalThatWasTooSmallGrows() {
        Progress progress = new Progress(nanos::get);
        progress.phase("scanning", "entries", 10);
        progress.at(12);
        assertThat(progress.state(running()).total()).isEqualTo(12);
    }

    @Test
    void onlyTheFirstErrorsAreKeptButAllAreCounted() {
        Progress progress = new Progress(nanos::get);
        for (int i = 0; i < 1_000; i++) {
            progress.error("error " + i);
        }
        JobState state = progress.state(running());
        assertThat(state.errors()).hasSize(20).startsWith("error 0");
        assertThat(state.errorCount()).isEqualTo(1_000);
    }

    @Test
    void onlyTheLastOnesAreRemembered() throws InterruptedException {
        for (int i = 0; i < 110; i++) {
            ended(jobs.start("prune", "admin", progress -> ""));
        }
        assertThat(jobs.all()).hasSize(101);
        assertThat(jobs.find(1)).isEmpty();
        assertThat(jobs.find(110)).isPresent();
    }

    private static JobState running() {
        return new JobState(
                1,
                "prune",
                "admin",
                JobState.State.RUNNING,
                "",
                "",
                0,
                0,
                0,
                -1,
                java.util.List.of(),
                0,
                Instant.EPOCH,
                null,
                null);
    }
}
