package io.dedupstore.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.core.control.ControlService;
import io.dedupstore.core.control.Session;
import io.dedupstore.core.model.V;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class GatewaySessionsTest {
    private static final Duration RENEW = Duration.ofHours(1);
    private static final Duration KEEP = Duration.ofMinutes(75);

    private final List<Session> ended = new ArrayList<>();
    private int last = 2;
    private long nanos;

    /** Opens sessions 3.3, 4.4, ... and notes which are ended. */
    private GatewaySessions sessions() {
        ControlService control =
                (ControlService)
                        Proxy.newProxyInstance(
                                ControlService.class.getClassLoader(),
                                new Class<?>[] {ControlService.class},
                                (proxy, method, arguments) ->
                                        switch (method.getName()) {
                                            case "openSession", "renewSession" -> {
                                                last++;
                                                yield new Session(last, last);
                                            }
                                            case "endSession" -> ended.add((Session) arguments[0]);
                                            default -> throw new AssertionError(method);
                                        });
        return new GatewaySessions(control, "n1", RENEW, KEEP, () -> nanos);
    }

    private void pass(Duration time, GatewaySessions sessions) {
        nanos += time.toNanos();
        sessions.step();
    }

    @Test
    void everyAttemptHasAVOfItsOwn() throws Exception {
        GatewaySessions sessions = sessions();
        Set<V> seen = ConcurrentHashMap.newKeySet();
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Future<?>> running = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                running.add(
                        threads.submit(
                                () -> {
                                    for (int i = 0; i < 1_000; i++) {
                                        assertThat(seen.add(sessions.get())).isTrue();
                                        if (i % 100 == 0) {
                                            sessions.renew();
                                        }
                                    }
                                }));
            }
            for (Future<?> future : running) {
                future.get();
            }
        }
        assertThat(seen).hasSize(4_000);
    }

    @Test
    void attemptsThatBeganUntilAChangeWasDoneAreOfTheEpochsItNames() {
        GatewaySessions sessions = sessions();
        List<V> until = new ArrayList<>();
        until.add(sessions.get());
        int before = sessions.renewBehind(() -> until.add(sessions.get()));

        assertThat(until).allSatisfy(v -> assertThat(v.epoch()).isLessThanOrEqualTo(before));
        assertThat(sessions.get().epoch()).isGreaterThan(before);
    }

    @Test
    void aUsedSessionIsRenewedAndTheOldOneEndsMuchLater() {
        GatewaySessions sessions = sessions();
        assertThat(sessions.get()).isEqualTo(new V(3, 3, 0));
        pass(RENEW.minusSeconds(1), sessions);
        assertThat(sessions.current()).isEqualTo(new Session(3, 3));

        pass(Duration.ofSeconds(1), sessions);
        assertThat(sessions.get()).isEqualTo(new V(4, 4, 0));
        pass(KEEP.minusSeconds(1), sessions);
        assertThat(ended).isEmpty();
        pass(Duration.ofSeconds(1), sessions);
        assertThat(ended).containsExactly(new Session(3, 3));
    }

    @Test
    void aSessionThatMadeNothingNeedsNoOther() {
        GatewaySessions sessions = sessions();
        pass(RENEW.multipliedBy(100), sessions);
        assertThat(sessions.current()).isEqualTo(new Session(3, 3));
        assertThat(ended).isEmpty();
    }

    @Test
    void earlierSessionsCanBeEndedAtOnce() {
        GatewaySessions sessions = sessions();
        sessions.renew();
        sessions.renew();
        sessions.endEarlier();
        assertThat(ended).containsExactly(new Session(3, 3), new Session(4, 4));
        sessions.close();
        assertThat(ended).hasSize(3).endsWith(new Session(5, 5));
    }
}
