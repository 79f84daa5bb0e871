package io.dedupstore.core.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.core.io.LocalDisk;
import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.Fingerprint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReferenceSpillTest {
    @TempDir private Path directory;

    private static Fingerprint fingerprint(long n) {
        return new Fingerprint(n * 0x9e3779b97f4a7c15L, n, 0, n);
    }

    private static ChunkAddress address(long n) {
        return new ChunkAddress(new ContainerId(1 + n % 7), (int) (n % 1000));
    }

    private static List<ReferenceSpill.Counted> all(ReferenceSpill spill) {
        return IntStream.range(0, spill.partitions())
                .mapToObj(spill::sorted)
                .flatMap(List::stream)
                .toList();
    }

    private long filesBytes() throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        }
    }

    @Test
    void referencesAreCountedInOrderHoweverTheyCome() throws IOException {
        long seed = 20_260_718;
        System.getLogger("spill").log(System.Logger.Level.INFO, "seed " + seed);
        SplittableRandom random = new SplittableRandom(seed);
        Map<Fingerprint, Long> expected = new HashMap<>();
        try (ReferenceSpill spill =
                new ReferenceSpill(new LocalDisk(), directory.resolve("scratch"), 1_000_000)) {
            for (int i = 0; i < 60_000; i++) {
                // One reference in six is to one content.
                long n = random.nextInt(6) == 0 ? 0 : random.nextInt(20_000);
                spill.add(fingerprint(n), address(n), 100);
                expected.merge(fingerprint(n), 1L, Long::sum);
            }
            List<ReferenceSpill.Counted> all = all(spill);
            assertThat(all).hasSize(expected.size());
            assertThat(filesBytes()).isPositive();
            all.forEach(
                    one -> assertThat(one.references()).isEqualTo(expected.get(one.fingerprint())));
        }
        assertThat(filesBytes()).isZero();
    }

    @Test
    void oneContentThatEverybodyRefersToTakesNoRoom() throws IOException {
        try (ReferenceSpill spill =
                new ReferenceSpill(new LocalDisk(), directory.resolve("scratch"), 1)) {
            for (int i = 0; i < 300_000; i++) {
                spill.add(fingerprint(i % 3), address(i % 3), 100);
            }
            assertThat(filesBytes()).isZero();
            assertThat(all(spill))
                    .extracting(ReferenceSpill.Counted::references)
                    .containsExactly(100_000L, 100_000L, 100_000L);
        }
    }
}
