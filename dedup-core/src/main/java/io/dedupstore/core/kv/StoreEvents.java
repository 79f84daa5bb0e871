package io.dedupstore.core.kv;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.rocksdb.AbstractEventListener;
import org.rocksdb.BackgroundErrorReason;
import org.rocksdb.CompactionJobInfo;
import org.rocksdb.FlushJobInfo;
import org.rocksdb.RocksDB;
import org.rocksdb.Status;

/**
 * What happens to flushes and compactions, which no caller sees. Called on threads of RocksDB.
 *
 * <p>A compaction that meets rows it cannot read has changed nothing, and will never get past them:
 * the table is noted, so that its owner stops compacting it, and everything else goes on. Any other
 * failure is final.
 */
final class StoreEvents extends AbstractEventListener {
    private static final long LOOK_AGAIN_MILLIS = 20;

    private final Damage damage;
    private final boolean outlivesDamage;
    private final AtomicReference<@Nullable String> failure = new AtomicReference<>();
    private final AtomicLong forgiven = new AtomicLong();
    private final Set<String> uncompactable = ConcurrentHashMap.newKeySet();

    /**
     * @param outlivesDamage whether RocksDB was told to go on when a compaction meets damage
     */
    StoreEvents(Damage damage, boolean outlivesDamage) {
        super(
                EnabledEventCallback.ON_BACKGROUND_ERROR,
                EnabledEventCallback.ON_COMPACTION_COMPLETED,
                EnabledEventCallback.ON_FLUSH_COMPLETED);
        this.damage = damage;
        this.outlivesDamage = outlivesDamage;
    }

    @Override
    public void onBackgroundError(BackgroundErrorReason reason, @Nullable Status status) {
        if (outlivesDamage && reason == BackgroundErrorReason.COMPACTION && isCorruption(status)) {
            damage.met(String.valueOf(status.getState()));
            forgiven.incrementAndGet();
            return;
        }
        failure.compareAndSet(
                null, reason + ": " + (status == null ? "unknown" : status.getCodeString()));
        wake();
    }

    @Override
    public void onFlushCompleted(RocksDB database, FlushJobInfo job) {
        wake();
    }

    private synchronized void wake() {
        notifyAll();
    }

    /** Waits for the end of a flush, or a failure, but not for long: neither is certain to tell. */
    synchronized void await() throws InterruptedException {
        if (failure.get() == null) {
            wait(LOOK_AGAIN_MILLIS);
        }
    }

    @Override
    public void onCompactionCompleted(RocksDB database, CompactionJobInfo job) {
        if (outlivesDamage && isCorruption(job.status())) {
            uncompactable.add(new String(job.columnFamilyName(), StandardCharsets.UTF_8));
        }
    }

    private static boolean isCorruption(@Nullable Status status) {
        return status != null && status.getCode() == Status.Code.Corruption;
    }

    /** Compactions that met damage; RocksDB counts each as an error of its own later than this. */
    long forgiven() {
        return forgiven.get();
    }

    /** The first failure after which the store cannot be used. */
    Optional<String> failure() {
        return Optional.ofNullable(failure.get());
    }

    /** Tables whose compaction met damage since the last call. */
    Set<String> takeUncompactable() {
        if (uncompactable.isEmpty()) {
            return Set.of();
        }
        Set<String> taken = Set.copyOf(uncompactable);
        uncompactable.removeAll(taken);
        return taken;
    }
}
