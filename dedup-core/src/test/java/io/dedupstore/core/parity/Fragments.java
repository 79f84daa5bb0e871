package io.dedupstore.core.parity;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** Fragments of a scheme at odd positions of larger buffers, whose other bytes must stay. */
final class Fragments {
    private static final byte UNTOUCHED = 0x5a;
    private static final int MAX_MARGIN = 20;

    private final Random random;
    private final boolean direct;
    private final int length;

    Fragments(Random random, boolean direct, int length) {
        this.random = random;
        this.direct = direct;
        this.length = length;
    }

    ByteBuffer empty() {
        int margin = 1 + random.nextInt(MAX_MARGIN);
        int size = length + 2 * margin;
        ByteBuffer buffer = direct ? ByteBuffer.allocateDirect(size) : ByteBuffer.allocate(size);
        for (int i = 0; i < size; i++) {
            buffer.put(i, UNTOUCHED);
        }
        return buffer.position(margin).limit(margin + length);
    }

    ByteBuffer filled() {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        ByteBuffer buffer = empty();
        buffer.put(buffer.position(), bytes);
        return buffer;
    }

    ByteBuffer zeros() {
        ByteBuffer buffer = empty();
        buffer.put(buffer.position(), new byte[length]);
        return buffer;
    }

    List<ByteBuffer> filled(int n) {
        List<ByteBuffer> fragments = new ArrayList<>();
        while (fragments.size() < n) {
            fragments.add(filled());
        }
        return fragments;
    }

    List<ByteBuffer> zeros(int n) {
        List<ByteBuffer> fragments = new ArrayList<>();
        while (fragments.size() < n) {
            fragments.add(zeros());
        }
        return fragments;
    }

    /** Empty buffers for some fragments. */
    Map<Integer, ByteBuffer> room(Iterable<Integer> numbers) {
        Map<Integer, ByteBuffer> room = new TreeMap<>();
        numbers.forEach(number -> room.put(number, empty()));
        return room;
    }

    static boolean surroundingsUntouched(ByteBuffer fragment) {
        ByteBuffer whole = fragment.duplicate().clear();
        for (int i = 0; i < whole.capacity(); i++) {
            boolean inside = i >= fragment.position() && i < fragment.limit();
            if (!inside && whole.get(i) != UNTOUCHED) {
                return false;
            }
        }
        return true;
    }

    /** By the definition: no tables, no tricks. */
    static byte[] definition(ParityScheme scheme, List<ByteBuffer> data, int parity, int length) {
        byte[] result = new byte[length];
        for (int column = 0; column < scheme.data(); column++) {
            int coefficient = inverse((scheme.data() + parity) ^ column);
            ByteBuffer fragment = data.get(column);
            for (int i = 0; i < length; i++) {
                int value = fragment.get(fragment.position() + i) & 0xff;
                result[i] ^= (byte) product(coefficient, value);
            }
        }
        return result;
    }

    static int product(int a, int b) {
        int product = 0;
        for (int bit = 0; bit < 8; bit++) {
            product ^= (b >> bit & 1) * (a << bit);
        }
        for (int bit = 14; bit >= 8; bit--) {
            product ^= (product >> bit & 1) * (0x11d << (bit - 8));
        }
        return product;
    }

    private static int inverse(int a) {
        int candidate = 1;
        while (product(a, candidate) != 1) {
            candidate++;
        }
        return candidate;
    }
}
