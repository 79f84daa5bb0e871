package io.dedupstore.server.raft;

import io.dedupstore.core.kv.KvReader;
import io.dedupstore.core.maintenance.SharePacer;
import io.dedupstore.core.state.ReplicatedGroup;
import io.dedupstore.core.state.ReplicationException;
import io.dedupstore.core.state.ReplicationException.Code;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * A group as those see it whose commands can wait: one at a time, behind those of requests, and
 * with rests between them as the {@link SharePacer} says. Any thread.
 */
final class PatientGroup implements ReplicatedGroup {
    private final RaftGroup group;
    private final SharePacer pacer;
    private final Semaphore turn = new Semaphore(1, true);
    private long nextNanos = System.nanoTime();

    PatientGroup(RaftGroup group, SharePacer pacer) {
        this.group = group;
        this.pacer = pacer;
    }

    @Override
    public byte[] submit(byte[] command) {
        try {
            turn.acquire();
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
        try {
            rest();
            Operation operation = new Operation(command);
            try {
                return group.submitPatiently(operation);
            } finally {
                long now = System.nanoTime();
                long left = operation.leftNanos().get();
                long worked = left == 0 ? 0 : now - left;
                nextNanos = now + pacer.restNanos(worked, now);
            }
        } finally {
            turn.release();
        }
    }

    private void rest() {
        try {
            long left = nextNanos - System.nanoTime();
            if (left > 0) {
                TimeUnit.NANOSECONDS.sleep(left);
            }
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static ReplicationException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new ReplicationException(Code.NOT_ACCEPTED, "interrupted while it waited", e);
    }

    @Override
    public <T> T read(Function<KvReader, T> query) {
        return group.read(query);
    }

    @Override
    public <T> T readLocal(Function<KvReader, T> query) {
        return group.readLocal(query);
    }
}
