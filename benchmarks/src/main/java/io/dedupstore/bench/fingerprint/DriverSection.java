package io.dedupstore.bench.fingerprint;

import io.dedupstore.core.jni.NativeDigest;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Bare drivers, and the Java runtime's digests, without the engine. */
final class DriverSection {
    private static final long WARM_NANOS = 2_000_000_000L;
    private static final Set<NativeDigest> WARM = EnumSet.noneOf(NativeDigest.class);

    private final NativeDigest hash;
    private final Clock clock;
    private final NativeDigest.Table table = new NativeDigest.Table();

    DriverSection(NativeDigest hash, Clock clock) {
        this.hash = hash;
        this.clock = clock;
    }

    static ByteBuffer[] buffers(int count, int bytes) {
        ByteBuffer[] buffers = new ByteBuffer[count];
        // Not all in the same sets of the caches.
        Arrays.setAll(
                buffers, i -> ByteBuffer.allocateDirect(bytes + 64 * (i % 7 + 1)).limit(bytes));
        return buffers;
    }

    /** The table of 2009: the time of one digest of zeros. */
    void singles(Findings findings) {
        List<String> columns = new ArrayList<>(List.of("KiB", "jdk"));
        columns.addAll(hash.drivers());
        Findings.Table rows = findings.table(hash + ", one job, microseconds", columns);
        for (int kib = 1; kib <= 128; kib *= 2) {
            List<Double> micros = new ArrayList<>();
            ByteBuffer[] one = buffers(1, kib << 10);
            micros.add(1e6 * (kib << 10) / 1e9 / jdkRate(kib << 10));
            for (int driver = 0; driver < hash.drivers().size(); driver++) {
                micros.add(1e6 * (kib << 10) / 1e9 / rate(driver, one));
            }
            rows.row(Integer.toString(kib), micros);
        }
    }

    double jdkRate(int bytes) {
        MessageDigest digest = digest();
        byte[] heap = new byte[bytes];
        if (WARM.add(hash)) {
            // Its intrinsics come with the last compiler.
            for (long end = System.nanoTime() + WARM_NANOS; System.nanoTime() < end; ) {
                digest.update(heap);
            }
        }
        return clock.rate(bytes, () -> digest.update(heap));
    }

    private MessageDigest digest() {
        try {
            return MessageDigest.getInstance(hash == NativeDigest.MD5 ? "MD5" : "SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Of one call with all buffers, of equal length. */
    double rate(int driver, ByteBuffer[] buffers) {
        List<int[]> states = new ArrayList<>();
        int[] blocks = new int[buffers.length];
        for (int i = 0; i < blocks.length; i++) {
            states.add(new int[NativeDigest.STATE_WORDS]);
            blocks[i] = buffers[i].remaining() / NativeDigest.BLOCK;
        }
        List<ByteBuffer> list = List.of(buffers);
        long bytes = (long) buffers.length * buffers[0].remaining();
        return clock.rate(bytes, () -> table.update(hash, driver, states, list, blocks));
    }
}
