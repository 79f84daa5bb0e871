package io.dedupstore.server.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedupstore.core.state.ReplicationException;
import io.dedupstore.core.state.ReplicationException.Code;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.ratis.protocol.exceptions.ResourceUnavailableException;
import org.junit.jupiter.api.Test;

class CommandMergerTest {
    /** An entry handed over, and the future that says what became of it. */
    private record Sent(Entry entry, CompletableFuture<Object> outcome) {
        void apply() {
            entry.complete(entry.operations().stream().map(Operation::command).toList());
            outcome.complete("applied");
        }

        int size() {
            return entry.operations().size();
        }
    }

    private final List<Sent> sent = new ArrayList<>();
    private long now;
    private final CommandMerger merger = new CommandMerger(this::send, Runnable::run, () -> now);

    private CompletableFuture<?> send(Entry entry) {
        Sent handed = new Sent(entry, new CompletableFuture<>());
        sent.add(handed);
        return handed.outcome();
    }

    private Operation submit(int bytes) {
        Operation operation = new Operation(new byte[bytes]);
        merger.submit(operation);
        return operation;
    }

    @Test
    void aLoneCommandLeavesAtOnce() {
        Operation operation = submit(10);

        assertThat(sent).hasSize(1);
        sent.getFirst().apply();
        assertThat(operation.reply()).isCompletedWithValue(operation.command());
    }

    @Test
    void whatArrivesWhileAnEntryIsOnItsWayBecomesTheNextOne() {
        submit(10);
        submit(10);
        submit(10);
        assertThat(sent).hasSize(1);

        sent.getFirst().apply();

        assertThat(sent).hasSize(2);
        assertThat(sent.get(1).size()).isEqualTo(2);
    }

    private Operation submitPatiently(int bytes) {
        Operation operation = new Operation(new byte[bytes]);
        merger.submitPatiently(operation);
        return operation;
    }

    @Test
    void commandsThatCanWaitLeaveBehindAllOthersAndNeverWithThem() {
        submit(1);
        Operation patient = submitPatiently(2);
        submit(3);
        submit(4);

        sent.get(0).apply();
        assertThat(sent.get(1).size()).isEqualTo(2);
        assertThat(merger.patientTurns()).isZero();
        sent.get(1).apply();
        assertThat(sent.get(2).entry().operations()).containsExactly(patient);
        assertThat(merger.patientTurns()).isOdd();
        sent.get(2).apply();
        assertThat(merger.patientTurns()).isEqualTo(2);
    }

    @Test
    void aCommandThatCanWaitLeavesAtOnceWhenNothingElseDoes() {
        submitPatiently(1);
        assertThat(sent).hasSize(1);
    }

    @Test
    void aCommandThatHasWaitedLongGoesFirstButNeverTwiceInARow() {
        submit(1);
        submitPatiently(CommandMerger.MAX_PATIENT_ENTRY_BYTES);
        submitPatiently(CommandMerger.MAX_PATIENT_ENTRY_BYTES);
        submit(2);
        now = CommandMerger.LONGEST_WAIT.toNanos();
        sent.get(0).apply();
        submit(3);
        sent.get(1).apply();
        sent.get(2).apply();
        sent.get(3).apply();

        assertThat(sent.stream().map(one -> one.entry().operations().getFirst().command().length))
                .containsExactly(
                        1,
                        CommandMerger.MAX_PATIENT_ENTRY_BYTES,
                        2,
                        CommandMerger.MAX_PATIENT_ENTRY_BYTES);
    }

    @Test
    void commandsThatCanWaitAreRefusedAndTakenBackLikeOthers() {
        submit(1);
        Operation first = submitPatiently(2);
        Operation second = submitPatiently(3);
        assertThat(merger.withdraw(first)).isTrue();
        merger.close(new ReplicationException(Code.NOT_ACCEPTED, "closing"));
        assertThat(code(second)).isEqualTo(Code.NOT_ACCEPTED);
    }

