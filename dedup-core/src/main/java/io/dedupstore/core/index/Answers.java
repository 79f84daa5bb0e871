package io.dedupstore.core.index;

import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.ClaimAnswer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Bytes of answers: a kind, and the address of those that have one. Rows and replies share them.
 */
final class Answers {
    private static final byte OWN = 1;
    private static final byte USE = 2;
    private static final byte UNINDEXED = 3;
    private static final byte MISS = 4;
    private static final int MAX_BYTES = 1 + ChunkAddress.BYTES;

    private Answers() {}

    static byte[] toBytes(ClaimAnswer answer) {
        return toBytes(List.of(answer));
    }

    static byte[] toBytes(List<ClaimAnswer> answers) {
        ByteBuffer out = ByteBuffer.allocate(answers.size() * MAX_BYTES);
        for (ClaimAnswer answer : answers) {
            switch (answer) {
                case ClaimAnswer.Own(ChunkAddress address) -> address.write(out.put(OWN));
                case ClaimAnswer.Use(ChunkAddress address) -> address.write(out.put(USE));
                case ClaimAnswer.Unindexed() -> out.put(UNINDEXED);
                case ClaimAnswer.Miss() -> out.put(MISS);
            }
        }
        byte[] bytes = new byte[out.flip().remaining()];
        out.get(bytes);
        return bytes;
    }

    static List<ClaimAnswer> read(ByteBuffer source) {
        ByteBuffer in = source.slice().order(ByteOrder.BIG_ENDIAN);
        List<ClaimAnswer> answers = new ArrayList<>();
        while (in.hasRemaining()) {
            byte kind = in.get();
            answers.add(
                    switch (kind) {
                        case OWN -> new ClaimAnswer.Own(ChunkAddress.read(in));
                        case USE -> new ClaimAnswer.Use(ChunkAddress.read(in));
                        case UNINDEXED -> new ClaimAnswer.Unindexed();
                        case MISS -> new ClaimAnswer.Miss();
                        default ->
                                throw new IllegalArgumentException(
                                        "unknown kind of claim answer " + kind);
                    });
        }
        return answers;
    }

    static ClaimAnswer readOne(byte[] bytes) {
        return read(ByteBuffer.wrap(bytes)).getFirst();
    }
}
