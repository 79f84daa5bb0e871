package io.dedupstore.server.storage;

import io.dedupstore.core.container.ContainerException;
import io.dedupstore.core.io.NoSpaceException;
import io.dedupstore.core.spi.ChunkStoreException;
import java.io.IOException;

/** What failures of lower layers mean to users of chunks. */
final class Failures {
    private Failures() {}

    static ChunkStoreException.Code code(IOException e) {
        return e instanceof NoSpaceException
                ? ChunkStoreException.Code.FULL
                : ChunkStoreException.Code.UNAVAILABLE;
    }

    static ChunkStoreException damaged(ContainerException e) {
        return new ChunkStoreException(ChunkStoreException.Code.DAMAGED, e.getMessage(), e);
    }
}
