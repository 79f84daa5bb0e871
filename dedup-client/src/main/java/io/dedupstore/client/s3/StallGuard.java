package io.dedupstore.client.s3;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Breaks bodies from which nothing has come for a minute: the JDK's client has no time-out once the
 * head has arrived. One daemon thread for all streams.
 */
final class StallGuard implements AutoCloseable {
    private static final Duration LOOK_EVERY = Duration.ofSeconds(5);
    private static final Duration LONGEST_STALL = Duration.ofMinutes(1);

    private final Set<ObjectStream> streams = ConcurrentHashMap.newKeySet();
    private final Thread thread;

    StallGuard() {
        thread = Thread.ofPlatform().daemon().name("s3-stall-guard").start(this::run);
    }

    void add(ObjectStream stream) {
        streams.add(stream);
    }

    void remove(ObjectStream stream) {
        streams.remove(stream);
    }

    private void run() {
        try {
            while (true) {
                Thread.sleep(LOOK_EVERY);
                long now = System.nanoTime();
                streams.forEach(stream -> stream.breakIfWaitingSince(now, LONGEST_STALL));
            }
        } catch (InterruptedException e) {
            // The reader is closed.
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
