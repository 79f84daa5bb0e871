package io.dedupstore.server.storage;

import io.dedupstore.core.kv.KvStore;
import io.dedupstore.core.kv.Table;
import java.nio.file.Path;
import java.util.List;

/** Opens the ordered store of a drive. */
@FunctionalInterface
public interface KvStores {
    /**
     * @return a store whose writes are durable when {@link KvStore#write} returns
     */
    KvStore open(Path directory, List<Table> tables);
}
