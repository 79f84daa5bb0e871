package io.dedupstore.server.raft;

import org.apache.ratis.protocol.Message;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;

/**
 * An entry on its way through Ratis, which keeps the object beside the bytes within one process.
 */
record EntryMessage(Entry entry, ByteString content) implements Message {
    static EntryMessage of(Entry entry) {
        return new EntryMessage(entry, UnsafeByteOperations.unsafeWrap(entry.encode()));
    }

    @Override
    public ByteString getContent() {
        return content;
    }

    @Override
    public String toString() {
        return entry.operations().size() + " commands";
    }
}
