package io.dedupstore.core.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

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
    private long delivered;

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

    private <T> void later(Supplier<T> request) {
        if (late.size() < MAX_LATE) {
            late.add(() -> deliver(request));
        }
    }

    /** Nobody waits for this answer. */
    private static <T> @Nullable T deliver(Supplier<T> request) {
        try {
            return request.get();
        } catch (RuntimeException e) {
            return null;
        }
    }

    /**
     * Some request that was thought to be lost, or its repetition, arrives; perhaps not yet for
     * good.
     */
    void deliverLate() {
        if (!late.isEmpty()) {
            int which = random.nextInt(late.size());
            boolean again = percent > 0 && random.nextInt(4) == 0;
            (again ? late.get(which) : late.remove(which)).run();
            delivered++;
        }
    }

    /** Requests that arrived when nobody waited for them any more. */
    long deliveredLate() {
        return delivered;
    }

    int lateCount() {
        return late.size();
    }
}
