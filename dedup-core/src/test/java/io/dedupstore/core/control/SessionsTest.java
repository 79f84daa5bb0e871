package io.dedupstore.core.control;

import static io.dedupstore.core.control.ControlClientTest.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.core.control.EpochClosing.Step;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.ShardId;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Sessions, epochs and the containers that sessions write. */
class SessionsTest {
    private final ControlFixture group = new ControlFixture();
    private final ControlClient client = ControlFixture.clusterOf(group, 2, 1);

    @Test
    void everyStartIsANewSessionInANewEpoch() {
        Session first = client.openSession("n1");
        Session second = client.openSession("n1");

        assertThat(second.epoch()).isGreaterThan(first.epoch());
        assertThat(second.session()).isGreaterThan(first.session());
    }

    @Test
    void aStartEndsTheEarlierSessionsOfItsNodeAlone() {
        Session first = client.openSession("n1");
        Session other = client.openSession("n2");
        Session again = client.openSession("n1");

        assertThat(ended()).containsExactly(first);
        client.endSession(again);
        client.endSession(again);
        assertThat(ended()).containsExactly(first, again).doesNotContain(other);
    }

    @Test
    void aRenewedSessionLeavesTheEarlierOneAliveUntilItIsEnded() {
        Session first = client.openSession("n1");
        Session second = client.renewSession("n1");

        assertThat(second.epoch()).isGreaterThan(first.epoch());
        assertThat(ended()).isEmpty();
        assertThat(client.hasEpochsToClose()).isFalse();
        client.endSession(first);
        assertThat(client.hasEpochsToClose()).isTrue();
        assertThat(ended()).containsExactly(first);
    }

    private List<Session> ended() {
        return client.sessions().stream()
                .filter(SessionRecord::ended)
                .map(SessionRecord::session)
                .toList();
    }

    @Test
    void endingASessionOfAnotherEpochDoesNothing() {
        Session session = client.openSession("n1");

        client.endSession(new Session(session.epoch() + 1, session.session()));

        assertThat(ended()).isEmpty();
    }

    @Test
    void anEpochWithALiveSessionIsNotClosed() {
        client.openSession("n1");

        assertThat(client.hasEpochsToClose()).isFalse();
        assertThat(client.startEpochClosing()).isEmpty();
    }

    @Test
    void lookingForAnEpochToCloseWritesNothing() {
        client.openSession("n1");
        int before = group.log.size();

        for (int i = 0; i < 10; i++) {
            assertThat(client.startEpochClosing()).isEmpty();
        }

        assertThat(group.log).hasSize(before);
    }

    @Test
    void theLatestEpochUpToWhichAllSessionsHaveEndedIsClosedAndItsShardsAreFixed() {
        client.openSession("n1");
        client.openSession("n1");
        Session lives = client.openSession("n2");
        client.openSession("n1");
        client.openSession("n1");

        EpochClosing closing = client.startEpochClosing().orElseThrow();

        assertThat(closing.epoch()).isEqualTo(lives.epoch() - 1);
        assertThat(closing.step()).isEqualTo(Step.REFUSE_COMMITS);
        assertThat(closing.shards())
                .containsExactlyInAnyOrder(ShardId.metadata(0), ShardId.index(0), ShardId.index(1));
        assertThat(client.startEpochClosing()).hasValue(closing);
        assertThat(group.client().epochClosing()).hasValue(closing);
    }

    @Test
    void stepsFollowEachOtherAndTheLastClosesTheEpoch() {
        client.openSession("n1");
        Session now = client.openSession("n1");
        int epoch = client.startEpochClosing().orElseThrow().epoch();

        for (Step step : Step.values()) {
            assertThat(client.epochClosing().orElseThrow().step()).isEqualTo(step);
            client.recordEpochStep(epoch, step);
        }

        assertThat(client.epochClosing()).isEmpty();
        assertThat(client.hasEpochsToClose()).isFalse();
        assertThat(client.closedEpoch()).isEqualTo(epoch);
        assertThat(client.sessions())
                .extracting(SessionRecord::session)
                .as("sessions of closed epochs are forgotten")
                .containsExactly(now);
    }

