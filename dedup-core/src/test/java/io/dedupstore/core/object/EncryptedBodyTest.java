package io.dedupstore.core.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedupstore.core.chunking.ChunkingSpec;
import io.dedupstore.core.cipher.ChunkCipher;
import io.dedupstore.core.cipher.CipherException;
import io.dedupstore.core.cipher.RootKey;
import io.dedupstore.core.cipher.RootKeys;
import io.dedupstore.core.compression.ChunkCodec;
import io.dedupstore.core.fingerprint.HashEngine;
import io.dedupstore.core.fingerprint.HashSettings;
import io.dedupstore.core.io.ByteSource;
import io.dedupstore.core.io.WorkerPool;
import io.dedupstore.core.metadata.Body;
import io.dedupstore.core.metadata.NewBody;
import io.dedupstore.core.model.DomainId;
import io.dedupstore.core.model.V;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EncryptedBodyTest {
    private static final HashEngine ENGINE = HashEngine.start(HashSettings.defaults());
    private static final byte[] SECRET =
            "Nobody may find these words on a disk.".getBytes(StandardCharsets.UTF_8);
    private static final RootKey KEY = new RootKey(random(32, 100), 1);
    private static final RootKey CUSTOMER_KEY = new RootKey(random(32, 101), 0);
    private static final RootKeys KEYS =
            (cipher, domain, version) -> {
                if (cipher == ChunkCipher.CUSTOMER) {
                    throw new CipherException(CipherException.Code.NO_KEY, "a client has it");
                }
                return KEY;
            };
    private static final ChunkingSpec CDC = ChunkingSpec.parse("cdc");

    private final FakeStore store = new FakeStore();
    private final FakeIndex index = new FakeIndex();
    private final FakeMetadata metadata = new FakeMetadata();
    private final WorkerPool hashPool = new WorkerPool("hash", 2);
    private final BufferBudget budget = new BufferBudget(64 << 20, Duration.ofSeconds(1));
    private final AtomicLong counter = new AtomicLong();
    private final ObjectWriter writer =
            new ObjectWriter(
                    index,
                    store,
                    metadata.service(),
                    () -> new V(1, 1, counter.incrementAndGet()),
                    new DomainKeys(ENGINE, domain -> random(32, domain.value())),
                    ENGINE,
                    hashPool,
                    budget,
                    () -> 0);
    private final ObjectReader reader =
            new ObjectReader(store, metadata.service(), budget, KEYS).withCustomerKey(CUSTOMER_KEY);

    @AfterEach
    void close() {
        hashPool.close();
    }

    private static Sealing sealing(ChunkCipher cipher) {
        return switch (cipher) {
            case NONE -> Sealing.NONE;
            case DOMAIN -> Sealing.domain(KEY, false);
            case DOMAIN_TWICE -> Sealing.domain(KEY, true);
            case CUSTOMER -> Sealing.customer(CUSTOMER_KEY);
        };
    }

    private static WriteTarget target(ChunkCipher cipher, ChunkingSpec chunking, ChunkCodec codec) {
        return new WriteTarget(
                FakeMetadata.BUCKET,
                FakeMetadata.KEY,
                new DomainId(1 + cipher.id()),
                chunking,
                codec,
                sealing(cipher));
    }

    private WrittenBody write(WriteTarget target, byte[] data) throws IOException {
        return writer.write(target, sourceOf(data), data.length, Set.of());
    }

    @ParameterizedTest
    @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void whatIsWrittenIsRead(ChunkCipher cipher) throws Exception {
        for (ChunkCodec codec : ChunkCodec.values()) {
            for (int size : List.of(0, 1, 4096, 4097, 262_143, (2 << 20) + 1)) {
                byte[] data = words(size);
                Body body = metadata.body(write(target(cipher, CDC, codec), data));
                assertThat(body.length()).isEqualTo(size);
                assertThat(read(reader, body, 0, size)).isEqualTo(data);
                int from = size / 3;
                int to = size - size / 5;
                assertThat(read(reader, body, from, to - from))
                        .isEqualTo(Arrays.copyOfRange(data, from, to));
            }
        }
    }

    /** Bytes that do not shrink fill the room for encrypted ones before the window is through. */
    @ParameterizedTest
    @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void windowsThatGrowAreWrittenInRuns(ChunkCipher cipher) throws Exception {
        for (String spec : List.of("fixed:4k", "fixed:64k", "fixed:1m")) {
            byte[] data = random(4 << 20, 5);
            Body body =
                    metadata.body(
                            write(target(cipher, ChunkingSpec.parse(spec), ChunkCodec.LZ4), data));
            assertThat(read(reader, body, 0, data.length)).isEqualTo(data);
        }
    }

    @ParameterizedTest
    @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void nothingThatIsStoredHoldsThePlainText(ChunkCipher cipher) throws Exception {
        write(target(cipher, CDC, ChunkCodec.OFF), words(300_000));
        assertThat(store.chunks.values()).isNotEmpty();
        assertThat(store.chunks.values()).noneMatch(kept -> indexOf(kept.bytes(), SECRET) >= 0);
        WrittenBody small = write(target(cipher, CDC, ChunkCodec.OFF), words(1000));
        NewBody.Inline inline = (NewBody.Inline) small.body();
        assertThat(indexOf(inline.bytes(), Arrays.copyOf(SECRET, 8))).isNegative();
        assertThat(indexOf(inline.seal(), Arrays.copyOf(SECRET, 8))).isNegative();
        // The search can find it.
        write(target(ChunkCipher.NONE, CDC, ChunkCodec.OFF), words(300_000));
        assertThat(store.chunks.values()).anyMatch(kept -> indexOf(kept.bytes(), SECRET) >= 0);
    }

    @Test
    void noKeyMeetsANonceTwice() throws Exception {
        for (int i = 0; i < 3; i++) {
            write(target(ChunkCipher.DOMAIN, CDC, ChunkCodec.LZ4), random(3_000_000, i));
            write(target(ChunkCipher.DOMAIN, CDC, ChunkCodec.LZ4), random(3_000_000, i));
        }
        Set<ByteBuffer> origins = new HashSet<>();
        store.chunks
                .values()
                .forEach(
                        kept -> {
                            V v = V.of(Arrays.copyOf(kept.bytes(), V.BYTES));
                            assertThat(v).isEqualTo(kept.v());
                            assertThat(origins.add(ByteBuffer.wrap(kept.bytes(), 0, 20))).isTrue();
                        });
        assertThat(origins).hasSizeGreaterThan(50);
    }

    @Test
    void encryptedChunksAreStoredOnceInTheirDomain() throws Exception {
        byte[] data = random(1_000_000, 7);
        write(target(ChunkCipher.NONE, CDC, ChunkCodec.OFF), data);
        int clear = store.chunks.size();
        write(target(ChunkCipher.DOMAIN, CDC, ChunkCodec.OFF), data);
        int first = store.chunks.size();
        assertThat(first).isGreaterThan(clear);
        WrittenBody again = write(target(ChunkCipher.DOMAIN, CDC, ChunkCodec.OFF), data);
        assertThat(store.chunks).hasSize(first);
        assertThat(read(reader, metadata.body(again), 0, data.length)).isEqualTo(data);
        write(target(ChunkCipher.DOMAIN_TWICE, CDC, ChunkCodec.OFF), data);
        assertThat(store.chunks.size()).isGreaterThan(first);
    }

    @Test
    void bodiesUnderKeysOfClientsShareNothing() throws Exception {
        ChunkingSpec fixed = ChunkingSpec.parse("fixed:256k");
        byte[] zeros = new byte[1 << 20];
        write(target(ChunkCipher.CUSTOMER, fixed, ChunkCodec.OFF), zeros);
        assertThat(store.chunks).hasSize(4);
        WrittenBody again = write(target(ChunkCipher.CUSTOMER, fixed, ChunkCodec.OFF), zeros);
        assertThat(store.chunks).hasSize(8);
        assertThat(read(reader, metadata.body(again), 0, zeros.length)).isEqualTo(zeros);
        assertThat(
                        store.chunks.values().stream()
                                .map(kept -> kept.chunk().fingerprint())
                                .distinct())
                .hasSize(8);
    }

    @Test
    void anotherKeyOpensNothing() throws Exception {
        ObjectReader other =
                new ObjectReader(store, metadata.service(), budget, KEYS)
                        .withCustomerKey(new RootKey(random(32, 999), 0));
        ObjectReader none = new ObjectReader(store, metadata.service(), budget);
        for (int size : List.of(100, 100_000)) {
            Body body =
                    metadata.body(
                            write(target(ChunkCipher.CUSTOMER, CDC, ChunkCodec.LZ4), words(size)));
            requireCode(other, body, ObjectStoreException.Code.DAMAGED);
            requireCode(none, body, ObjectStoreException.Code.UNAVAILABLE);
        }
    }

    private static void requireCode(
            ObjectReader reader, Body body, ObjectStoreException.Code code) {
        assertThatThrownBy(() -> read(reader, body, 0, body.length()))
                .isInstanceOfSatisfying(
                        ObjectStoreException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    @Test
    void whatIsEncryptedInlineIsReferredToWholeOnly() throws Exception {
        Body body =
                metadata.body(write(target(ChunkCipher.DOMAIN, CDC, ChunkCodec.OFF), words(100)));
        assertThat(ObjectReader.canSlice(body, 0, 100)).isTrue();
        assertThat(ObjectReader.slice(body, 0, 100)).isEqualTo(body);
        assertThat(ObjectReader.canSlice(body, 1, 99)).isFalse();
        assertThatThrownBy(() -> ObjectReader.slice(body, 1, 99))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(read(reader, body, 90, 10)).isEqualTo(Arrays.copyOfRange(words(100), 90, 100));
    }

    private static byte[] read(ObjectReader reader, Body body, long offset, long length)
            throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        WritableByteChannel channel = Channels.newChannel(out);
        reader.read(FakeMetadata.BUCKET, FakeMetadata.KEY, body, offset, length, channel::write);
        return out.toByteArray();
    }

    private static ByteSource sourceOf(byte[] data) {
        ByteBuffer all = ByteBuffer.wrap(data);
        return dst -> {
            if (!all.hasRemaining()) {
                return -1;
            }
            int count = Math.min(dst.remaining(), all.remaining());
            dst.put(all.slice(all.position(), count));
            all.position(all.position() + count);
            return count;
        };
    }

    /** The secret again and again, numbered so that no chunk comes twice. */
    private static byte[] words(int size) {
        ByteBuffer out = ByteBuffer.allocate(size + 2 * SECRET.length);
        for (int i = 0; out.position() < size; i++) {
            out.put(SECRET).put(Integer.toString(i).getBytes(StandardCharsets.US_ASCII));
        }
        return Arrays.copyOf(out.array(), size);
    }

    private static byte[] random(int size, long seed) {
        byte[] data = new byte[size];
        new Random(seed).nextBytes(data);
        return data;
    }

    private static int indexOf(byte[] in, byte[] bytes) {
        for (int i = 0; i <= in.length - bytes.length; i++) {
            if (Arrays.equals(in, i, i + bytes.length, bytes, 0, bytes.length)) {
                return i;
            }
        }
        return -1;
    }
}
