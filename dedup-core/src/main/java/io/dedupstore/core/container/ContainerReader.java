package io.dedupstore.core.container;

import io.dedupstore.core.io.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Reads single records of one file and verifies everything that can be. Any thread. */
public final class ContainerReader {
    private final DiskFile file;
    private final ContainerContents contents;

    public ContainerReader(DiskFile file, ContainerContents contents) {
        this.file = file;
        this.contents = contents;
    }

    /** The raw record of an entry of the slot table. */
    ByteBuffer raw(int entry) throws IOException {
        ByteBuffer record = ContainerFormat.littleEndian(contents.table().recordLength(entry));
        file.read(record, contents.table().offset(entry));
        if (record.hasRemaining()) {
            throw damaged(contents.table().slot(entry), "the file ends before it does");
        }
        return record.flip();
    }

    /**
     * @throws ContainerException DAMAGED: the slot is not here, or its bytes do not verify
     */
    public RecordCodec.Verified read(int slot) throws IOException {
        int entry = contents.table().find(slot);
        if (entry < 0) {
            throw damaged(slot, "it has no record");
        }
        RecordCodec.Verified record = RecordCodec.verify(raw(entry), contents.header().id());
        if (record.header().slot() != slot) {
            throw damaged(slot, "the record there is of slot " + record.header().slot());
        }
        return record;
    }

    private ContainerException damaged(int slot, String problem) {
        return new ContainerException(
                ContainerException.Code.DAMAGED,
                "container %s slot %d: %s".formatted(contents.header().id(), slot, problem));
    }
}
