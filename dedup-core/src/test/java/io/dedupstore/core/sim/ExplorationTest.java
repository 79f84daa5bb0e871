package io.dedupstore.core.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.core.io.WorkerPool;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * All orders of messages between a few requests and the production machines, as far as a bound:
 * {@code -Ddedup.explore.states=N} for another one in each scenario.
 */
class ExplorationTest {
    private static final int STATES = Integer.getInteger("dedup.explore.states", 50_000);
    private static final int MUTANT_STATES = 60_000;
    private static final WorkerPool POOL = new WorkerPool("explore-hash", 1);
    static final List<Scenario> SCENARIOS = Scenario.ALL;

    @AfterAll
    static void closePool() {
        POOL.close();
    }

    @ParameterizedTest
    @FieldSource("SCENARIOS")
    void everyStateIsSound(Scenario scenario) {
        Exploration exploration = new Exploration(scenario, Mutant.NONE, POOL).run(STATES);
        log(exploration);
        assertThat(exploration.violation()).isEmpty();
        assertThat(exploration.isComplete() || exploration.count() >= STATES).isTrue();
    }

    /** All but those that are planted into what the simulation alone has. */
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {
                "NONE",
                "ADDRESS_UNDER_ANOTHER_V",
                "VERDICT_OUTSIDE_THE_OUTBOX",
                "FATES_DROPPED_BEFORE_COMMIT_IS_REFUSED",
                "ORPHANS_BY_CONTAINER_AGE",
                "ORPHANS_BY_ASKING_THE_INDEX",
                "ADOPT_AFTER_CLOSED",
                "REDEDUP_PUBLISHES_A_LIVE_ADDRESS",
                "NULL_VERSION_FORGOTTEN"
            })
    void plantedBugsAreFound(Mutant mutant) {
        List<Exploration> inVain = new ArrayList<>();
        for (Scenario scenario : scenarios(mutant)) {
            Exploration exploration = new Exploration(scenario, mutant, POOL).run(MUTANT_STATES);
            if (exploration.violation().isPresent()) {
                log(exploration);
                return;
            }
            inVain.add(exploration);
        }
        throw new AssertionError(mutant + " was not found by " + inVain);
    }

    /** Where it shows soonest. */
    private static List<Scenario> scenarios(Mutant mutant) {
        return switch (mutant) {
            case FAILED_PRECONDITION_LEAVES_FATE_OPEN, LATE_CLAIM_AFTER_ABORT ->
                    List.of(Scenario.CONDITION);
            case UNINDEXED_NOT_RECORDED -> List.of(Scenario.FULL);
            case ONE_STREAM_NOT_WAITED_FOR -> List.of(Scenario.SOLITARY);
            case HOLDER_RELEASED_AT_ITS_FIRST_LOST_USE -> List.of(Scenario.COPIES);
            case VERSION_ASIDE_LOSES_ITS_USES -> List.of(Scenario.VERSIONS);
            case OUTBOX_REORDERED -> List.of(Scenario.REPLACEMENT);
            default -> List.of(Scenario.CONTENTION, Scenario.REPLACEMENT);
        };
    }

    private static void log(Exploration exploration) {
        System.getLogger("explore").log(System.Logger.Level.INFO, exploration);
    }
}
