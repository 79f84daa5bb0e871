package io.dedupstore.core.kv;

import java.util.Arrays;
import java.util.Map;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/** Merges pending writes over a base cursor: at equal keys the pending write wins. */
final class OverlayCursor implements KvCursor {
    private final KvCursor base;
    private final NavigableMap<byte[], byte @Nullable []> overlay;
    private Map.@Nullable Entry<byte[], byte @Nullable []> nextOverlay;
    private boolean baseReady;
    private byte @Nullable [] key;
    private byte @Nullable [] value;

    OverlayCursor(KvCursor base, NavigableMap<byte[], byte @Nullable []> overlay) {
        this.base = base;
        this.overlay = overlay;
        this.nextOverlay = overlay.firstEntry();
        this.baseReady = base.next();
    }

    @Override
    public boolean next() {
        while (baseReady || nextOverlay != null) {
            int order = order();
            byte[] candidate;
            byte[] found;
            if (order < 0) {
                candidate = base.key();
                found = base.value();
                baseReady = base.next();
            } else {
                Map.Entry<byte[], byte @Nullable []> entry = nextOverlay;
                candidate = entry.getKey();
                found = entry.getValue();
                nextOverlay = overlay.higherEntry(candidate);
                if (order == 0) {
                    baseReady = base.next();
                }
            }
            if (found != null) {
                key = candidate;
                value = found;
                return true;
            }
        }
        key = null;
        value = null;
        return false;
    }

    /** Negative: the base row comes first; 0: both have the same key; positive: the overlay's. */
    private int order() {
        if (nextOverlay == null) {
            return -1;
        }
        return baseReady ? Arrays.compareUnsigned(base.key(), nextOverlay.getKey()) : 1;
    }

    @Override
    public byte[] key() {
        return current(key);
    }

    @Override
    public byte[] value() {
        return current(value);
    }

    private static byte[] current(byte @Nullable [] bytes) {
        if (bytes == null) {
            throw new IllegalStateException("no current row");
        }
        return bytes.clone();
    }

    @Override
    public void seek(byte[] target) {
        base.seek(target);
        baseReady = base.next();
        nextOverlay = overlay.ceilingEntry(target);
        key = null;
        value = null;
    }

    @Override
    public void close() {
        base.close();
    }
}
