package io.dedupstore.core.model;

import java.util.Arrays;

/**
 * Items of the ordered stream from one shard to one container. The container is the stream's
 * destination, so only slots are named.
 */
public sealed interface StorageMessage {
    /** These slots have an owner now. */
    record Adopt(int[] slots) implements StorageMessage {
        @Override
        public boolean equals(Object o) {
            return o instanceof Adopt a && Arrays.equals(slots, a.slots);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(slots);
        }
    }

    /** These slots will never be referenced again. */
    record Free(int[] slots) implements StorageMessage {
        @Override
        public boolean equals(Object o) {
            return o instanceof Free f && Arrays.equals(slots, f.slots);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(slots);
        }
    }

    /** No item for slots of epochs up to this one will follow on this stream. Cumulative. */
    record Closed(int epoch) implements StorageMessage {}
}
