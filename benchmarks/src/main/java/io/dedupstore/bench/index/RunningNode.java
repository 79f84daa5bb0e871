package io.dedupstore.bench.index;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The node over one data directory, which sections may start anew. */
final class RunningNode implements AutoCloseable {
    private final Path directory;
    private BenchNode node;

    RunningNode(Path directory) throws IOException {
        this.directory = directory;
        this.node = new BenchNode(directory);
    }

    BenchNode node() {
        return node;
    }

    Path directory() {
        return directory;
    }

    Counters counters() {
        return Counters.now(directory);
    }

    /** Files of the index's tables. */
    List<Path> indexFiles() {
        return PageCache.files(directory.resolve("state").resolve("index"));
    }

    void stop() {
        node.close();
    }

    /** After {@link #stop}. */
    void start() throws IOException {
        node = new BenchNode(directory);
    }

    /** With nothing of any file in the page cache, and no compaction left that would read them. */
    void restartCold() throws IOException {
        node.drain();
        node.awaitCompaction();
        stop();
        PageCache.forget(PageCache.files(directory));
        start();
        node.settle();
    }

    @Override
    public void close() {
        node.close();
    }
}
