package io.dedupstore.server;

import com.sun.management.OperatingSystemMXBean;
import io.dedupstore.core.index.IndexStateMachine;
import io.dedupstore.core.kv.Table;
import io.dedupstore.core.kv.TableFiles;
import io.dedupstore.core.maintenance.IndexLimit;
import io.dedupstore.server.config.StorageConfig;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What this machine has for the fingerprint index. */
final class IndexRoom {
    private static final Logger LOG = LoggerFactory.getLogger(IndexRoom.class);

    /** Filters may take this share of the memory that the machine, or its container, has. */
    private static final long MEMORY_SHARE = 4;

    private final File directory;
    private final boolean ownDrive;
    private final TableFiles files;
    private final List<Table> tables;
    private final long memoryBytes;

    IndexRoom(StorageConfig config, NodeCore core) {
        this.directory = config.indexDirectory().toFile();
        this.ownDrive = !sameDrive(config.indexDirectory(), config.dataDirectory());
        this.files = core.indexFiles();
        this.tables = core.indexTables();
        this.memoryBytes =
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class)
                                .getTotalMemorySize()
                        / MEMORY_SHARE;
    }

    private static boolean sameDrive(Path index, Path data) {
        try {
            return Files.getAttribute(index, "unix:dev")
                    .equals(Files.getAttribute(data, "unix:dev"));
        } catch (IOException | UnsupportedOperationException e) {
            LOG.warn("cannot tell whether {} and {} are on one drive", index, data, e);
            return true;
        }
    }

    /** Used and usable together are the drive: what is kept for root is nobody's. */
    IndexLimit.Room measure() {
        long used = directory.getTotalSpace() - directory.getFreeSpace();
        return new IndexLimit.Room(
                memoryBytes, ownDrive, used + directory.getUsableSpace(), used, all().fileBytes());
    }

    boolean ownDrive() {
        return ownDrive;
    }

    long driveFreeBytes() {
        return directory.getUsableSpace();
    }

    TableFiles.Figures all() {
        return sum(tables);
    }

    TableFiles.Figures entries() {
        return sum(IndexStateMachine.entryTables());
    }

    private TableFiles.Figures sum(List<Table> some) {
        return some.stream()
                .map(files::figures)
                .reduce(TableFiles.Figures.ZERO, TableFiles.Figures::plus);
    }
}
