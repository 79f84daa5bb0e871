package io.dedupstore.core.fingerprint;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CalibrationTest {
    @Test
    void takesAsManyJobsACallAsFinishSoonest() {
        // Four cost as much as one; five and six cost more than a call of four and another one.
        HashPlan.Algorithm plan =
                Calibration.plan(BlockHash.SHA256, new double[] {1, 1, 1, 1, 3, 3, 3, 3});
        assertThat(plan.rows()).isEqualTo(List.of(1, 2, 3, 4, 4, 4, 4, 4));
        assertThat(plan.rowsOf(6)).isEqualTo(4);
        assertThat(plan.rowsOf(100)).isEqualTo(4);
        assertThat(plan.nativeRates().get(7)).isEqualTo(plan.nativeRates().get(3));
    }

    @Test
    void aDifferenceThatMayBeAnErrorSplitsNothing() {
        HashPlan.Algorithm plan =
                Calibration.plan(BlockHash.MD5, new double[] {1, 2.02, 3.05, 4.1});
        assertThat(plan.rows()).isEqualTo(List.of(1, 2, 3, 4));
    }

    @Test
    void withoutMeasurementAllThatWaitGoTogether() {
        assertThat(HashPlan.unmeasured(BlockHash.MD5, true).rowsOf(11)).isEqualTo(11);
    }
}
