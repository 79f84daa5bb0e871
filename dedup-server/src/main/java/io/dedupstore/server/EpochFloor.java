package io.dedupstore.server;

import io.dedupstore.core.control.ControlService;
import io.dedupstore.core.control.EpochClosing;
import io.dedupstore.core.control.SessionRecord;
import java.util.Optional;

/**
 * What a shard that has lost everything must know of epochs before anything else.
 *
 * @param opened the last epoch that a session was opened in
 * @param forgotten up to this one nobody asks for verdicts any more
 */
record EpochFloor(int opened, int forgotten) {
    static EpochFloor of(ControlService control) {
        int closed = control.closedEpoch();
        int opened =
                control.sessions().stream()
                        .map(SessionRecord::session)
                        .mapToInt(session -> session.epoch())
                        .reduce(closed, Math::max);
        Optional<EpochClosing> closing = control.epochClosing();
        boolean lastStep =
                closing.isPresent() && closing.get().step() == EpochClosing.Step.RECLAIM_ORPHANS;
        return new EpochFloor(opened, lastStep ? closing.get().epoch() : closed);
    }
}
