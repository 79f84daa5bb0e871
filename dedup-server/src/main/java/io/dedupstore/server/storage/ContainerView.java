package io.dedupstore.server.storage;

import io.dedupstore.core.container.ContainerContents;
import io.dedupstore.core.container.SlotTable;
import io.dedupstore.core.io.DiskFile;

/** One generation of a container, open for reading. Whoever got it closes it. */
record ContainerView(SharedFile shared, ContainerContents contents) implements AutoCloseable {
    DiskFile file() {
        return shared.file();
    }

    SlotTable table() {
        return contents.table();
    }

    @Override
    public void close() {
        shared.release();
    }
}
