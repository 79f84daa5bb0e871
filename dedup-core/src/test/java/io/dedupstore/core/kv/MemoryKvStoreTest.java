package io.dedupstore.core.kv;

class MemoryKvStoreTest extends KvStoreContract {
    @Override
    KvStore open() {
        return new MemoryKvStore(TABLES);
    }
}
