package io.dedupstore.bench.index;

import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.Destination;
import io.dedupstore.core.model.IndexMessage;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.StreamPosition;
import io.dedupstore.core.spi.OutboxShard;
import io.dedupstore.core.state.MessageCodec;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The outbox of a metadata shard that holds nothing else: what a committed or deleted holder tells
 * the index, in order, delivered by the product's own pump. Kept in memory, so that what is
 * measured on the device is the index alone.
 */
final class HolderStream implements OutboxShard {
    private static final int MAX_RUN_BYTES = 256 << 10;
    private static final int MAX_WAITING = 20_000;

    private final ShardId id;
    private final Destination index;
    private final Deque<byte[]> items = new ArrayDeque<>();
    private long acknowledged;

    /**
     * @param delivered the last item that the index has applied
     */
    HolderStream(ShardId id, ShardId index, long delivered) {
        this.id = id;
        this.index = new Destination.Shard(index);
        this.acknowledged = delivered;
    }

    /** Waits while very much is undelivered, as a metadata shard's client would in the end. */
    void send(IndexMessage message) {
        byte[] item = MessageCodec.encode(message);
        synchronized (this) {
            while (items.size() >= MAX_WAITING) {
                waitForRoom();
            }
            items.add(item);
        }
    }

    private void waitForRoom() {
        try {
            wait();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** Items that the index has not applied. */
    synchronized long waiting() {
        return items.size();
    }

    @Override
    public ShardId id() {
        return id;
    }

    @Override
    public synchronized List<Destination> readyStreams(@Nullable Destination after, int limit) {
        return after != null || items.isEmpty() ? List.of() : List.of(index);
    }

    @Override
    public synchronized Run read(Destination stream, int maxItems) {
        List<byte[]> run = new ArrayList<>();
        long bytes = 0;
        for (byte[] item : items) {
            bytes += item.length;
            if (run.size() == maxItems || (bytes > MAX_RUN_BYTES && !run.isEmpty())) {
                break;
            }
            run.add(item);
        }
        return new Run(acknowledged + 1, run);
    }

    @Override
    public synchronized void acknowledge(List<StreamPosition> positions) {
        for (StreamPosition position : positions) {
            while (acknowledged < position.upTo() && !items.isEmpty()) {
                items.removeFirst();
                acknowledged++;
            }
        }
        notifyAll();
    }

    // No epoch is ever closed here.

    @Override
    public void refuseEpoch(int epoch) {}

    @Override
    public boolean settled(int epoch) {
        return true;
    }

    @Override
    public void forgetEpoch(int epoch) {}

    @Override
    public void announceClosed(int epoch, List<ContainerId> containers) {}
}
