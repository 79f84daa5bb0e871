package io.dedupstore.server.raft;

import java.nio.file.Path;
import java.time.Duration;

/**
 * How a process takes part in Raft.
 *
 * @param directory logs of all groups; on one disk, one sub-directory for each group
 * @param peer name of this process among the members, fixed for its life
 * @param host address to bind; Raft asks nobody who they are, so loopback unless mTLS guards it
 * @param port to bind; 0 lets the kernel choose, which a process that is the only member may do
 *     anew at every start
 * @param submitTimeout after which the caller of a command or read is told that no answer came
 * @param startTimeout for replaying what the stores lack
 * @param snapshotOperations operations by which a store is flushed and the log cut
 * @param snapshotLogBytes bytes of log by which the same is done
 * @param preallocatedBytes of each open log file
 * @param refuseBelowBytes of free disk: commands are not accepted, reads go on
 * @param haltBelowBytes of free disk: the process ends while its log can still be closed in order
 * @param pacing of flushes and of commands that can wait
 */
public record RaftOptions(
        Path directory,
        String peer,
        String host,
        int port,
        Duration submitTimeout,
        Duration startTimeout,
        long snapshotOperations,
        long snapshotLogBytes,
        long preallocatedBytes,
        long refuseBelowBytes,
        long haltBelowBytes,
        Pacing pacing) {
    private static final long MIB = 1 << 20;

    public RaftOptions {
        if (!peer.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,63}")) {
            throw new IllegalArgumentException("bad peer name " + peer);
        }
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("bad port " + port);
        }
        if (snapshotOperations < 1 || snapshotLogBytes < 1 || preallocatedBytes < 4096) {
            throw new IllegalArgumentException("limits must be positive");
        }
        if (haltBelowBytes < 0 || refuseBelowBytes < haltBelowBytes) {
            throw new IllegalArgumentException(
                    "commands must be refused before the process halts: %d, %d"
                            .formatted(refuseBelowBytes, haltBelowBytes));
        }
    }

    /** What a process that is the only member of its groups uses. */
    public static RaftOptions embedded(Path directory, String peer) {
        return new RaftOptions(
                directory,
                peer,
                "127.0.0.1",
                0,
                Duration.ofSeconds(30),
                Duration.ofMinutes(10),
                1_000_000,
                512 * MIB,
                4 * MIB,
                512 * MIB,
                128 * MIB,
                Pacing.DEFAULT);
    }

    public RaftOptions withPort(int newPort) {
        return new RaftOptions(
                directory,
                peer,
                host,
                newPort,
                submitTimeout,
                startTimeout,
                snapshotOperations,
                snapshotLogBytes,
                preallocatedBytes,
                refuseBelowBytes,
                haltBelowBytes,
                pacing);
    }

    public RaftOptions withSubmitTimeout(Duration timeout) {
        return new RaftOptions(
                directory,
                peer,
                host,
                port,
                timeout,
                startTimeout,
                snapshotOperations,
                snapshotLogBytes,
                preallocatedBytes,
                refuseBelowBytes,
                haltBelowBytes,
                pacing);
    }

    public RaftOptions withSnapshotEvery(long operations, long logBytes) {
        return new RaftOptions(
                directory,
                peer,
                host,
                port,
                submitTimeout,
                startTimeout,
                operations,
                logBytes,
                preallocatedBytes,
                refuseBelowBytes,
                haltBelowBytes,
                pacing);
    }

    public RaftOptions withDiskWatermarks(long refuseBelow, long haltBelow) {
        return new RaftOptions(
                directory,
                peer,
                host,
                port,
                submitTimeout,
                startTimeout,
                snapshotOperations,
                snapshotLogBytes,
                preallocatedBytes,
                refuseBelow,
                haltBelow,
                pacing);
    }

    public RaftOptions withPacing(Pacing newPacing) {
        return new RaftOptions(
                directory,
                peer,
                host,
                port,
                submitTimeout,
                startTimeout,
                snapshotOperations,
                snapshotLogBytes,
                preallocatedBytes,
                refuseBelowBytes,
                haltBelowBytes,
                newPacing);
    }
}
