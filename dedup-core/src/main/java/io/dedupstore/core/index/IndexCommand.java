package io.dedupstore.core.index;

import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.ChunkReference;
import io.dedupstore.core.model.ClaimItem;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.model.ManifestEntry;
import io.dedupstore.core.model.ReferenceSum;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.StreamPosition;
import io.dedupstore.core.model.V;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/** What changes one index shard. */
public sealed interface IndexCommand {
    ShardId shard();

    /**
     * CLAIM.
     *
     * @param coordinator the metadata shard that will decide the fate of {@code v}
     * @param timeSeconds since 1970, by the clock of whoever sends; only ages depend on it
     * @param items fingerprints and offered addresses each distinct
     */
    record Claim(ShardId shard, V v, ShardId coordinator, long timeSeconds, List<ClaimItem> items)
            implements IndexCommand {
        public static final int MAX_ITEMS = 512;

        public Claim {
            requireIndex(shard);
            items = List.copyOf(items);
            require(coordinator.kind() == ShardId.Kind.METADATA, "coordinator " + coordinator);
            require(timeSeconds >= 0 && timeSeconds <= Entry.MAX_TIME, "time " + timeSeconds);
            require(
                    !items.isEmpty() && items.size() <= MAX_ITEMS,
                    "1 to 512 items, not " + items.size());
            Set<Object> seen = new HashSet<>();
            for (ClaimItem item : items) {
                require(
                        item.length() >= 1 && item.length() <= ManifestEntry.MAX_CHUNK_BYTES,
                        "chunk length " + item.length());
                require(seen.add(item.fingerprint()), "fingerprint claimed twice");
                require(
                        item.offered() == null || seen.add(item.offered()),
                        "address offered twice");
            }
        }
    }

    /**
     * Items of the stream from a metadata shard, without gap from {@code firstSequence} on.
     *
     * @param step how many of them are applied
     */
    record Deliver(
            ShardId shard, ShardId source, long firstSequence, List<byte[]> messages, StepSize step)
            implements IndexCommand {
        public Deliver {
            requireIndex(shard);
            messages = List.copyOf(messages);
            require(source.kind() == ShardId.Kind.METADATA, "source " + source);
            require(firstSequence >= 1, "item number " + firstSequence);
        }

        /** Of the usual size. */
        public Deliver(ShardId shard, ShardId source, long firstSequence, List<byte[]> messages) {
            this(shard, source, firstSequence, messages, StepSize.USUAL);
        }
    }

    /** Items of streams of this shard up to these numbers have been applied by their receivers. */
    record Acknowledge(ShardId shard, List<StreamPosition> streams) implements IndexCommand {
        public Acknowledge {
            requireIndex(shard);
            streams = List.copyOf(streams);
            require(
                    streams.size() <= StreamPosition.MAX_STREAMS,
                    "at most 500 streams, not " + streams.size());
        }
    }

    /** Step ii of closing an epoch: CLAIMs of epochs up to this one are refused. */
    record RefuseEpoch(ShardId shard, int epoch) implements IndexCommand {
        public RefuseEpoch {
            requireIndex(shard);
            requireEpoch(epoch);
        }
    }

    /** Step iii: tombstones of epochs up to this one are dropped. */
    record ForgetEpoch(ShardId shard, int epoch) implements IndexCommand {
        public ForgetEpoch {
            requireIndex(shard);
            requireEpoch(epoch);
        }
    }

    /** Step iv: CLOSED goes out on the streams to these containers. */
    record AnnounceClosed(ShardId shard, int epoch, List<ContainerId> containers)
            implements IndexCommand {
        public static final int MAX_CONTAINERS = 1_000;

        public AnnounceClosed {
            requireIndex(shard);
            requireEpoch(epoch);
            containers = List.copyOf(containers);
            require(
                    containers.size() <= MAX_CONTAINERS,
                    "at most 1000 containers, not " + containers.size());
        }
    }

    /** One bounded step of what is left to do: settling, forgetting, collection. */
    record Continue(ShardId shard, StepSize step) implements IndexCommand {
        public Continue {
            requireIndex(shard);
        }

        /** Of the usual size. */
        public Continue(ShardId shard) {
            this(shard, StepSize.USUAL);
        }
    }

    /** No entries are added while there are this many; empty for no limit. */
    record SetEntryLimit(ShardId shard, OptionalLong entries) implements IndexCommand {
        public SetEntryLimit {
            requireIndex(shard);
            require(entries.orElse(0) >= 0, "limit " + entries);
        }
    }

