package io.dedupstore.core.index;

import io.dedupstore.core.model.ClaimAnswer;
import java.util.List;

/** What the state machine says to a command. */
public sealed interface IndexReply {
    /** One answer for each item of a CLAIM, in order. */
    record Claimed(List<ClaimAnswer> answers) implements IndexReply {
        public Claimed {
            answers = List.copyOf(answers);
        }
    }

    /** Nothing was changed, nothing was freed. */
    record Refused(Code code, String reason) implements IndexReply {
        /** Why; the number is part of the encoding. */
        public enum Code {
            /** The attempt has been settled, or its epoch is refused: it will never be accepted. */
            OVER(1),
            /** The command makes no sense. */
            MALFORMED(2),
            /** The shard is not hosted here. */
            NOT_HOSTED(3),
            /** A step of the protocol that must come first has not been done. */
            TOO_EARLY(4),
            /** The shard is being rebuilt; later it will be accepted. */
            REBUILDING(5);

            private final int number;

            Code(int number) {
                this.number = number;
            }

            int number() {
                return number;
            }

            static Code ofNumber(int number) {
                for (Code code : values()) {
                    if (code.number == number) {
                        return code;
                    }
                }
                throw new IllegalArgumentException("unknown refusal code " + number);
            }
        }
    }

    /** Items of the stream are applied up to this number; perhaps not all of those delivered. */
    record Delivered(long lastApplied) implements IndexReply {}

    /** Items between the last applied one and those delivered are missing; nothing was applied. */
    record Gap(long lastApplied) implements IndexReply {}

    /**
     * Entries that a PRUNE removed.
     *
     * @param bytes plain bytes of their chunks
     */
    record Pruned(int entries, long bytes) implements IndexReply {}

    record Done() implements IndexReply {}
}
