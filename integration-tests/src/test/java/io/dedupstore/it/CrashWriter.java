package io.dedupstore.it;

import java.util.Optional;
import java.util.Random;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/** Puts, overwrites and deletes its own keys until the server is gone, and keeps the ledger. */
final class CrashWriter {
    private static final int KEYS = 12;
    private static final int DELETES_OF_TEN = 2;

    /** Some content is written by several writers and again and again, so that it is shared. */
    private static final int SHARED_CONTENTS = 5;

    private static final int[] SIZES = {0, 100, 4096, 20_000, 150_000, 1_000_000, 3_000_000};

    private final int number;
    private final Random random;
    private final Ledger ledger = new Ledger();

    CrashWriter(int number, long seed) {
        this.number = number;
        this.random = new Random(seed * 1_000 + number);
    }

    Ledger ledger() {
        return ledger;
    }

    /**
     * @return operations that were acknowledged
     */
    long writeUntilItFails(S3Client s3, String bucket) {
        long done = 0;
        try {
            while (true) {
                step(s3, bucket);
                done++;
            }
        } catch (SdkException gone) {
            return done;
        }
    }

    private void step(S3Client s3, String bucket) {
        String key = "writer-" + number + "/key-" + random.nextInt(KEYS);
        if (random.nextInt(10) < DELETES_OF_TEN) {
            ledger.begin(key, Optional.empty());
            s3.deleteObject(b -> b.bucket(bucket).key(key));
            ledger.acknowledge(key, Optional.empty());
            return;
        }
        byte[] content = content();
        Optional<String> hash = Optional.of(TestFiles.sha256(content));
        ledger.begin(key, hash);
        s3.putObject(b -> b.bucket(bucket).key(key), RequestBody.fromBytes(content));
        ledger.acknowledge(key, hash);
    }

    private byte[] content() {
        int size = SIZES[random.nextInt(SIZES.length)];
        long seed = random.nextInt(3) == 0 ? random.nextInt(SHARED_CONTENTS) : random.nextLong();
        return TestFiles.bytes(seed, size);
    }
}