    /** The bytes at these addresses could not be read, or are whole again. */
    record MarkSuspect(ShardId shard, boolean suspect, List<ChunkReference> references)
            implements IndexCommand {
        public static final int MAX_REFERENCES = 1_024;

        public MarkSuspect {
            requireIndex(shard);
            references = List.copyOf(references);
            require(
                    references.size() <= MAX_REFERENCES,
                    "at most 1024 references, not " + references.size());
        }
    }

    /**
     * Removes entries with one reference that no open intent holds and that were not touched after
     * a time; others are passed over. What they refer to stays with its owners, whose RELEASE will
     * find nothing and free directly.
     *
     * @param untouchedSince seconds since 1970
     * @param fingerprints distinct
     */
    record Prune(ShardId shard, long untouchedSince, List<Fingerprint> fingerprints)
            implements IndexCommand {
        public static final int MAX_FINGERPRINTS = 1_000;

        public Prune {
            requireIndex(shard);
            fingerprints = List.copyOf(fingerprints);
            require(
                    untouchedSince >= 0 && untouchedSince <= Entry.MAX_TIME,
                    "time " + untouchedSince);
            require(
                    fingerprints.size() <= MAX_FINGERPRINTS,
                    "at most 1000 fingerprints, not " + fingerprints.size());
            require(
                    new HashSet<>(fingerprints).size() == fingerprints.size(),
                    "fingerprint named twice");
        }
    }

    /**
     * Everything the shard holds is thrown away, to be made anew from manifests. Until that is done
     * nothing can be claimed or released.
     *
     * @param refusedEpoch CLAIMs of epochs up to this one are refused ever after
     * @param forgottenEpoch up to this one epochs are closed, but for their last step
     */
    record BeginRebuild(ShardId shard, int refusedEpoch, int forgottenEpoch)
            implements IndexCommand {
        public BeginRebuild {
            requireIndex(shard);
            require(
                    0 <= forgottenEpoch && forgottenEpoch <= refusedEpoch,
                    "epochs " + refusedEpoch + ", " + forgottenEpoch);
        }
    }

    /** Streams of this shard go on behind what their receivers have applied. */
    record ResumeStreams(ShardId shard, List<StreamPosition> streams) implements IndexCommand {
        public ResumeStreams {
            requireIndex(shard);
            streams = List.copyOf(streams);
            require(
                    streams.size() <= StreamPosition.MAX_STREAMS,
                    "at most 500 streams, not " + streams.size());
        }
    }

    /**
     * Some of what manifests say.
     *
     * @param timeSeconds since 1970: when the entries count as touched
     * @param entries fingerprints distinct
     * @param forgotten references at other addresses than their fingerprint's entry has, one each,
     *     as if those entries had been pruned
     * @param freed slots that were adopted and that nobody refers to
     */
    record Rebuild(
            ShardId shard,
            long timeSeconds,
            List<RebuiltEntry> entries,
            List<RebuiltEntry> forgotten,
            List<ChunkAddress> freed)
            implements IndexCommand {
        public static final int MAX_ITEMS = 1_000;

        public Rebuild {
            requireIndex(shard);
            entries = List.copyOf(entries);
            forgotten = List.copyOf(forgotten);
            freed = List.copyOf(freed);
            int items = entries.size() + forgotten.size() + freed.size();
            require(items <= MAX_ITEMS, "at most 1000 items, not " + items);
            require(timeSeconds >= 0 && timeSeconds <= Entry.MAX_TIME, "time " + timeSeconds);
            require(
                    entries.stream().map(RebuiltEntry::fingerprint).distinct().count()
                            == entries.size(),
                    "fingerprint named twice");
        }
    }

    /**
     * What a metadata shard had sent when its manifests were read.
     *
     * @param applied number of the last item of its stream
     * @param sum of the references it had confirmed and not released
     */
    record Source(ShardId shard, long applied, ReferenceSum sum) {}

    /** The shard is as manifests say; it goes on behind what they contain. */
    record FinishRebuild(ShardId shard, List<Source> sources) implements IndexCommand {
        public FinishRebuild {
            requireIndex(shard);
            sources = List.copyOf(sources);
        }
    }

    private static void requireIndex(ShardId shard) {
        require(shard.kind() == ShardId.Kind.INDEX, "not an index shard: " + shard);
    }

    private static void requireEpoch(int epoch) {
        require(epoch >= 1, "epoch " + epoch);
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }
}
