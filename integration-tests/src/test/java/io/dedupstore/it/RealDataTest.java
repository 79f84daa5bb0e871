package io.dedupstore.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.client.admin.AdminClient;
import io.dedupstore.client.admin.NewBucket;
import io.dedupstore.client.admin.StatsReport;
import io.dedupstore.client.admin.StorageReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * Real files: stored bytes after a copy, a second copy, tarballs that are shifted by one byte, and
 * after half of it was deleted.
 */
class RealDataTest {
    private static final String BUCKET = "real";
    private static final Duration SPACE_DEADLINE = Duration.ofMinutes(3);
    private static final int CLIENTS = 8;

    @TempDir private Path temporary;

    @ParameterizedTest
    @ValueSource(strings = {"cdc", "fixed:64k"})
    void copiesCostLittleAndDeletesGiveSpaceBack(String chunking)
            throws IOException, InterruptedException {
        long wanted = LongRun.choose(96L << 20, 1_100L << 20);
        RealData data = RealData.unpack(temporary.resolve("data"), wanted);
        assertThat(data.bytes())
                .as("bytes in the local Maven repository")
                .isGreaterThan(wanted / 2);
        try (ServerProcess server =
                        ServerProcess.start(
                                "real-" + chunking.replace(':', '-'), "--freed-slot-grace", "1s");
                S3Client s3 = S3Clients.of(server);
                AdminClient admin = server.admin()) {
            admin.createBucket(new NewBucket(BUCKET, chunking, "off"));
            Log log = new Log(chunking, data);
            put(s3, data, "first/", data.files());
            long first = log.step(admin, "first copy");
            put(s3, data, "second/", data.files());
            long second = log.step(admin, "second copy");
            assertThat(second - first).isLessThan(first / 200);

            List<Path> tarballs = shiftedTarballs(data);
            long tarBytes = 0;
            for (Path tarball : tarballs) {
                tarBytes += Files.size(tarball);
                s3.putObject(
                        b -> b.bucket(BUCKET).key("tar/" + tarball.getFileName()),
                        RequestBody.fromFile(tarball));
            }
            long third = log.step(admin, "shifted tarballs (%d bytes)".formatted(tarBytes));
            log.note("they added %.2f %%".formatted(100.0 * (third - second) / tarBytes));
            if (chunking.equals("cdc")) {
                assertThat(third - second).isLessThan(tarBytes / 20);
            }
            verify(s3, data, "first/", data.files());
            verify(s3, data, "second/", data.files());
            for (Path tarball : tarballs) {
                assertThat(
                                TestFiles.sha256(
                                        s3.getObject(
                                                b ->
                                                        b.bucket(BUCKET)
                                                                .key(
                                                                        "tar/"
                                                                                + tarball
                                                                                        .getFileName()))))
                        .isEqualTo(TestFiles.sha256(tarball));
            }

            delete(s3, tarballs.stream().map(tarball -> "tar/" + tarball.getFileName()).toList());
            List<Path> doomed = data.half();
            List<Path> kept = new ArrayList<>(data.files());
            kept.removeAll(new HashSet<>(doomed));
            delete(s3, keys(data, "second/", data.files()));
            delete(s3, keys(data, "first/", doomed));
            log.awaitSpace(admin, first);
            verify(s3, data, "first/", kept);
        }
    }

    /** Prints container, inline and metadata bytes after every step. */
    private record Log(String chunking, RealData data) {
        long step(AdminClient admin, String what) {
            StatsReport stats = admin.stats();
            StorageReport storage = stats.storage();
            note(
                    "%s: logical %d, containers %d, inline %d, metadata %d, index %d, ratio %sx"
                            .formatted(
                                    what,
                                    stats.total().logicalBytes(),
                                    storage.containerBytes(),
                                    stats.total().inlineBytes(),
                                    storage.metadataBytes(),
                                    storage.indexBytes(),
                                    stats.total().dedupRatio()));
            return storage.containerBytes();
        }

        /**
         * By itself, and with default sizes: a round of compaction leaves less than a quarter of
         * dead bytes in any container that is worth it.
         */
        void awaitSpace(AdminClient admin, long atFirst) {
            Eventually.holds(SPACE_DEADLINE, () -> isBack(admin.stats(), atFirst));
            step(admin, "half deleted");
            assertThat(isBack(admin.stats(), atFirst)).as("space has come back").isTrue();
        }

        private static boolean isBack(StatsReport stats, long atFirst) {
            long containers = stats.storage().containerBytes();
            return containers < atFirst * 5 / 6
                    && containers * 3 / 4 < stats.total().distinctChunkBytes() * 102 / 100;
        }

        void note(String text) {
            System.getLogger("real-data")
                    .log(
                            System.Logger.Level.INFO,
                            "%s, %d bytes of files; %s".formatted(chunking, data.bytes(), text));
        }
    }

    private static List<String> keys(RealData data, String prefix, List<Path> files) {
        return files.stream().map(file -> prefix + data.root().relativize(file)).toList();
    }

    private static void put(S3Client s3, RealData data, String prefix, List<Path> files)
            throws InterruptedException {
        List<Runnable> work = new ArrayList<>();
        for (String key : keys(data, prefix, files)) {
            Path file = data.root().resolve(key.substring(prefix.length()));
            work.add(
                    () -> s3.putObject(b -> b.bucket(BUCKET).key(key), RequestBody.fromFile(file)));
        }
        inParallel(work);
    }

    private static void verify(S3Client s3, RealData data, String prefix, List<Path> files)
            throws InterruptedException {
        List<Runnable> work = new ArrayList<>();
        for (String key : keys(data, prefix, files)) {
            Path file = data.root().resolve(key.substring(prefix.length()));
            work.add(
                    () -> {
                        try {
                            assertThat(
                                            TestFiles.sha256(
                                                    s3.getObject(b -> b.bucket(BUCKET).key(key))))
                                    .as(key)
                                    .isEqualTo(TestFiles.sha256(file));
                        } catch (IOException e) {
                            throw new AssertionError(key, e);
                        }
                    });
        }
        inParallel(work);
    }

    private static void delete(S3Client s3, List<String> keys) throws InterruptedException {
        inParallel(
                keys.stream()
                        .<Runnable>map(key -> () -> s3.deleteObject(b -> b.bucket(BUCKET).key(key)))
                        .toList());
    }

    private List<Path> shiftedTarballs(RealData data) throws IOException {
        Path folder = Files.createDirectory(temporary.resolve("shifted"));
        List<Path> shifted = new ArrayList<>();
        for (Path tarball : data.tarballs()) {
            shifted.add(RealData.shift(tarball, folder.resolve(tarball.getFileName())));
        }
        return shifted;
    }

    private static void inParallel(List<Runnable> work) throws InterruptedException {
        try (ExecutorService threads = Executors.newFixedThreadPool(CLIENTS)) {
            List<Future<?>> running = new ArrayList<>();
            work.forEach(item -> running.add(threads.submit(item)));
            for (Future<?> future : running) {
                try {
                    future.get();
                } catch (ExecutionException e) {
                    throw new AssertionError("a request failed", e.getCause());
                }
            }
        }
    }
}
