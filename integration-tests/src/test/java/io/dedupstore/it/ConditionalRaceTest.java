package io.dedupstore.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.ResponseBytes;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** As lock files and table formats use a store: many clients create one key, one succeeds. */
class ConditionalRaceTest {
    private static final int CLIENTS = 64;
    private static final int ROUNDS = 20;

    @Test
    void exactlyOneOf64ClientsWinsEachRound() throws Exception {
        try (ServerProcess server = ServerProcess.start("race");
                ExecutorService threads = Executors.newFixedThreadPool(CLIENTS)) {
            List<S3Client> clients = new ArrayList<>();
            try {
                for (int i = 0; i < CLIENTS; i++) {
                    clients.add(S3Clients.withoutRetries(server));
                }
                clients.getFirst().createBucket(b -> b.bucket("race"));
                for (int round = 0; round < ROUNDS; round++) {
                    assertThat(winners(threads, clients, "lock-" + round))
                            .as("winners of round %d", round)
                            .hasSize(1);
                }
                assertThat(increments(threads, clients)).isEqualTo(CLIENTS);
            } finally {
                clients.forEach(S3Client::close);
            }
        }
    }

    private static List<Integer> winners(
            ExecutorService threads, List<S3Client> clients, String key) throws Exception {
        List<Callable<Boolean>> attempts = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            int client = i;
            attempts.add(() -> creates(clients.get(client), key, client));
        }
        List<Integer> winners = new ArrayList<>();
        List<Future<Boolean>> outcomes = threads.invokeAll(attempts);
        for (int i = 0; i < CLIENTS; i++) {
            if (outcomes.get(i).get()) {
                winners.add(i);
            }
        }
        String kept =
                clients.getFirst().getObjectAsBytes(b -> b.bucket("race").key(key)).asUtf8String();
        assertThat(winners).as("the winner is who is read").contains(Integer.parseInt(kept));
        return winners;
    }

    private static boolean creates(S3Client client, String key, int number) {
        try {
            client.putObject(
                    b -> b.bucket("race").key(key).ifNoneMatch("*"),
                    RequestBody.fromString(Integer.toString(number)));
            return true;
        } catch (S3Exception e) {
            assertThat(e.statusCode()).isIn(409, 412);
            return false;
        }
    }

    /** Every client adds one to a number that all share, each by compare and swap. */
    private static int increments(ExecutorService threads, List<S3Client> clients)
            throws Exception {
        clients.getFirst()
                .putObject(b -> b.bucket("race").key("number"), RequestBody.fromString("0"));
        List<Callable<Boolean>> attempts = new ArrayList<>();
        for (S3Client client : clients) {
            attempts.add(
                    () -> {
                        while (!increment(client)) {
                            Thread.onSpinWait();
                        }
                        return true;
                    });
        }
        for (Future<Boolean> outcome : threads.invokeAll(attempts)) {
            assertThat(outcome.get()).isTrue();
        }
        return Integer.parseInt(
                clients.getFirst()
                        .getObjectAsBytes(b -> b.bucket("race").key("number"))
                        .asUtf8String());
    }

    private static boolean increment(S3Client client) {
        ResponseBytes<GetObjectResponse> read =
                client.getObjectAsBytes(b -> b.bucket("race").key("number"));
        int next = Integer.parseInt(read.asUtf8String()) + 1;
        try {
            client.putObject(
                    b -> b.bucket("race").key("number").ifMatch(read.response().eTag()),
                    RequestBody.fromString(Integer.toString(next)));
            return true;
        } catch (S3Exception e) {
            assertThat(e.statusCode()).isIn(409, 412);
            return false;
        }
    }
}
