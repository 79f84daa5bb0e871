package io.dedupstore.client.s3;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** Pauses between tries, twice as long each time, with chance in them so that clients spread. */
final class Backoff {
    static final int TRIES = 6;
    private static final Duration FIRST = Duration.ofMillis(200);

    private int failures;

    /** Whether another try is due; waits for its time. */
    boolean pause() throws IOException {
        failures++;
        if (failures >= TRIES) {
            return false;
        }
        long longest = FIRST.toMillis() << (failures - 1);
        try {
            Thread.sleep(ThreadLocalRandom.current().nextLong(longest / 2, longest + 1));
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (IOException) new InterruptedIOException("interrupted").initCause(e);
        }
    }

    /** Something came: the next failure is a first one again. */
    void succeeded() {
        failures = 0;
    }
}
