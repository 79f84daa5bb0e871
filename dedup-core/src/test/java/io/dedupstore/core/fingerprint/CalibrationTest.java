package io.dedupstore.core.fingerprint;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CalibrationTest {
    private static HashPlan.Algorithm plan(double[]... seconds) {
        return Calibration.plan(BlockHash.SHA256, seconds);
    }

    private static List<Integer> rows(HashPlan.Algorithm plan) {
        return plan.steps().stream().map(HashPlan.Step::rows).toList();
    }

    @Test
    void takesAsManyJobsACallAsFinishSoonest() {
        // Four cost as much as one; five and six cost more than a call of four and another one.
        HashPlan.Algorithm plan = plan(new double[] {1, 1, 1, 1, 3, 3, 3, 3});
        assertThat(rows(plan)).containsExactly(1, 2, 3, 4, 4, 4, 4, 4);
        assertThat(plan.step(6).rows()).isEqualTo(4);
        assertThat(plan.step(100).rows()).isEqualTo(4);
        assertThat(plan.step(8).rate()).isEqualTo(plan.step(4).rate());
    }

    @Test
    void aDifferenceThatMayBeAnErrorChangesNothing() {
        HashPlan.Algorithm plan =
                plan(new double[] {1, 2.02, 3.05, 4.1}, new double[] {0.99, 1.98, 2.97, 3.96});
        assertThat(rows(plan)).containsExactly(1, 2, 3, 4);
        assertThat(plan.steps()).allMatch(step -> step.driver() == 0);
    }

    @Test
    void anotherDriverIsTakenWhereItIsFaster() {
        HashPlan.Algorithm plan =
                plan(
                        new double[] {1, 1, 1.5, 2},
                        new double[] {2, 2, 2, 1},
                        new double[] {0.5, 1, 1.5, 2});
        assertThat(plan.steps().stream().map(HashPlan.Step::driver)).containsExactly(2, 0, 0, 1);
    }

    @Test
    void withoutMeasurementAllThatWaitGoTogether() {
        HashPlan.Step step = HashPlan.unmeasured(BlockHash.MD5, false).step(11);
        assertThat(step.rows()).isEqualTo(11);
        assertThat(step.driver()).isZero();
    }
}
