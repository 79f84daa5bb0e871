package io.dedupstore.server.s3.operation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Many clients, one key, one condition: exactly one of them may win. */
class ConditionalRaceTest {
    private static final int CLIENTS = 64;
    private static final int ROUNDS = 12;
    private final TestGateway gateway = new TestGateway();

    @BeforeEach
    void makeBucket() {
        assertThat(gateway.put("/race", "").status()).isEqualTo(200);
    }

    @AfterEach
    void close() {
        gateway.close();
    }

    @Test
    void oneCreatesTheObject() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            String target = "/race/new" + round;
            Map<Integer, List<Integer>> byStatus =
                    race(i -> new Call("PUT", target).header("if-none-match", "*").body("by " + i));
            assertThat(byStatus.get(200)).as("round %d", round).hasSize(1);
            assertThat(byStatus.get(412)).hasSize(CLIENTS - 1);
            assertThat(gateway.send("GET", target).text())
                    .isEqualTo("by " + byStatus.get(200).getFirst());
        }
    }

    @Test
    void oneReplacesWhatAllHaveSeen() throws Exception {
        gateway.put("/race/counter", "by nobody");
        for (int round = 0; round < ROUNDS; round++) {
            String seen = gateway.send("HEAD", "/race/counter").header("etag");
            int thisRound = round;
            Map<Integer, List<Integer>> byStatus =
                    race(
                            i ->
                                    new Call("PUT", "/race/counter")
                                            .header("if-match", seen)
                                            .body("by " + thisRound + "/" + i));
            assertThat(byStatus.get(200)).as("round %d", round).hasSize(1);
            assertThat(byStatus.get(412)).hasSize(CLIENTS - 1);
            assertThat(gateway.send("GET", "/race/counter").text())
                    .isEqualTo("by " + round + "/" + byStatus.get(200).getFirst());
        }
    }

    /** Numbers of the clients by the status they got. */
    private Map<Integer, List<Integer>> race(Function<Integer, Call> call) throws Exception {
        CountDownLatch ready = new CountDownLatch(CLIENTS);
        CountDownLatch go = new CountDownLatch(1);
        Map<Integer, List<Integer>> byStatus = new HashMap<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Answer>> answers = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                int client = i;
                answers.add(
                        threads.submit(
                                () -> {
                                    ready.countDown();
                                    go.await();
                                    return gateway.send(call.apply(client));
                                }));
            }
            ready.await();
            go.countDown();
            for (int i = 0; i < CLIENTS; i++) {
                byStatus.computeIfAbsent(answers.get(i).get().status(), s -> new ArrayList<>())
                        .add(i);
            }
        }
        return byStatus;
    }
}
