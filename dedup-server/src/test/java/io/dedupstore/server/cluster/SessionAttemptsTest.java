package io.dedupstore.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.core.control.Session;
import io.dedupstore.core.model.V;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class SessionAttemptsTest {
    @Test
    void everyAttemptHasAVOfItsOwn() throws Exception {
        SessionAttempts attempts = new SessionAttempts(new Session(3, 4));
        Set<V> seen = ConcurrentHashMap.newKeySet();
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Future<?>> running = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                running.add(
                        threads.submit(
                                () -> {
                                    for (int i = 0; i < 1_000; i++) {
                                        assertThat(seen.add(attempts.get())).isTrue();
                                    }
                                }));
            }
            for (Future<?> future : running) {
                future.get();
            }
        }
        assertThat(seen).hasSize(4_000).allMatch(v -> v.epoch() == 3 && v.session() == 4);
    }
}
