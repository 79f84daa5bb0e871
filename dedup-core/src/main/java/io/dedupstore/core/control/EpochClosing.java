package io.dedupstore.core.control;

import io.dedupstore.core.model.ShardId;
import java.util.List;

/**
 * An epoch on its way out, with all before it.
 *
 * @param step under way: every earlier one is done on all of {@code shards}
 * @param shards whose word is needed, fixed when the closing began
 */
public record EpochClosing(int epoch, Step step, List<ShardId> shards) {
    /** The steps, in order; the code is part of the persistent form. */
    public enum Step {
        /** Metadata shards refuse requests of the epoch. */
        REFUSE_COMMITS(1),
        /**
         * Index shards refuse claims of it, storage refuses appends; then every intent is settled.
         */
        SETTLE_INTENTS(2),
        /** Tombstones, fates and early manifest rows are dropped. */
        FORGET_FATES(3),
        /** Storage learns on every stream that nothing more will come, and takes orphans back. */
        RECLAIM_ORPHANS(4);

        private final int code;

        Step(int code) {
            this.code = code;
        }

        int code() {
            return code;
        }

        static Step ofCode(int code) {
            for (Step step : values()) {
                if (step.code == code) {
                    return step;
                }
            }
            throw new IllegalStateException("unknown step " + code + " of an epoch close");
        }
    }

    public EpochClosing {
        shards = List.copyOf(shards);
    }
}
