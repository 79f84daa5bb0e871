package io.dedupstore.core.chunking;

import io.dedupstore.core.jni.NativeLibrary;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The gear hash's table of one dedup domain, {@code G(b) = A·b xor c}.
 *
 * <p>{@code (A, c)} are 288 bits derived from the domain key, so that chunk lengths tell an
 * outsider nothing about known files. Candidates are drawn until one passes the acceptance test of
 * docs/formats/chunking.md: A is injective, and long runs and short periods of the commonest bytes
 * are never cut candidates. That takes about five candidates and a few milliseconds, so a domain's
 * table is made once and kept.
 */
public final class GearTable {

    static final int SEED_WORDS = 9;
    private static final int KEY_BYTES = 32;
    private static final byte[] SEED_LABEL =
            "dedupstore/gear-s2/seed/1".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] ID_LABEL =
            "dedupstore/gear-s2/id/1".getBytes(StandardCharsets.US_ASCII);

    private final int[] seed;
    private final int[] table;
    private final long id;
    private final ConcurrentHashMap<ChunkingSpec.Cdc, Chunker> chunkers = new ConcurrentHashMap<>();

    private GearTable(int[] seed, long id) {
        this.seed = seed;
        this.table = expand(seed);
        this.id = id;
    }

    /**
     * The table of a dedup domain; the same key gives the same table for ever.
     *
     * @param domainKey 32 bytes, not kept
     */
    public static GearTable derive(byte[] domainKey) {
        if (domainKey.length != KEY_BYTES) {
            throw new ChunkingException(
                    ChunkingException.Code.BAD_KEY,
                    "a domain key has 32 bytes, this one " + domainKey.length);
        }
        Mac mac = mac(domainKey);
        for (int candidate = 0; ; candidate++) {
            int[] seed = seed(mac, candidate);
            if (GearAcceptance.accepts(seed, expand(seed))) {
                return new GearTable(seed, id(mac, seed));
            }
        }
    }

    /** Names the table in manifests; tells nothing about its content without the domain key. */
    public long id() {
        return id;
    }

    /** One chunker per profile, since a native one has tables of its own. */
    Chunker chunker(ChunkingSpec.Cdc spec) {
        return chunkers.computeIfAbsent(
                spec,
                key ->
                        NativeLibrary.available()
                                ? new NativeGearChunker(key, this)
                                : new JavaGearChunker(key, this));
    }

    /** The 256 values of G; shared, never to be written. */
    int[] table() {
        return table;
    }

    /** Columns of A (bits 0 to 7 of the byte) and c. */
    int[] seed() {
        return seed.clone();
    }

    static int[] expand(int[] seed) {
        int[] table = new int[256];
        table[0] = seed[8];
        for (int b = 1; b < 256; b++) {
            table[b] = table[b & (b - 1)] ^ seed[Integer.numberOfTrailingZeros(b)];
        }
        return table;
    }

    private static int[] seed(Mac mac, int candidate) {
        ByteBuffer bytes = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
        for (int half = 0; half < 2; half++) {
            mac.update(SEED_LABEL);
            mac.update(littleEndian(candidate));
            mac.update((byte) half);
            bytes.put(mac.doFinal());
        }
        int[] seed = new int[SEED_WORDS];
        bytes.flip().asIntBuffer().get(seed);
        return seed;
    }

    private static long id(Mac mac, int[] seed) {
        mac.update(ID_LABEL);
        for (int word : seed) {
            mac.update(littleEndian(word));
        }
        return ByteBuffer.wrap(mac.doFinal()).order(ByteOrder.LITTLE_ENDIAN).getLong();
    }

    private static byte[] littleEndian(int word) {
        return ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(word).array();
    }

    private static Mac mac(byte[] key) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java runtime has HmacSHA256", e);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof GearTable table
                && Arrays.equals(seed, table.seed)
                && id == table.id;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(id);
    }

    @Override
    public String toString() {
        return "GearTable[" + Long.toHexString(id) + "]";
    }
}
