package io.dedupstore.core.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/**
 * Loses requests and answers, repeats requests, and delivers some of them much later, as often as
 * chance wants. Everything that is sent is a pause.
 */
final class Network {
    private static final int MAX_LATE = 50;

    private final Random random;
    private final Scheduler scheduler;
    private final List<Runnable> late = new ArrayList<>();
    private int percent;

    Network(Random random, Scheduler scheduler) {
        this.random = random;
        this.scheduler = scheduler;
    }

    /** How often something goes wrong, 0 for never. */
    void faults(int percentOfCalls) {
        percent = percentOfCalls;
    }

    /**
     * Sends a request and brings its answer.
     *
     * @param lost makes the exception of a caller that gets no answer
     */
    <T> T call(Supplier<T> request, Supplier<? extends RuntimeException> lost) {
        scheduler.pause();
        boolean fails = random.nextInt(100) < percent;
        int how = random.nextInt(4);
        if (fails && how == 0) {
            throw lost.get();
        }
        if (fails && how == 1) {
            later(request);
            throw lost.get();
        }
        T answer = request.get();
        if (fails && how == 2) {
            later(request);
        }
        scheduler.pause();
        if (fails && how == 3) {
            throw lost.get();
        }
        return answer;
    }

    private void later(Supplier<?> request) {
        if (late.size() < MAX_LATE) {
            late.add(
                    () -> {
                        try {
                            request.get();
                        } catch (RuntimeException e) {
                            // Nobody waits for this answer.
                            return;
                        }
                    });
        }
    }

    /** Some request that was thought to be lost, or its repetition, arrives. */
    void deliverLate() {
        if (!late.isEmpty()) {
            late.remove(random.nextInt(late.size())).run();
        }
    }

    int lateCount() {
        return late.size();
    }
}
