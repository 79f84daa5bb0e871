package io.dedupstore.server.storage;

import io.dedupstore.core.model.ContainerId;
import java.util.List;

/** Which storage nodes have the replicas of a container. Thread-safe, quick, no I/O. */
public interface Placement {
    /** Where a new container goes: all of these must acknowledge every append. */
    List<ContainerReplica> forNew(ContainerId container);

    /** Where a container can be read, the preferred first. */
    List<ContainerReplica> holding(ContainerId container);

    /** Every container on every one of these nodes. */
    static Placement onAll(List<ContainerReplica> nodes) {
        List<ContainerReplica> all = List.copyOf(nodes);
        return new Placement() {
            @Override
            public List<ContainerReplica> forNew(ContainerId container) {
                return all;
            }

            @Override
            public List<ContainerReplica> holding(ContainerId container) {
                return all;
            }
        };
    }
}
