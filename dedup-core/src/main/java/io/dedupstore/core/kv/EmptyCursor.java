package io.dedupstore.core.kv;

/** No rows. */
enum EmptyCursor implements KvCursor {
    INSTANCE;

    @Override
    public boolean next() {
        return false;
    }

    @Override
    public byte[] key() {
        throw new IllegalStateException("no current row");
    }

    @Override
    public byte[] value() {
        throw new IllegalStateException("no current row");
    }

    @Override
    public void seek(byte[] key) {}

    @Override
    public void close() {}
}
