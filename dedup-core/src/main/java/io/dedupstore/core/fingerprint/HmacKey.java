package io.dedupstore.core.fingerprint;

/** A dedup domain's 32-byte key, ready for use. Never printed. */
public final class HmacKey {
    static final int LENGTH = 32;

    private final byte[] key;

    private HmacKey(byte[] key) {
        this.key = key;
    }

    /**
     * @param key 32 bytes, copied
     */
    public static HmacKey of(byte[] key) {
        if (key.length != LENGTH) {
            throw new IllegalArgumentException(
                    "a domain key has " + LENGTH + " bytes, this one " + key.length);
        }
        return new HmacKey(key.clone());
    }

    byte[] bytes() {
        return key;
    }

    @Override
    public String toString() {
        return "HmacKey[hidden]";
    }
}
