package io.dedupstore.core.object;

import io.dedupstore.core.spi.ChunkStoreException;

/** Failures of the ports in this layer's words. */
final class Failures {
    private Failures() {}

    static ObjectStoreException ofStore(ChunkStoreException e) {
        ObjectStoreException.Code code =
                switch (e.code()) {
                    case FULL -> ObjectStoreException.Code.FULL;
                    case UNAVAILABLE -> ObjectStoreException.Code.UNAVAILABLE;
                    case STALE -> ObjectStoreException.Code.STALE;
                    case GONE -> ObjectStoreException.Code.GONE;
                    case DAMAGED -> ObjectStoreException.Code.DAMAGED;
                };
        return new ObjectStoreException(code, e.getMessage(), e);
    }
}
