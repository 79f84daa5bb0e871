package io.dedupstore.core.object;

import io.dedupstore.core.fingerprint.DigestAlgorithm;
import io.dedupstore.core.fingerprint.HashEngine;
import io.dedupstore.core.fingerprint.RunningDigest;
import io.dedupstore.core.metadata.ChecksumAlgorithm;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The digests that checksums of one stream need: MD5 always, since every ETag is one, others when
 * asked. CRCs are none of them: they come from those of the chunks. For one thread at a time.
 */
public final class ChecksumDigests {
    private final HashEngine engine;
    private final RunningDigest md5;
    private final Map<ChecksumAlgorithm, RunningDigest> others =
            new EnumMap<>(ChecksumAlgorithm.class);

    /**
     * @param wanted CRCs and MD5 among them change nothing
     */
    public ChecksumDigests(HashEngine engine, Collection<ChecksumAlgorithm> wanted) {
        this.engine = engine;
        this.md5 = engine.start(DigestAlgorithm.MD5);
        for (ChecksumAlgorithm algorithm : wanted) {
            digestOf(algorithm)
                    .filter(digest -> digest != DigestAlgorithm.MD5)
                    .ifPresent(digest -> others.put(algorithm, engine.start(digest)));
        }
    }

    /** The algorithms among these whose value needs the bytes themselves. */
    public static Set<ChecksumAlgorithm> ofBytes(Collection<ChecksumAlgorithm> algorithms) {
        Set<ChecksumAlgorithm> found = EnumSet.noneOf(ChecksumAlgorithm.class);
        for (ChecksumAlgorithm algorithm : algorithms) {
            if (digestOf(algorithm).isPresent()) {
                found.add(algorithm);
            }
        }
        return found;
    }

    private static Optional<DigestAlgorithm> digestOf(ChecksumAlgorithm algorithm) {
        return switch (algorithm) {
            case CRC32, CRC32C, CRC64NVME -> Optional.empty();
            case SHA1 -> Optional.of(DigestAlgorithm.SHA1);
            case SHA256 -> Optional.of(DigestAlgorithm.SHA256);
            case SHA512 -> Optional.of(DigestAlgorithm.SHA512);
            case MD5 -> Optional.of(DigestAlgorithm.MD5);
            case XXHASH64 -> Optional.of(DigestAlgorithm.XXHASH64);
            case XXHASH3 -> Optional.of(DigestAlgorithm.XXHASH3);
            case XXHASH128 -> Optional.of(DigestAlgorithm.XXHASH128);
        };
    }

    /** Takes all bytes; position and limit stay. */
    public void update(ByteBuffer bytes) {
        engine.update(bytes, all());
    }

    HashEngine.Pending updateLater(ByteBuffer bytes) {
        return engine.updateLater(bytes, all());
    }

    private List<RunningDigest> all() {
        List<RunningDigest> all = new ArrayList<>(others.values());
        all.add(md5);
        return all;
    }

    /** Of all bytes taken; to be called once. */
    public byte[] md5() {
        return md5.digest();
    }

    /** Of all bytes taken, by algorithm, without MD5; to be called once. */
    public Map<ChecksumAlgorithm, byte[]> others() {
        Map<ChecksumAlgorithm, byte[]> values = new EnumMap<>(ChecksumAlgorithm.class);
        others.forEach((algorithm, digest) -> values.put(algorithm, digest.digest()));
        return values;
    }
}
