package io.dedupstore.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PacedLoopTest {
    private static final Duration NONE = Duration.ZERO;
    private static final Duration LONG = Duration.ofHours(1);
    private static final int SECONDS = 20;

    private final Semaphore steps = new Semaphore(0);

    private void awaitSteps(int count) throws InterruptedException {
        assertThat(steps.tryAcquire(count, SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void goesOnWhileItGetsSomewhereAndThenSleepsUntilWoken() throws InterruptedException {
        AtomicInteger left = new AtomicInteger(3);
        try (PacedLoop loop =
                new PacedLoop(
                        "test",
                        () -> {
                            steps.release();
                            return left.decrementAndGet() > 0;
                        },
                        NONE,
                        LONG)) {
            loop.start();
            awaitSteps(3);
            loop.wake();
            awaitSteps(1);
        }
        assertThat(steps.availablePermits()).isZero();
    }

    @Test
    void withoutProgressItLooksAgainAfterTheLongestPause() throws InterruptedException {
        try (PacedLoop loop =
                new PacedLoop(
                        "test",
                        () -> {
                            steps.release();
                            return false;
                        },
                        NONE,
                        Duration.ofMillis(1))) {
            loop.start();
            awaitSteps(3);
        }
    }

    @Test
    void aStepThatFailsIsTriedAgain() throws InterruptedException {
        try (PacedLoop loop =
                new PacedLoop(
                        "test",
                        () -> {
                            steps.release();
                            throw new IllegalStateException("on purpose");
                        },
                        NONE,
                        Duration.ofMillis(1))) {
            loop.start();
            awaitSteps(3);
        }
    }

    @Test
    void anErrorDoesNotEndTheThread() throws InterruptedException {
        try (PacedLoop loop =
                new PacedLoop(
                        "test",
                        () -> {
                            steps.release();
                            throw new AssertionError("on purpose");
                        },
                        NONE,
                        Duration.ofMillis(1))) {
            loop.start();
            awaitSteps(2);
        }
    }

    @Test
    void aWakeDuringAStepIsNotLost() throws InterruptedException {
        CountDownLatch inStep = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicInteger count = new AtomicInteger();
        try (PacedLoop loop =
                new PacedLoop(
                        "test",
                        () -> {
                            if (count.getAndIncrement() == 0) {
                                inStep.countDown();
                                await(goOn);
                            }
                            steps.release();
                            return false;
                        },
                        NONE,
                        LONG)) {
            loop.start();
            assertThat(inStep.await(SECONDS, TimeUnit.SECONDS)).isTrue();
            loop.wake();
            goOn.countDown();
            awaitSteps(2);
        }
    }

    @Test
    void hurryDoesNotGather() throws InterruptedException {
        try (PacedLoop loop =
                new PacedLoop(
                        "test",
                        () -> {
                            steps.release();
                            return false;
                        },
                        LONG,
                        LONG)) {
            loop.start();
            loop.hurry(true);
            awaitSteps(1);
        }
    }

    @Test
    void closingLetsARunningStepFinishAndBeginsNone() throws InterruptedException {
        CountDownLatch inStep = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        PacedLoop loop =
                new PacedLoop(
                        "test",
                        () -> {
                            inStep.countDown();
                            await(goOn);
                            steps.release();
                            return true;
                        },
                        NONE,
                        NONE);
        loop.start();
        assertThat(inStep.await(SECONDS, TimeUnit.SECONDS)).isTrue();
        loop.stop();
        goOn.countDown();
        loop.close();
        assertThat(steps.availablePermits()).isEqualTo(1);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(SECONDS, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
