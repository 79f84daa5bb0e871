package io.dedupstore.server;

import io.dedupstore.core.control.ControlService;
import io.dedupstore.core.index.IndexShardClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A fingerprint index that is not there though the store is, or that must not be trusted. An empty
 * one in its place would take every chunk for new and lose track of what it has told containers, so
 * it begins by being rebuilt from manifests.
 */
final class LostIndex {
    private static final Logger LOG = LoggerFactory.getLogger(LostIndex.class);

    /** A file that every store has. */
    private static final String STORE_FILE = "CURRENT";

    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);

    private LostIndex() {}

    /**
     * Before the index of an existing store is opened. What is set aside is for people to look at
     * and to delete.
     *
     * @param tables directory of the index
     * @param log directory of its Raft group
     * @param rebuild whether it is to be made anew, whatever is there
     * @throws StartException it is missing, and nobody has said what to do
     */
    static void prepare(Path tables, Path log, boolean rebuild, Instant now) throws IOException {
        if (!rebuild) {
            if (!Files.exists(tables.resolve(STORE_FILE))) {
                throw new StartException(
                        "the fingerprint index is missing from %s. If its drive is not mounted, mount"
                                        .formatted(tables)
                                + " it. If it is lost, start once with --rebuild-index: it is made"
                                + " anew from manifests while the store works");
            }
            return;
        }
        String name = "lost-" + STAMP.format(now);
        setAside(tables, tables.resolve(name));
        if (Files.exists(log)) {
            setAside(log, tables.resolve(name + "-log"));
            Files.delete(log);
        }
    }

    /** Within the directory where it can be: that may be where a drive is mounted. */
    private static void setAside(Path from, Path to) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.list(from)) {
            files = all.filter(file -> !file.getFileName().toString().startsWith("lost-")).toList();
        }
        if (files.isEmpty()) {
            return;
        }
        Files.createDirectories(to);
        for (Path file : files) {
            move(file, to.resolve(file.getFileName()));
        }
        LOG.warn("What was in {} is in {} now; it may be deleted.", from, to);
    }

    /** The log may be on another drive than the tables. */
    private static void move(Path from, Path to) throws IOException {
        if (Files.isDirectory(from)) {
            Files.createDirectories(to);
            List<Path> files;
            try (Stream<Path> all = Files.list(from)) {
                files = all.toList();
            }
            for (Path file : files) {
                move(file, to.resolve(file.getFileName()));
            }
            Files.delete(from);
        } else {
            Files.move(from, to);
        }
    }

    /**
     * Shards of an existing store that know nothing take no claims until they have been rebuilt.
     * Before any session is opened.
     */
    static void fence(List<IndexShardClient> shards, ControlService control) {
        for (IndexShardClient shard : shards) {
            if (shard.isNew()) {
                EpochFloor floor = EpochFloor.of(control);
                shard.beginRebuild(floor.opened(), floor.forgotten());
                LOG.warn(
                        "{} knows nothing of this store; it is rebuilt from manifests, and new"
                                + " chunks are stored without it until then",
                        shard.id());
            }
        }
    }
}
