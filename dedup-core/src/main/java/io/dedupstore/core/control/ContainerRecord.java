package io.dedupstore.core.control;

import io.dedupstore.core.model.ContainerId;
import java.util.List;

/**
 * What the control group knows of a container.
 *
 * @param writer the session that appends to it, or did
 * @param replicas names of the nodes that keep it
 */
public record ContainerRecord(ContainerId id, Session writer, State state, List<String> replicas) {
    /**
     * Its life; a container that was dropped has no record. The code is part of the persistent
     * form.
     */
    public enum State {
        OPEN(1),
        SEALED(2);

        private final int code;

        State(int code) {
            this.code = code;
        }

        int code() {
            return code;
        }

        static State ofCode(int code) {
            for (State state : values()) {
                if (state.code == code) {
                    return state;
                }
            }
            throw new IllegalStateException("unknown state " + code + " of a container");
        }
    }

    public ContainerRecord {
        replicas = List.copyOf(replicas);
    }
}