    @Test
    void anEntryHoldsAtMostSoManyOperations() {
        submit(10);
        for (int i = 0; i < CommandMerger.MAX_OPERATIONS + 5; i++) {
            submit(1);
        }

        sent.getFirst().apply();
        assertThat(sent.get(1).size()).isEqualTo(CommandMerger.MAX_OPERATIONS);
        sent.get(1).apply();
        assertThat(sent.get(2).size()).isEqualTo(5);
    }

    @Test
    void anEntryHoldsAtMostSoManyBytes() {
        submit(10);
        for (int i = 0; i < 5; i++) {
            submit(100_000);
        }

        sent.getFirst().apply();
        assertThat(sent.get(1).size()).isEqualTo(2);
    }

    @Test
    void aLargeCommandTravelsAlone() {
        submit(10);
        submit(10);
        submit(CommandMerger.MAX_COMMAND_BYTES);
        submit(10);

        sent.getFirst().apply();
        sent.get(1).apply();
        sent.get(2).apply();

        assertThat(sent.stream().map(Sent::size)).containsExactly(1, 1, 1, 1);
        assertThat(sent.get(2).entry().operations().getFirst().command())
                .hasSize(CommandMerger.MAX_COMMAND_BYTES);
    }

    @Test
    void aTooLargeCommandIsTheCallersMistake() {
        assertThatThrownBy(() -> submit(CommandMerger.MAX_COMMAND_BYTES + 1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aFailedEntryFailsAllItsOperationsAndTheNextOneLeaves() {
        submit(1);
        Operation second = submit(2);
        Operation third = submit(3);
        sent.getFirst().apply();
        Operation fourth = submit(4);

        sent.get(1).outcome().completeExceptionally(new IllegalStateException("log broke"));

        assertThat(code(second)).isEqualTo(Code.UNKNOWN);
        assertThat(code(third)).isEqualTo(Code.UNKNOWN);
        sent.get(2).apply();
        assertThat(fourth.reply()).isCompletedWithValue(fourth.command());
    }

    @Test
    void aRefusalBeforeTheLogIsCertain() {
        Operation operation = submit(1);

        sent.getFirst().outcome().completeExceptionally(new ResourceUnavailableException("full"));

        assertThat(code(operation)).isEqualTo(Code.NOT_ACCEPTED);
    }

    @Test
    void anAppliedEntryWithoutRepliesHasAnUnknownOutcome() {
        Operation operation = submit(1);

        sent.getFirst().outcome().complete("applied");

        assertThat(code(operation)).isEqualTo(Code.UNKNOWN);
    }

    @Test
    void aWaitingCommandCanBeTakenBackAndOneThatLeftCannot() {
        Operation first = submit(1);
        Operation second = submit(2);

        assertThat(merger.withdraw(first)).isFalse();
        assertThat(merger.withdraw(second)).isTrue();
        sent.getFirst().apply();
        assertThat(sent).hasSize(1);
    }

    @Test
    void closingRefusesWhatWaitsAndWhatComes() {
        submit(1);
        Operation waiting = submit(2);

        merger.close(new ReplicationException(Code.NOT_ACCEPTED, "closing"));

        assertThat(code(waiting)).isEqualTo(Code.NOT_ACCEPTED);
        assertThatThrownBy(() -> submit(3)).hasMessage("closing");
        sent.getFirst().apply();
        assertThat(sent).hasSize(1);
    }

    @Test
    void tooManyWaitingCommandsAreNotAccepted() {
        submit(1);
        for (int i = 0; i < CommandMerger.MAX_WAITING_OPERATIONS; i++) {
            submit(1);
        }

        assertThatThrownBy(() -> submit(1))
                .isInstanceOfSatisfying(
                        ReplicationException.class,
                        e -> assertThat(e.code()).isEqualTo(Code.NOT_ACCEPTED));
    }

    private static Code code(Operation operation) {
        try {
            operation.reply().get();
            throw new AssertionError("did not fail");
        } catch (ExecutionException e) {
            return ((ReplicationException) e.getCause()).code();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
