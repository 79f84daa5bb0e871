package io.dedupstore.client.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.dedupstore.core.chunking.Chunker;
import io.dedupstore.core.chunking.ChunkingSpec;
import io.dedupstore.core.chunking.GearTable;
import io.dedupstore.core.fingerprint.Fingerprinter;
import io.dedupstore.core.fingerprint.HashEngine;
import io.dedupstore.core.fingerprint.HashSettings;
import io.dedupstore.core.fingerprint.HmacKey;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EstimationTest {
    private static final HashEngine ENGINE = HashEngine.start(HashSettings.defaults());
    private static final ChunkingSpec CDC = ChunkingSpec.Cdc.ofAverage(8 << 10);
    private static final ChunkingSpec LARGE_CDC = ChunkingSpec.Cdc.ofAverage(256 << 10);
    private static final ChunkingSpec FIXED = new ChunkingSpec.Fixed(4 << 10);
    private static final List<ChunkingSpec> SPECS = List.of(CDC, LARGE_CDC, FIXED);
    private static final int MIB = 1 << 20;
    private static final int SEEDS = 20;

    /** Items in memory; reading one of the broken fails. */
    private static class Items implements DataSet {
        final Map<String, byte[]> contents = new LinkedHashMap<>();
        final Set<String> broken = new HashSet<>();

        Items with(String name, byte[] content) {
            contents.put(name, content);
            return this;
        }

        @Override
        public String describe() {
            return "items";
        }

        @Override
        public void list(ItemSink sink) throws IOException {
            for (Map.Entry<String, byte[]> item : contents.entrySet()) {
                if (!sink.accept(new DataItem(item.getKey(), item.getValue().length, ""))) {
                    return;
                }
            }
        }

        @Override
        public InputStream open(DataItem item, long from, long to) throws IOException {
            if (broken.contains(item.name())) {
                throw new IOException("no such luck");
            }
            byte[] content = contents.get(item.name());
            return new ByteArrayInputStream(Arrays.copyOfRange(content, (int) from, (int) to));
        }

        @Override
        public void close() {}
    }

    @Test
    void smallDataIsExactAndAsBruteForceHasIt() throws IOException {
        byte[] base = random(1, 3 * MIB);
        byte[] edited = base.clone();
        edited[MIB] ^= 1;
        byte[] shifted = concat(random(2, 777), base);
        byte[] sparse = new byte[2 * MIB + 5_000];
        System.arraycopy(base, 0, sparse, MIB, 50_000);
        Items items =
                new Items()
                        .with("base", base)
                        .with("edited", edited)
                        .with("shifted", shifted)
                        .with("sparse", sparse)
                        .with("text", text(300_000))
                        .with("text again", text(300_000))
                        .with("one chunk", random(3, 100_000))
                        .with("inline", random(4, 4_096))
                        .with("empty", new byte[0]);
        Estimate estimate = new Estimation(items, options(SPECS, 1, 0)).run();
        assertThat(estimate.complete()).isTrue();
        assertThat(estimate.items()).isEqualTo(9);
        assertThat(estimate.inlineBytes()).isEqualTo(4_096);
        assertThat(estimate.share()).isEqualByComparingTo("1");
        for (Estimate.Chunking found : estimate.chunkings()) {
            BruteForce truth = new BruteForce(items, EstimateOptions.parseSpec(found.chunking()));
            assertThat(found.exact()).as(found.chunking()).isTrue();
            assertThat(found.chunks()).isEqualTo(truth.chunks);
            assertThat(found.uniqueBytes()).isEqualTo(exactly(truth.uniqueBytes));
            assertThat(found.duplicateBytes()).isEqualTo(exactly(truth.duplicateBytes));
            assertThat(found.zeroBytes()).isEqualTo(exactly(truth.zeroBytes));
            assertThat(found.distinctChunks()).isEqualTo(truth.distinctChunks);
            assertThat(found.dedupRatio()).isNotNull();
            assertThat(found.dedupRatio().value().doubleValue())
                    .isCloseTo(truth.ratio(), within(0.001));
            assertThat(
                            found.uniqueBytes().value()
                                    + found.duplicateBytes().value()
                                    + found.zeroBytes().value()
                                    + estimate.inlineBytes())
                    .isEqualTo(estimate.logicalBytes());
            assertThat(found.compressedBytes().value())
                    .isLessThan(found.uniqueBytes().value())
                    .isGreaterThan(3L * MIB);
            assertThat(found.storedBytes().value())
                    .isEqualTo(found.compressedBytes().value() + 4_096);
        }
        assertThat(estimate.chunkings())
                .extracting(Estimate.Chunking::offered)
                .containsExactly(true, false, true);
    }

    @Test
    void moreChunksThanTheSampleHoldsAreEstimatedWhateverTheSeed() throws IOException {
        Items items = new Items();
        Random random = new Random(11);
        List<byte[]> parts = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            parts.add(random(1_000 + i, 4 << 10));
        }
        for (int i = 0; i < 16; i++) {
            byte[][] picked = new byte[512][];
            for (int j = 0; j < picked.length; j++) {
                picked[j] = parts.get(random.nextInt(parts.size()));
            }
            items.with("item-" + i, concat(picked));
        }
        BruteForce truth = new BruteForce(items, FIXED);
        int held = 0;
        double sum = 0;
        Set<Long> different = new HashSet<>();
        for (int seed = 0; seed < SEEDS; seed++) {
            EstimateOptions options =
                    new EstimateOptions(
                            List.of(FIXED), 1, 0, EstimateOptions.MIN_SAMPLE_CHUNKS, 2, seed);
            Estimate.Chunking found = new Estimation(items, options).run().chunkings().getFirst();
            assertThat(found.exact()).isFalse();
            assertThat(found.sampledOneIn()).isGreaterThan(1);
            assertThat(found.sampledChunks())
                    .isLessThanOrEqualTo(EstimateOptions.MIN_SAMPLE_CHUNKS);
            Estimate.Bytes unique = found.uniqueBytes();
            boolean holds = unique.low() <= truth.uniqueBytes && truth.uniqueBytes <= unique.high();
            held += holds ? 1 : 0;
            sum += unique.value();
            different.add(unique.value());
        }
        assertThat(held).isGreaterThanOrEqualTo(SEEDS - 4);
        assertThat(different).hasSizeGreaterThan(SEEDS / 2);
        // Each is off by two or three in a hundred, their mean by less than one.
        assertThat(sum / SEEDS).isCloseTo(truth.uniqueBytes, within(0.025 * truth.uniqueBytes));
    }

    @Test
    void piecesOfALargeItemShareOutItsChunks() throws IOException {
        byte[] content = concat(random(21, 30 * MIB), new byte[3 * MIB], text(8 * MIB));
        Items items = new Items().with("large", content);
        DataItem item = new DataItem("large", content.length, "");
        SpecTally whole = scan(items, item, Sampling.everything(1));
        SpecTally pieces = scan(items, item, new Sampling(0.999_999_999, 16L << 20, 1));
        assertThat(pieces.totals().allBytes()).isEqualTo(content.length);
        assertThat(pieces.totals().chunks()).isEqualTo(whole.totals().chunks());
        assertThat(pieces.totals().allZeroBytes()).isEqualTo(whole.totals().allZeroBytes());
        assertThat(names(pieces)).isEqualTo(names(whole));
    }

    private static SpecTally scan(Items items, DataItem item, Sampling sampling)
            throws IOException {
        SpecTally tally = new SpecTally(CDC, new DistinctSample(1 << 20, 16, true));
        ChunkScan scan = scanner(List.of(tally));
        List<Piece> pieces = new ArrayList<>();
        sampling.choose(item, pieces::add);
        assertThat(pieces).hasSize(sampling.isWhole() ? 1 : 3);
        for (Piece piece : pieces) {
            InputStream in = items.open(item, ChunkScan.readFrom(piece), ChunkScan.readTo(piece));
            scan.scan(in, piece, () -> false);
        }
        return tally;
    }

    private static ChunkScan scanner(List<SpecTally> tallies) {
        byte[] key = new byte[32];
        return new ChunkScan(
                tallies, GearTable.derive(key), new Fingerprinter(ENGINE, HmacKey.of(key)), 1, 0);
    }

    private static List<Long> names(SpecTally tally) {
        return tally.sample().chunks().stream().map(chunk -> chunk.hash).sorted().toList();
    }

    @Test
    void aShareIsReadAndTheTruthLiesInTheInterval() throws IOException {
        Items items = new Items();
        for (int i = 0; i < 300; i++) {
            items.with("item-" + i, random(i % 200, 64 << 10));
        }
        BruteForce truth = new BruteForce(items, FIXED);
        Estimate estimate = new Estimation(items, options(List.of(FIXED), 0.4, 0)).run();
        Estimate.Chunking found = estimate.chunkings().getFirst();
        assertThat(estimate.complete()).isTrue();
        assertThat(estimate.logicalBytes()).isEqualTo(300L * (64 << 10));
        assertThat(estimate.share().doubleValue()).isBetween(0.25, 0.55);
        assertThat(estimate.readBytes()).isLessThan(estimate.logicalBytes() * 6 / 10);
        assertThat(found.exact()).isFalse();
        assertThat(truth.uniqueBytes)
                .isBetween(found.uniqueBytes().low(), found.uniqueBytes().high());
    }

    @Test
    void aLimitOfBytesIsKept() throws IOException {
        Items items = new Items();
        for (int i = 0; i < 400; i++) {
            items.with("item-" + i, random(i, 20_000 + 100 * i));
        }
        for (long limit : new long[] {2L * MIB, 5L * MIB}) {
            Estimate estimate = new Estimation(items, options(List.of(CDC), 1, limit)).run();
            assertThat(estimate.readBytes()).isBetween(limit / 2, limit + (256 << 10));
            assertThat(estimate.items()).isEqualTo(400);
        }
        Estimate all = new Estimation(items, options(List.of(CDC), 1, 100L * MIB)).run();
        assertThat(all.complete()).isTrue();
        assertThat(all.share()).isEqualByComparingTo("1");
    }

    @Test
    void theSameSeedGivesTheSameEstimate() throws IOException {
        Items items = new Items();
        for (int i = 0; i < 200; i++) {
            items.with("item-" + i, random(i % 120, 30_000));
        }
        EstimateOptions options = options(SPECS, 0.5, 0);
        assertThat(new Estimation(items, options).run())
                .isEqualTo(new Estimation(items, options).run());
    }

    @Test
    void whatCanNotBeReadIsLeftOutAndNamed() throws IOException {
        Items items = new Items().with("good", random(1, MIB)).with("bad", random(2, MIB));
        items.broken.add("bad");
        Estimate estimate = new Estimation(items, options(List.of(FIXED), 1, 0)).run();
        assertThat(estimate.complete()).isFalse();
        assertThat(estimate.skipped()).isEqualTo(1);
        assertThat(estimate.firstSkipped()).contains("bad").contains("no such luck");
        assertThat(estimate.logicalBytes()).isEqualTo(MIB);
        items.broken.add("good");
        for (int i = 0; i < 5_000; i++) {
            items.with("bad " + i, random(2, 5_000));
            items.broken.add("bad " + i);
        }
        assertThatThrownBy(() -> new Estimation(items, options(List.of(FIXED), 1, 0)).run())
                .isInstanceOf(EstimateException.class)
                .hasMessageContaining("no such luck");
    }

    @Test
    void whenStoppedItTellsWhatItKnows() throws Exception {
        CountDownLatch reading = new CountDownLatch(1);
        byte[] content = random(31, 8 * MIB);
        Items endless =
                new Items() {
                    @Override
                    public void list(ItemSink sink) throws IOException {
                        long n = 0;
                        while (sink.accept(new DataItem("item-" + n++, 8 * MIB, ""))) {
                            if (n == 100) {
                                reading.countDown();
                            }
                        }
                    }

                    @Override
                    public InputStream open(DataItem item, long from, long to) {
                        return new ByteArrayInputStream(content);
                    }
                };
        Estimation estimation = new Estimation(endless, options(List.of(FIXED), 1, 0));
        Thread stopper =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    try {
                                        reading.await();
                                        while (estimation.progress().readBytes() < 25L * MIB) {
                                            Thread.onSpinWait();
                                        }
                                    } catch (InterruptedException e) {
                                        Thread.currentThread().interrupt();
                                    }
                                    estimation.stop();
                                });
        Estimate estimate = estimation.run();
        stopper.join();
        assertThat(estimate.stopped()).isEqualTo("interrupted");
        assertThat(estimate.complete()).isFalse();
        assertThat(estimate.chunkings().getFirst().uniqueBytes()).isEqualTo(exactly(8L * MIB));
        assertThat(estimate.logicalBytes()).isGreaterThan(8L * MIB);
    }

    @Test
    void aDirectoryIsReadWithItsFoldersAndWithoutItsLinks(@TempDir Path directory)
            throws IOException {
        Path folder = Files.createDirectories(directory.resolve("a/b"));
        Files.write(folder.resolve("one"), random(1, 50_000));
        Files.write(directory.resolve("two"), random(1, 50_000));
        Files.createSymbolicLink(directory.resolve("link"), folder.resolve("one"));
        Files.createSymbolicLink(directory.resolve("loop"), directory);
        try (DirectoryData data = new DirectoryData(directory)) {
            Estimate estimate = new Estimation(data, options(List.of(CDC), 1, 0)).run();
            assertThat(estimate.items()).isEqualTo(2);
            assertThat(estimate.logicalBytes()).isEqualTo(100_000);
            assertThat(estimate.chunkings().getFirst().uniqueBytes()).isEqualTo(exactly(50_000));
        }
        assertThatThrownBy(() -> new DirectoryData(directory.resolve("none")))
                .isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void nothingIsEstimatedAsNothing() throws IOException {
        Estimate estimate = new Estimation(new Items(), options(SPECS, 1, 0)).run();
        assertThat(estimate.complete()).isTrue();
        assertThat(estimate.logicalBytes()).isZero();
        assertThat(estimate.chunkings()).allMatch(found -> found.dedupRatio() == null);
    }

    @Test
    void optionsThatMakeNoSenseAreRefused() {
        assertThatThrownBy(() -> options(List.of(), 1, 0)).isInstanceOf(EstimateException.class);
        assertThatThrownBy(() -> options(SPECS, 0, 0)).isInstanceOf(EstimateException.class);
        assertThatThrownBy(() -> options(SPECS, 0.5, 10)).isInstanceOf(EstimateException.class);
        assertThatThrownBy(() -> options(List.of(CDC, CDC), 1, 0))
                .isInstanceOf(EstimateException.class);
    }

    /** Cuts whole items and remembers all content. */
    private static final class BruteForce {
        long chunks;
        long distinctChunks;
        long uniqueBytes;
        long duplicateBytes;
        long zeroBytes;
        private final Set<Integer> zeroLengths = new HashSet<>();
        private final Map<ByteBuffer, Integer> known = new HashMap<>();

        BruteForce(Items items, ChunkingSpec spec) {
            // The table that estimates cut with.
            GearTable gear =
                    GearTable.derive(
                            "estimates only: no data is kept.".getBytes(StandardCharsets.US_ASCII));
            Chunker chunker = Chunker.of(spec, gear);
            for (byte[] content : items.contents.values()) {
                if (content.length > 4_096) {
                    boolean single = spec instanceof ChunkingSpec.Cdc && content.length <= 131_072;
                    cut(content, single ? null : chunker);
                }
            }
            distinctChunks = known.size();
        }

        private void cut(byte[] content, @Nullable Chunker chunker) {
            int[] lengths = new int[content.length / 1_024 + 1];
            int count = 1;
            lengths[0] = content.length;
            if (chunker != null) {
                count = chunker.cuts(ByteBuffer.wrap(content), true, lengths);
            }
            int from = 0;
            for (int i = 0; i < count; i++) {
                add(ByteBuffer.wrap(Arrays.copyOfRange(content, from, from + lengths[i])));
                from += lengths[i];
            }
        }

        private void add(ByteBuffer chunk) {
            chunks++;
            int length = chunk.remaining();
            if (chunk.equals(ByteBuffer.allocate(length))) {
                zeroBytes += length;
                zeroLengths.add(length);
            } else if (known.merge(chunk, 1, Integer::sum) == 1) {
                uniqueBytes += length;
            } else {
                duplicateBytes += length;
            }
        }

        double ratio() {
            int zeros = zeroLengths.stream().mapToInt(Integer::intValue).sum();
            return (double) (uniqueBytes + duplicateBytes + zeroBytes) / (uniqueBytes + zeros);
        }
    }

    private static Estimate.Bytes exactly(long bytes) {
        return new Estimate.Bytes(bytes, bytes, bytes);
    }

    private static EstimateOptions options(List<ChunkingSpec> specs, double share, long maxBytes) {
        return new EstimateOptions(
                specs, share, maxBytes, EstimateOptions.DEFAULT_SAMPLE_CHUNKS, 3, 7);
    }

    private static byte[] random(long seed, int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private static byte[] text(int length) {
        StringBuilder text = new StringBuilder(length + 100);
        for (int line = 0; text.length() < length; line++) {
            text.append("line ").append(line).append(" of a log that says the same again\n");
        }
        return text.substring(0, length).getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] concat(byte[]... parts) {
        ByteBuffer all = ByteBuffer.allocate(Arrays.stream(parts).mapToInt(p -> p.length).sum());
        for (byte[] part : parts) {
            all.put(part);
        }
        return all.array();
    }
}