    @Test
    void recordingAStepAgainChangesNothing() {
        client.openSession("n1");
        client.openSession("n1");
        int epoch = client.startEpochClosing().orElseThrow().epoch();
        client.recordEpochStep(epoch, Step.REFUSE_COMMITS);
        List<String> before = group.rows();

        assertThat(client.recordEpochStep(epoch, Step.REFUSE_COMMITS).orElseThrow().step())
                .isEqualTo(Step.SETTLE_INTENTS);

        assertThat(group.rows()).isEqualTo(before);
        for (Step step : Step.values()) {
            client.recordEpochStep(epoch, step);
        }
        assertThat(client.recordEpochStep(epoch, Step.RECLAIM_ORPHANS)).isEmpty();
        assertThat(client.closedEpoch()).isEqualTo(epoch);
    }

    @Test
    void noStepIsSkipped() {
        client.openSession("n1");
        client.openSession("n1");
        int epoch = client.startEpochClosing().orElseThrow().epoch();

        refused(
                () -> client.recordEpochStep(epoch, Step.FORGET_FATES),
                ControlException.Code.REFUSED);
        refused(
                () -> client.recordEpochStep(epoch + 1, Step.REFUSE_COMMITS),
                ControlException.Code.REFUSED);
        assertThat(client.epochClosing().orElseThrow().step()).isEqualTo(Step.REFUSE_COMMITS);
    }

    @Test
    void sessionsThatEndDuringAClosingAreTheNextOnes() {
        client.openSession("n1");
        client.openSession("n1");
        int first = client.startEpochClosing().orElseThrow().epoch();
        Session latest = client.openSession("n1");
        assertThat(client.startEpochClosing().orElseThrow().epoch()).isEqualTo(first);
        for (Step step : Step.values()) {
            client.recordEpochStep(first, step);
        }

        assertThat(client.startEpochClosing().orElseThrow().epoch())
                .isGreaterThan(first)
                .isEqualTo(latest.epoch() - 1);
    }

    @Test
    void numbersAreNotUsedAgainAfterAClosing() {
        Session first = client.openSession("n1");
        client.endSession(first);
        int epoch = client.startEpochClosing().orElseThrow().epoch();
        for (Step step : Step.values()) {
            client.recordEpochStep(epoch, step);
        }
        assertThat(client.sessions()).isEmpty();

        Session next = client.openSession("n1");

        assertThat(next.epoch()).isGreaterThan(first.epoch());
        assertThat(next.session()).isGreaterThan(first.session());
    }

    @Test
    void containersAreNumberedForTheSessionThatWritesThem() {
        Session session = client.openSession("n1");

        ContainerId first = client.openContainer(session);
        ContainerId second = client.openContainer(session);

        assertThat(second).isGreaterThan(first);
        assertThat(client.findContainer(first))
                .hasValue(
                        new ContainerRecord(
                                first, session, ContainerRecord.State.OPEN, List.of("n1")));
    }

    @Test
    void aSessionThatHasEndedGetsNoContainer() {
        Session old = client.openSession("n1");
        client.openSession("n1");

        refused(() -> client.openContainer(old), ControlException.Code.STALE_SESSION);
        refused(
                () -> client.openContainer(new Session(77, 77)),
                ControlException.Code.STALE_SESSION);
    }

    @Test
    void onlyASealedContainerIsDroppedAndItsNumberIsNotUsedAgain() {
        Session session = client.openSession("n1");
        ContainerId container = client.openContainer(session);

        refused(() -> client.dropContainer(container), ControlException.Code.REFUSED);
        client.sealContainer(container);
        client.sealContainer(container);
        client.dropContainer(container);
        client.dropContainer(container);
        client.sealContainer(container);

        assertThat(client.findContainer(container)).isEmpty();
        assertThat(client.openContainer(session)).isGreaterThan(container);
    }

    @Test
    void containersAreListedInPages() {
        Session session = client.openSession("n1");
        for (int i = 0; i < 5; i++) {
            client.openContainer(session);
        }

        List<ContainerRecord> first = client.containers(0, 3);
        List<ContainerRecord> rest = client.containers(first.getLast().id().value(), 3);

        assertThat(first).hasSize(3);
        assertThat(rest).hasSize(2).doesNotContainAnyElementsOf(first);
    }

    @Test
    void containersAndSessionsLeaveTheCopiesOfOthersAsTheyAre() {
        ControlFixture counted = group;
        long version = viewVersion(counted);
        client.openContainer(client.openSession("n1"));

        assertThat(viewVersion(counted)).isEqualTo(version);
    }

    private static long viewVersion(ControlFixture fixture) {
        return ControlRows.counter(fixture.store, ControlRows.Counter.VIEW_VERSION);
    }
}
