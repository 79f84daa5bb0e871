package io.dedupstore.bench.chunking;

import io.dedupstore.bench.workload.Edits;
import io.dedupstore.bench.workload.Workload;
import io.dedupstore.bench.workload.WorkloadObject;
import io.dedupstore.bench.workload.WorkloadSpec;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What is cut.
 *
 * @param objects direct, each cut by itself
 */
record ChunkData(String name, List<ByteBuffer> objects) {
    private static final long SEED = 1;
    private static final int VERSIONS = 4;
    private static final int VOCABULARY = 5000;

    static List<ChunkData> all(int bytes) {
        return List.of(random(bytes), text(bytes), versioned(bytes));
    }

    long bytes() {
        return objects.stream().mapToLong(ByteBuffer::remaining).sum();
    }

    private static ChunkData random(int bytes) {
        Workload workload =
                new Workload(WorkloadSpec.unique(SEED, 8 << 10, 1).withObjects(1, bytes));
        return new ChunkData("random", List.of(fill(workload.object(0))));
    }

    /** Lines of made-up words, common ones far more often than rare ones. */
    private static ChunkData text(int bytes) {
        SplittableRandom random = new SplittableRandom(SEED);
        List<byte[]> words = new ArrayList<>();
        for (int i = 0; i < VOCABULARY; i++) {
            StringBuilder word = new StringBuilder();
            for (int n = 1 + random.nextInt(4); n > 0; n--) {
                word.append("bcdfghklmnprst".charAt(random.nextInt(14)));
                word.append("aeiou".charAt(random.nextInt(5)));
            }
            word.append(random.nextInt(12) == 0 ? ".\n" : " ");
            words.add(word.toString().getBytes(StandardCharsets.US_ASCII));
        }
        ByteBuffer text = ByteBuffer.allocateDirect(bytes);
        while (text.hasRemaining()) {
            double rank = Math.pow(VOCABULARY, random.nextDouble()) - 1;
            byte[] word = words.get((int) rank);
            text.put(word, 0, Math.min(word.length, text.remaining()));
        }
        return new ChunkData("text-like", List.of(text.flip()));
    }

    /** Versions of one object, each with a few edits more. */
    private static ChunkData versioned(int bytes) {
        Edits edits = new Edits(1, Math.max(1, bytes / (1 << 20)), 4096, 0.4, 0.4, 0);
        Workload workload =
                new Workload(
                        WorkloadSpec.unique(SEED, 8 << 10, 1)
                                .withObjects(1, bytes / VERSIONS)
                                .withEdits(edits));
        List<ByteBuffer> versions = new ArrayList<>();
        for (int version = 0; version < VERSIONS; version++) {
            versions.add(fill(workload.object(0, version)));
        }
        return new ChunkData("versioned", List.copyOf(versions));
    }

    private static ByteBuffer fill(WorkloadObject object) {
        ByteBuffer bytes = ByteBuffer.allocateDirect(Math.toIntExact(object.length()));
        object.fill(0, bytes);
        return bytes.flip();
    }
}
