package io.dedupstore.server.raft;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.rpc.SupportedRpcType;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;

/**
 * Every Ratis setting this product depends on, said aloud even where it is the default of today.
 */
final class RaftSettings {
    private static final long KIB = 1 << 10;
    private static final long MIB = 1 << 20;

    /** One command of the largest size in an entry, its frame included. */
    private static final long ENTRY_LIMIT_BYTES = MIB + 64 * KIB;

    /** Each group keeps one of these, off the heap; Ratis wants it larger than any entry. */
    private static final long WRITE_BUFFER_BYTES = ENTRY_LIMIT_BYTES + 64 * KIB;

    private static final long SEGMENT_BYTES = 32 * MIB;

    /** Entries kept behind a snapshot, so that the log never begins at its own tip. */
    private static final long LOG_TAIL_ENTRIES = 64;

    private static final TimeDuration NEVER = TimeDuration.valueOf(10_000, TimeUnit.DAYS);

    private RaftSettings() {}

    /** For a process that is the only member of each of its groups. */
    static RaftProperties singleMember(RaftOptions options) {
        RaftProperties p = new RaftProperties();
        transport(p, options);
        log(p, options);
        snapshots(p);
        elections(p);
        limits(p);
        return p;
    }

    private static void transport(RaftProperties p, RaftOptions options) {
        RaftConfigKeys.Rpc.setType(p, SupportedRpcType.GRPC);
        GrpcConfigKeys.Server.setHost(p, options.host());
        GrpcConfigKeys.Server.setPort(p, options.port());
        GrpcConfigKeys.setMessageSizeMax(p, SizeInBytes.valueOf(2 * ENTRY_LIMIT_BYTES));
    }

    private static void log(RaftProperties p, RaftOptions options) {
        RaftServerConfigKeys.setStorageDir(p, List.of(options.directory().toFile()));
        RaftServerConfigKeys.setRemovedGroupsDir(
                p, options.directory().resolve("removed-groups").toFile());
        RaftServerConfigKeys.Log.setUseMemory(p, false);
        // Both acknowledge entries that are not on disk.
        RaftServerConfigKeys.Log.setUnsafeFlushEnabled(p, false);
        RaftServerConfigKeys.Log.setAsyncFlushEnabled(p, false);
        RaftServerConfigKeys.Log.setCorruptionPolicy(
                p, RaftServerConfigKeys.Log.CorruptionPolicy.EXCEPTION);
        // One log write less for each batch; what a lone member commits on is its own log.
        RaftServerConfigKeys.Log.setLogMetadataEnabled(p, false);
        RaftServerConfigKeys.Log.setSegmentSizeMax(p, SizeInBytes.valueOf(SEGMENT_BYTES));
        RaftServerConfigKeys.Log.setPreallocatedSize(
                p, SizeInBytes.valueOf(options.preallocatedBytes()));
        RaftServerConfigKeys.Log.setSegmentCacheNumMax(p, 2);
        RaftServerConfigKeys.Log.setSegmentCacheSizeMax(p, SizeInBytes.valueOf(2 * SEGMENT_BYTES));
        RaftServerConfigKeys.Log.setWriteBufferSize(p, SizeInBytes.valueOf(WRITE_BUFFER_BYTES));
        RaftServerConfigKeys.Log.Appender.setBufferByteLimit(
                p, SizeInBytes.valueOf(ENTRY_LIMIT_BYTES));
        RaftServerConfigKeys.Log.setPurgeUptoSnapshotIndex(p, true);
        RaftServerConfigKeys.Log.setPurgePreservationLogNum(p, LOG_TAIL_ENTRIES);
        RaftServerConfigKeys.Log.setPurgeGap(p, 1);
    }

    private static void snapshots(RaftProperties p) {
        RaftServerConfigKeys.Log.Appender.setInstallSnapshotEnabled(p, false);
        // Ratis counts entries; the group itself counts operations and bytes.
        RaftServerConfigKeys.Snapshot.setAutoTriggerEnabled(p, false);
        RaftServerConfigKeys.Snapshot.setTriggerWhenStopEnabled(p, false);
    }

    private static void elections(RaftProperties p) {
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMin(p, millis(1));
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMax(p, millis(2));
        RaftServerConfigKeys.Rpc.setTimeoutMin(p, millis(1500));
        RaftServerConfigKeys.Rpc.setTimeoutMax(p, millis(3000));
        RaftServerConfigKeys.LeaderElection.setPreVote(p, true);
        RaftServerConfigKeys.LeaderElection.setMemberMajorityAdd(p, false);
        // A laptop that slept is no reason for a lone member to step down, let alone to close
        // itself.
        RaftServerConfigKeys.LeaderElection.setLeaderStepDownWaitTime(p, NEVER);
        RaftServerConfigKeys.setCloseThreshold(p, NEVER);
    }

    private static void limits(RaftProperties p) {
        // Submitted in process and never retried by Ratis; the cache only costs memory.
        RaftServerConfigKeys.RetryCache.setExpiryTime(p, millis(1000));
        RaftServerConfigKeys.Write.setElementLimit(p, 1024);
        RaftServerConfigKeys.Write.setByteLimit(p, SizeInBytes.valueOf(64 * MIB));
        RaftServerConfigKeys.Read.setOption(p, RaftServerConfigKeys.Read.Option.DEFAULT);
    }

    private static TimeDuration millis(long millis) {
        return TimeDuration.valueOf(millis, TimeUnit.MILLISECONDS);
    }
}
