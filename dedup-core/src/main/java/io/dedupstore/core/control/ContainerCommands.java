package io.dedupstore.core.control;

import io.dedupstore.core.control.ControlProto.ContainerRow;
import io.dedupstore.core.control.ControlProto.Reply;
import io.dedupstore.core.control.ControlProto.SessionRow;
import io.dedupstore.core.control.ControlRows.Counter;
import io.dedupstore.core.control.ControlRows.Kind;
import io.dedupstore.core.kv.KvTransaction;
import io.dedupstore.core.model.ContainerId;

/** Containers: allocated for one writing session, kept by its node. */
final class ContainerCommands {
    private ContainerCommands() {}

    static void apply(
            KvTransaction rows, ControlCommand.OpenContainer command, Reply.Builder reply) {
        SessionRow writer = EpochCommands.live(rows, command.session());
        long id = ControlRows.increment(rows, Counter.LAST_CONTAINER);
        ControlRows.put(
                rows,
                ControlRows.key(Kind.CONTAINER, id),
                ContainerRow.newBuilder()
                        .setId(id)
                        .setEpoch(writer.getEpoch())
                        .setSession(writer.getSession())
                        .setState(ContainerRecord.State.OPEN.code())
                        .addReplicas(writer.getNode())
                        .build());
        reply.setContainer(id);
    }

    static void seal(KvTransaction rows, ContainerId id) {
        byte[] key = ControlRows.key(Kind.CONTAINER, id.value());
        ContainerRow container = ControlRows.get(rows, key, ContainerRow.parser());
        if (container != null) {
            ControlRows.put(
                    rows,
                    key,
                    container.toBuilder().setState(ContainerRecord.State.SEALED.code()).build());
        }
    }

    static void drop(KvTransaction rows, ContainerId id) {
        byte[] key = ControlRows.key(Kind.CONTAINER, id.value());
        ContainerRow container = ControlRows.get(rows, key, ContainerRow.parser());
        if (container == null) {
            return;
        }
        if (container.getState() != ContainerRecord.State.SEALED.code()) {
            throw new Refusal(ControlException.Code.REFUSED, "container " + id + " is still open");
        }
        ControlRows.delete(rows, key);
    }
}
