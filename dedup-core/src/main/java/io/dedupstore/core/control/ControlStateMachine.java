package io.dedupstore.core.control;

import io.dedupstore.core.control.ControlProto.Reply;
import io.dedupstore.core.control.ControlRows.Counter;
import io.dedupstore.core.control.ControlRows.Kind;
import io.dedupstore.core.kv.KvReader;
import io.dedupstore.core.kv.KvTransaction;
import io.dedupstore.core.kv.Table;
import io.dedupstore.core.state.StateMachine;
import java.util.List;
import java.util.Optional;

/**
 * The control group's state. Commands that change what requests read (accounts, keys, buckets,
 * settings) raise the view version, by which local copies know that they are old.
 */
public final class ControlStateMachine implements StateMachine {
    @Override
    public List<Table> tables() {
        return List.of(ControlRows.TABLE);
    }

    @Override
    public byte[] apply(KvTransaction rows, byte[] command) {
        return apply(rows, ControlCodec.decode(command)).toByteArray();
    }

    @Override
    public Optional<byte[]> pendingWork(KvReader rows) {
        return Optional.empty();
    }

    private static Reply apply(KvTransaction rows, ControlCommand command) {
        Reply.Builder reply = Reply.newBuilder();
        try {
            checkCluster(rows, command);
            if (dispatch(rows, command, reply)) {
                ControlRows.increment(rows, Counter.VIEW_VERSION);
            }
        } catch (Refusal refusal) {
            // Every refusal is thrown before the first write of its command.
            reply.setRefusal(RefusalCodes.toNumber(refusal.code()))
                    .setMessage(refusal.getMessage());
        }
        return reply.setViewVersion(ControlRows.counter(rows, Counter.VIEW_VERSION)).build();
    }

    private static void checkCluster(KvTransaction rows, ControlCommand command) {
        boolean exists = rows.get(ControlRows.TABLE, ControlRows.key(Kind.CLUSTER)) != null;
        boolean makes = command instanceof ControlCommand.MakeCluster;
        if (exists == makes) {
            throw new Refusal(
                    ControlException.Code.REFUSED,
                    exists ? "there is a cluster already" : "there is no cluster yet");
        }
    }

    /** Returns whether local copies must be read anew. */
    private static boolean dispatch(
            KvTransaction rows, ControlCommand command, Reply.Builder reply) {
        switch (command) {
            case ControlCommand.MakeCluster c -> AccountCommands.apply(rows, c, reply);
            case ControlCommand.AddAccount c -> AccountCommands.apply(rows, c, reply);
            case ControlCommand.PutKey c -> AccountCommands.apply(rows, c);
            case ControlCommand.DeleteKey c -> AccountCommands.apply(rows, c);
            case ControlCommand.PutSetting c -> AccountCommands.apply(rows, c);
            case ControlCommand.PutIdentity c -> IdentityCommands.apply(rows, c);
            case ControlCommand.DropIdentity c -> IdentityCommands.apply(rows, c);
            case ControlCommand.CreateBucket c -> BucketCommands.apply(rows, c, reply);
            case ControlCommand.DropBucket c -> BucketCommands.apply(rows, c);
            case ControlCommand.SetBucketConfiguration c -> BucketCommands.apply(rows, c);
            case ControlCommand.MakeKey c -> KeyCommands.apply(rows, c, reply);
            case ControlCommand.RotateKey c -> KeyCommands.apply(rows, c, reply);
            case ControlCommand.EnableKey c -> KeyCommands.apply(rows, c, reply);
            case ControlCommand.MakeCipherDomain c -> KeyCommands.apply(rows, c, reply);
            case ControlCommand.OpenSession c -> EpochCommands.apply(rows, c, reply);
            case ControlCommand.EndSession c -> EpochCommands.apply(rows, c);
            case ControlCommand.StartEpochClosing() -> EpochCommands.startClosing(rows, reply);
            case ControlCommand.RecordEpochStep c -> EpochCommands.apply(rows, c, reply);
            case ControlCommand.OpenContainer c -> ContainerCommands.apply(rows, c, reply);
            case ControlCommand.SealContainer(var container) ->
                    ContainerCommands.seal(rows, container);
            case ControlCommand.DropContainer(var container) ->
                    ContainerCommands.drop(rows, container);
        }
        return changesView(command);
    }

    private static boolean changesView(ControlCommand command) {
        return switch (command) {
            case ControlCommand.MakeCluster c -> true;
            case ControlCommand.AddAccount c -> true;
            case ControlCommand.PutKey c -> true;
            case ControlCommand.DeleteKey c -> true;
            case ControlCommand.PutSetting c -> true;
            case ControlCommand.PutIdentity c -> true;
            case ControlCommand.DropIdentity c -> true;
            case ControlCommand.CreateBucket c -> true;
            case ControlCommand.DropBucket c -> true;
            case ControlCommand.SetBucketConfiguration c -> true;
            case ControlCommand.MakeKey c -> true;
            case ControlCommand.RotateKey c -> true;
            case ControlCommand.EnableKey c -> true;
            case ControlCommand.MakeCipherDomain c -> true;
            case ControlCommand.OpenSession c -> false;
            case ControlCommand.EndSession c -> false;
            case ControlCommand.StartEpochClosing c -> false;
            case ControlCommand.RecordEpochStep c -> false;
            case ControlCommand.OpenContainer c -> false;
            case ControlCommand.SealContainer c -> false;
            case ControlCommand.DropContainer c -> false;
        };
    }
}
