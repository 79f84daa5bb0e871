package io.dedupstore.core.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedupstore.core.checksum.ChunkCrcs;
import io.dedupstore.core.chunking.ChunkingSpec;
import io.dedupstore.core.compression.ChunkCodec;
import io.dedupstore.core.fingerprint.HashEngine;
import io.dedupstore.core.fingerprint.HashSettings;
import io.dedupstore.core.io.ByteSource;
import io.dedupstore.core.io.WorkerPool;
import io.dedupstore.core.metadata.Body;
import io.dedupstore.core.metadata.ChecksumAlgorithm;
import io.dedupstore.core.metadata.NewBody;
import io.dedupstore.core.model.DomainId;
import io.dedupstore.core.model.ManifestEntry;
import io.dedupstore.core.model.ReferenceSum;
import io.dedupstore.core.model.Retained;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.V;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StraightLineTest {
    private static final ChunkingSpec CDC = ChunkingSpec.DEFAULT;
    private static final ChunkingSpec FIXED = ChunkingSpec.parse("fixed:64k");
    private static final ChunkingSpec LARGE = ChunkingSpec.parse("fixed:1m");

    /** Of all tests: it measures kernels when it starts. */
    private static final HashEngine ENGINE = HashEngine.start(HashSettings.defaults());

    private final FakeIndex index = new FakeIndex();
    private final FakeStore store = new FakeStore();
    private final FakeMetadata metadata = new FakeMetadata();
    private final WorkerPool pool = new WorkerPool("hash", 2);
    private final BufferBudget budget = new BufferBudget(16 << 20, Duration.ofMillis(20));
    private final AtomicLong counter = new AtomicLong();
    private final AtomicLong nanos = new AtomicLong();
    private final ObjectWriter writer =
            new ObjectWriter(
                    index,
                    store,
                    metadata.service(),
                    () -> new V(1, 1, counter.getAndIncrement()),
                    new DomainKeys(ENGINE, domain -> new byte[32]),
                    ENGINE,
                    pool,
                    budget,
                    nanos::get);
    private final ObjectReader reader = new ObjectReader(store, metadata.service(), budget);

    @AfterEach
    void everyBufferWasGivenBack() {
        pool.close();
        assertThat(budget.bytesInUse()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                0, 1, 4096, 4097, 65_536, 131_072, 131_073, 262_143, 262_144, 2_097_152, 5_000_001
            })
    void whatWasWrittenIsRead(int size) throws Exception {
        for (ChunkingSpec chunking : new ChunkingSpec[] {CDC, FIXED, LARGE}) {
            for (ChunkCodec codec : ChunkCodec.values()) {
                byte[] data = text(size, size);
                WrittenBody written = write(target(chunking, codec), data, size);
                assertThat(written.size()).isEqualTo(size);
                assertThat(written.md5()).isEqualTo(MessageDigest.getInstance("MD5").digest(data));
                assertThat(written.sums()).isEqualTo(ChunkCrcs.of(ByteBuffer.wrap(data)));
                assertThat(read(metadata.body(written), 0, size)).isEqualTo(data);
            }
        }
    }

    @Test
    void lengthNeedNotBeKnown() throws Exception {
        byte[] data = text(3_000_000, 5);
        assertThat(
                        read(
                                metadata.body(write(target(CDC, ChunkCodec.OFF), data, -1)),
                                0,
                                data.length))
                .isEqualTo(data);
        assertThat(write(target(CDC, ChunkCodec.OFF), new byte[100], -1).body())
                .isInstanceOf(NewBody.Inline.class);
    }

    @ParameterizedTest
    @CsvSource({
        "0,1",
        "1,65535",
        "65535,2",
        "65536,65536",
        "100000,400001",
        "2999999,1",
        "0,3000000"
    })
    void anyRangeIsRead(int offset, int length) throws Exception {
        byte[] data = text(3_000_000, 6);
        for (ChunkingSpec chunking : new ChunkingSpec[] {CDC, FIXED, LARGE}) {
            Body body = metadata.body(write(target(chunking, ChunkCodec.LZ4), data, data.length));
            byte[] expected = Arrays.copyOfRange(data, offset, offset + length);
            assertThat(read(body, offset, length)).isEqualTo(expected);
            assertThat(reader.sums(FakeMetadata.BUCKET, FakeMetadata.KEY, body, offset, length))
                    .isEqualTo(ChunkCrcs.of(ByteBuffer.wrap(expected)));
            Body slice = ObjectReader.slice(body, offset, length);
            assertThat(slice.length()).isEqualTo(length);
            assertThat(read(slice, 0, length)).isEqualTo(expected);
        }
    }

    @Test
    void partsOfEveryKindReadAsOne() throws Exception {
        byte[] data = text(400_000, 7);
        byte[] small = text(1000, 8);
        Body large = metadata.body(write(target(CDC, ChunkCodec.OFF), data, data.length));
        Body parts = new Body.Parts(java.util.List.of(large, new Body.Inline(small), large));
        ByteBuffer all = ByteBuffer.allocate(801_000).put(data).put(small).put(data);
        assertThat(read(parts, 0, 801_000)).isEqualTo(all.array());
        byte[] middle = Arrays.copyOfRange(all.array(), 399_999, 401_002);
        assertThat(read(parts, 399_999, 1003)).isEqualTo(middle);
        assertThat(read(ObjectReader.slice(parts, 399_999, 1003), 0, 1003)).isEqualTo(middle);
    }

    @Test
    void secondCopyStoresNothing() throws Exception {
        byte[] data = random(3_000_000, 1);
        write(target(CDC, ChunkCodec.OFF), data, data.length);
        long stored = store.storedBytes();
        WrittenBody again = write(target(CDC, ChunkCodec.OFF), data, data.length);
        assertThat(store.storedBytes()).isEqualTo(stored).isEqualTo(data.length);
        assertThat(((NewBody.Holder) again.body()).newChunkBytes()).isZero();
    }

    @Test
    void repeatedChunksOfOneBodyAreClaimedOnce() throws Exception {
        byte[] once = random(65_536, 2);
        byte[] data = new byte[10 * once.length];
        for (int i = 0; i < 10; i++) {
            System.arraycopy(once, 0, data, i * once.length, once.length);
        }
        WrittenBody written = write(target(FIXED, ChunkCodec.OFF), data, data.length);
        assertThat(index.claimed).hasSize(1);
        assertThat(store.chunks).hasSize(1);
        assertThat(read(metadata.body(written), 0, data.length)).isEqualTo(data);
    }

    @Test
    void zeroChunksAreNeitherClaimedNorStored() throws Exception {
        byte[] data = new byte[1_000_000];
        WrittenBody written = write(target(FIXED, ChunkCodec.OFF), data, data.length);
        assertThat(index.claimed).isEmpty();
        assertThat(store.chunks).isEmpty();
        assertThat(FakeMetadata.claimedOf(written)).isEmpty();
        assertThat(read(metadata.body(written), 5, 999_990)).isEqualTo(new byte[999_990]);
    }

    @Test
    void staleHintIsAppendedAndClaimedAgain() throws Exception {
        byte[] data = random(100_000, 3);
        write(target(CDC, ChunkCodec.OFF), data, data.length);
        index.hints.addAll(index.entries.keySet());
        index.entries.clear();
        WrittenBody again = write(target(CDC, ChunkCodec.OFF), data, data.length);
        assertThat(store.chunks).hasSize(2);
        assertThat(read(metadata.body(again), 0, data.length)).isEqualTo(data);
    }

    @Test
    void overQuotaTheChunkIsTheHoldersOwn() throws Exception {
        index.acceptsNew = false;
        byte[] data = random(300_000, 4);
        WrittenBody written = write(target(FIXED, ChunkCodec.OFF), data, data.length);
        assertThat(((NewBody.Holder) written.body()).tail())
                .allMatch(entry -> entry.kind() == ManifestEntry.Kind.UNINDEXED);
        assertThat(((NewBody.Holder) written.body()).newChunkBytes()).isEqualTo(300_000);
        assertThat(read(metadata.body(written), 0, data.length)).isEqualTo(data);
    }

    @Test
    void bytesReadAheadStayUntilTheirSourceHasFinishedWithThem() throws Exception {
        byte[] data = random(9_000_000, 12);
        LookingSource source = new LookingSource(data);
        WrittenBody written =
                writer.write(target(CDC, ChunkCodec.OFF), source, data.length, Set.of());
        assertThat(read(metadata.body(written), 0, data.length)).isEqualTo(data);
        assertThat(source.settled).isGreaterThan(3);
        assertThat(source.given).isNull();
    }

    /** Looks at what it gave once more when it settles. */
    private static final class LookingSource implements ByteSource {
        private final ByteBuffer data;
        private ByteBuffer given;
        private ByteBuffer expected;
        private int settled;

        LookingSource(byte[] data) {
            this.data = ByteBuffer.wrap(data);
        }

        @Override
        public int read(ByteBuffer target) {
            throw new AssertionError("reads without looking ahead");
        }

        @Override
        public int readAhead(ByteBuffer target) {
            settle();
            if (!data.hasRemaining()) {
                return -1;
            }
            int count = Math.min(data.remaining(), target.remaining());
            expected = data.slice(data.position(), count);
            given = target.slice(target.position(), count);
            target.put(expected.duplicate());
            data.position(data.position() + count);
            return count;
        }

        @Override
        public void settle() {
            if (given != null) {
                assertThat(given).isEqualTo(expected);
                given = null;
                settled++;
            }
        }
    }

    @Test
    void addressOfAnUnansweredClaimIsNeverUsed() throws Exception {
        index.unansweredClaims = 3;
        byte[] data = random(100_000, 5);
        WrittenBody written = write(target(CDC, ChunkCodec.OFF), data, data.length);
        NewBody.Holder holder = (NewBody.Holder) written.body();
        ManifestEntry entry = holder.tail().getFirst();
        assertThat(entry.kind()).isEqualTo(ManifestEntry.Kind.UNINDEXED);
        assertThat(entry.reference().address().slot()).as("appended anew").isEqualTo(1);
        assertThat(holder.claimed())
                .containsEntry(
                        ShardId.index(0),
                        new Retained.AllBut(
                                Set.of(entry.reference().fingerprint()), ReferenceSum.ZERO));
        assertThat(read(metadata.body(written), 0, data.length)).isEqualTo(data);
    }

    @Test
    void claimIsRepeatedBeforeTheShardIsGivenUp() throws Exception {
        index.unansweredClaims = 2;
        byte[] data = random(100_000, 6);
        WrittenBody written = write(target(CDC, ChunkCodec.OFF), data, data.length);
        NewBody.Holder holder = (NewBody.Holder) written.body();
        assertThat(holder.claimed())
                .containsEntry(
                        ShardId.index(0),
                        new Retained.All(ReferenceSum.of(holder.tail().getFirst().reference())));
        assertThat(store.chunks).hasSize(1);
    }

    @Test
    void refusedClaimEndsTheWrite() {
        index.refuses = true;
        assertThatThrownBy(() -> write(target(CDC, ChunkCodec.OFF), random(100_000, 7), 100_000))
                .isInstanceOfSatisfying(
                        ObjectStoreException.class,
                        e -> assertThat(e.code()).isEqualTo(ObjectStoreException.Code.STALE));
        assertThat(metadata.abandoned).hasSize(1);
    }

    @Test
    void fullStoreEndsTheWrite() {
        store.full = true;
        assertThatThrownBy(() -> write(target(CDC, ChunkCodec.OFF), random(100_000, 8), 100_000))
                .isInstanceOfSatisfying(
                        ObjectStoreException.class,
                        e -> assertThat(e.code()).isEqualTo(ObjectStoreException.Code.FULL));
        assertThat(metadata.abandoned).hasSize(1);
    }

    @Test
    void brokenSourceEndsTheWrite() {
        ByteSource broken =
                dst -> {
                    if (dst.position() > 500_000) {
                        throw new IOException("gone");
                    }
                    dst.put(random(100_000, dst.position()));
                    return 100_000;
                };
        assertThatThrownBy(() -> writer.write(target(CDC, ChunkCodec.OFF), broken, -1, Set.of()))
                .isInstanceOf(IOException.class);
    }

    @Test
    void longWriteBecomesSeveralHolders() throws Exception {
        int chunks = 65_536 + 10;
        byte[] page = random(4096, 9);
        AtomicLong left = new AtomicLong(chunks);
        ByteSource source =
                dst -> {
                    if (left.getAndDecrement() <= 0) {
                        return -1;
                    }
                    dst.put(page);
                    return page.length;
                };
        WrittenBody written =
                writer.write(
                        target(ChunkingSpec.parse("fixed:4k"), ChunkCodec.OFF),
                        source,
                        -1,
                        Set.of());
        NewBody.Holder holder = (NewBody.Holder) written.body();
        assertThat(holder.earlier()).hasSize(1);
        assertThat(holder.size()).isEqualTo(chunks * 4096L);
        Body body = metadata.body(written);
        assertThat(body.length()).isEqualTo(chunks * 4096L);
        assertThat(read(body, 65_535 * 4096L + 1, 8192))
                .isEqualTo(
                        ByteBuffer.allocate(8192)
                                .put(page, 1, 4095)
                                .put(page)
                                .put(page, 0, 1)
                                .array());
    }

    @Test
    void oldHolderIsClosedInTime() throws Exception {
        ByteSource slow = sourceOf(random(5_000_000, 10), 1_000_000);
        WrittenBody written =
                writer.write(
                        target(FIXED, ChunkCodec.OFF),
                        dst -> {
                            nanos.addAndGet(Duration.ofMinutes(20).toNanos());
                            return slow.read(dst);
                        },
                        -1,
                        Set.of());
        assertThat(((NewBody.Holder) written.body()).earlier()).isNotEmpty();
        assertThat(read(metadata.body(written), 0, 5_000_000)).isEqualTo(random(5_000_000, 10));
    }

    @Test
    void askedDigestsCoverAllBytes() throws Exception {
        byte[] data = random(3_000_000, 11);
        WrittenBody written =
                writer.write(
                        target(CDC, ChunkCodec.OFF),
                        sourceOf(data, 77_777),
                        data.length,
                        Set.of(ChecksumAlgorithm.SHA1, ChecksumAlgorithm.SHA256));
        assertThat(written.digests())
                .containsEntry(
                        ChecksumAlgorithm.SHA256, MessageDigest.getInstance("SHA-256").digest(data))
                .containsEntry(
                        ChecksumAlgorithm.SHA1, MessageDigest.getInstance("SHA-1").digest(data));
    }

    @Test
    void whoFindsNoMemoryIsToldToSlowDown() {
        try (BufferBudget.Lease all = budget.take(8, BufferBudget.LARGE_BYTES)) {
            assertThat(all.buffer(7).capacity()).isEqualTo(BufferBudget.LARGE_BYTES);
            assertThatThrownBy(() -> write(target(CDC, ChunkCodec.OFF), new byte[10], 10))
                    .isInstanceOfSatisfying(
                            ObjectStoreException.class,
                            e ->
                                    assertThat(e.code())
                                            .isEqualTo(ObjectStoreException.Code.SLOW_DOWN));
        }
    }

    @Test
    void freedSlotIsReportedAsGone() throws Exception {
        WrittenBody written = write(target(CDC, ChunkCodec.OFF), random(100_000, 12), 100_000);
        Body body = metadata.body(written);
        store.chunks.clear();
        assertThatThrownBy(() -> read(body, 0, 100_000))
                .isInstanceOfSatisfying(
                        ObjectStoreException.class,
                        e -> assertThat(e.code()).isEqualTo(ObjectStoreException.Code.GONE));
    }

    private WrittenBody write(WriteTarget target, byte[] data, long declared) throws IOException {
        return writer.write(target, sourceOf(data, 100_003), declared, Set.of());
    }

    private static WriteTarget target(ChunkingSpec chunking, ChunkCodec codec) {
        return new WriteTarget(
                FakeMetadata.BUCKET, FakeMetadata.KEY, new DomainId(1), chunking, codec);
    }

    private byte[] read(Body body, long offset, long length) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        WritableByteChannel channel = Channels.newChannel(out);
        reader.read(FakeMetadata.BUCKET, FakeMetadata.KEY, body, offset, length, channel::write);
        return out.toByteArray();
    }

    private static ByteSource sourceOf(byte[] data, int step) {
        ByteBuffer all = ByteBuffer.wrap(data);
        return dst -> {
            if (!all.hasRemaining()) {
                return -1;
            }
            int count = Math.min(Math.min(step, dst.remaining()), all.remaining());
            dst.put(all.slice(all.position(), count));
            all.position(all.position() + count);
            return count;
        };
    }

    private static byte[] random(int size, long seed) {
        byte[] data = new byte[size];
        new Random(seed).nextBytes(data);
        return data;
    }

    /** Compressible, but without repeated chunks. */
    private static byte[] text(int size, long seed) {
        Random random = new Random(seed);
        byte[] data = new byte[size];
        for (int i = 0; i < size; i++) {
            data[i] = (byte) ('a' + random.nextInt(4));
        }
        return data;
    }
}
