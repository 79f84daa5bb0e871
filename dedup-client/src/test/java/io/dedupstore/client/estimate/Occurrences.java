package io.dedupstore.client.estimate;

import io.dedupstore.core.model.Fingerprint;
import java.util.Random;

/** A chunk of a made-up data set: a name and a hash from chance, and a length. */
record Occurrences(Fingerprint name, long hash, int length) {
    static final Visit ONLY_VISIT = new Visit(0, 1, 0);

    static Occurrences chunk(Random random, int length) {
        Fingerprint name =
                new Fingerprint(
                        random.nextLong(), random.nextLong(), random.nextLong(), random.nextLong());
        return new Occurrences(name, random.nextLong(), length);
    }

    void addTo(DistinctSample sample, Visit visit) {
        // Compressed lengths that depend on the chunk, between a fifth and all of it.
        if (sample.add(name, hash, length, visit)) {
            sample.compressed(name, compressedLength());
        }
    }

    int compressedLength() {
        return (int) (length * (0.2 + 0.8 * ((name.w1() >>> 11) * 0x1p-53)));
    }
}
