package io.dedupstore.core.kv;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What of one store could not be read. Each place is logged once, however often it is met: RocksDB
 * names file, offset and kind of block in its message. Any number of threads.
 */
final class Damage {
    private static final Logger LOG = LoggerFactory.getLogger(Damage.class);
    private static final int MAX_PLACES = 1_000;

    private final String store;
    private final Set<String> places = ConcurrentHashMap.newKeySet();
    private final AtomicReference<@Nullable String> first = new AtomicReference<>();

    Damage(String store) {
        this.store = store;
    }

    /** The exception for a read that failed. */
    KvException ofRead(String doing, RocksDBException cause) {
        Status status = cause.getStatus();
        if (status != null && isDamage(status.getCode())) {
            String place = String.valueOf(cause.getMessage());
            met(place);
            return new KvException(
                    KvException.Code.DAMAGED,
                    doing + " of " + store + " met damage: " + place,
                    cause);
        }
        return new KvException(KvException.Code.FAILED, doing + " of " + store + " failed", cause);
    }

    /** A drive that cannot give the bytes back says no more than a checksum that does not match. */
    private static boolean isDamage(Status.Code code) {
        return code == Status.Code.Corruption || code == Status.Code.IOError;
    }

    /**
     * @param what names the place
     */
    void met(String what) {
        if (places.size() < MAX_PLACES && places.add(what)) {
            first.compareAndSet(null, what);
            LOG.error("The store at {} is damaged: {}", store, what);
        }
    }

    /** Places met so far, at most 1,000. */
    int places() {
        return places.size();
    }

    Optional<String> first() {
        return Optional.ofNullable(first.get());
    }
}
