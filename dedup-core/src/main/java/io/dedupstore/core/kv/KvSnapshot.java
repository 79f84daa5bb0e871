package io.dedupstore.core.kv;

/** A consistent view; close it soon, it pins old data. */
public interface KvSnapshot extends KvReader, AutoCloseable {
    @Override
    void close();
}
