package io.dedupstore.core.sigv4;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;

/**
 * SHA-256 from outside, so that one hashing engine can serve everything that hashes. Calls may
 * block; buffers are read from position to limit and may be used again when the call returns.
 */
public interface PayloadHasher {

    /** A digest that takes its message piece by piece. One thread at a time. */
    interface Running {
        void update(ByteBuffer piece);

        /**
         * As {@link #update}, but the piece must stay as it is until {@link #settle} or {@link
         * #digest}, so that it can be hashed beside those of others. One at a time.
         */
        default void updateLater(ByteBuffer piece) {
            update(piece);
        }

        /** Returns when nothing looks at the last piece any more. */
        default void settle() {}

        /** The digest of everything so far; the object is of no use afterwards. */
        byte[] digest();
    }

    Running start();

    /** Digests of independent messages; an engine with several lanes does them together. */
    default List<byte[]> digestAll(List<ByteBuffer> messages) {
        return messages.stream()
                .map(
                        message -> {
                            Running running = start();
                            running.update(message);
                            return running.digest();
                        })
                .toList();
    }

    /** The JDK's own SHA-256, computed on the calling thread. */
    static PayloadHasher jdk() {
        return () -> {
            MessageDigest digest = newSha256();
            return new Running() {
                @Override
                public void update(ByteBuffer piece) {
                    digest.update(piece);
                }

                @Override
                public byte[] digest() {
                    return digest.digest();
                }
            };
        };
    }

    private static MessageDigest newSha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this JDK has no SHA-256", e);
        }
    }
}
