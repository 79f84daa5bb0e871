package io.dedupstore.core.parity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedupstore.core.jni.NativeParity;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ParityTest {
    private static final long SEED = Long.getLong("dedup.test.seed", 20261121L);
    private static final int ROUNDS = 60;
    private static final int MAX_LENGTH = 20_000;
    private static final ParityScheme FOUR_AND_TWO = new ParityScheme(4, 2);

    static List<String> drivers() {
        return Parity.drivers();
    }

    @Test
    void theTwinIsAlwaysThereAndTheNativeDriversComeFirst() {
        List<String> expected = new ArrayList<>(NativeParity.drivers());
        expected.add("java");
        assertThat(Parity.drivers()).isEqualTo(expected).doesNotHaveDuplicates();
        assertThat(Parity.of(FOUR_AND_TWO).driver()).isEqualTo(Parity.drivers().getFirst());
    }

    @ParameterizedTest
    @MethodSource("drivers")
    void anyFragmentsGiveAnyOthersForAnySchemeAndLength(String driver) {
        for (int round = 0; round < ROUNDS; round++) {
            long seed = SEED + round;
            Random random = new Random(seed);
            int k = 1 + random.nextInt(ParityScheme.MAX_FRAGMENTS - 1);
            int m = 1 + random.nextInt(ParityScheme.MAX_FRAGMENTS - k);
            int length = random.nextBoolean() ? random.nextInt(300) : random.nextInt(MAX_LENGTH);
            Parity parity = Parity.of(new ParityScheme(k, m), driver);
            String what = "%s %d+%d of %d bytes, seed %d".formatted(driver, k, m, length, seed);
            Fragments fragments = new Fragments(random, random.nextInt(8) != 0, length);
            List<ByteBuffer> all = encoded(parity, fragments);
            for (int row : new int[] {0, m - 1}) {
                assertThat(bytes(all.get(k + row)))
                        .as(what)
                        .isEqualTo(Fragments.definition(parity.scheme(), all, row, length));
            }
            rebuild(parity, fragments, all, randomly(random, k, m), what);
        }
    }

    @ParameterizedTest
    @MethodSource("drivers")
    void allPatternsOfTwoLostOfSixAreRebuilt(String driver) {
        Parity parity = Parity.of(FOUR_AND_TWO, driver);
        Fragments fragments = new Fragments(new Random(SEED), true, 1000);
        List<ByteBuffer> all = encoded(parity, fragments);
        for (int pattern = 1; pattern < 1 << all.size(); pattern++) {
            List<Integer> lost = bits(pattern);
            if (lost.size() <= 2) {
                rebuild(parity, fragments, all, lost, driver + " lost " + lost);
            } else {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> rebuild(parity, fragments, all, lost, "too many"))
                        .withMessageContaining("too few");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("drivers")
    void oneLostFragmentNeedsNoRoomForTheOther(String driver) {
        Parity parity = Parity.of(FOUR_AND_TWO, driver);
        Fragments fragments = new Fragments(new Random(SEED), true, 77);
        List<ByteBuffer> all = encoded(parity, fragments);
        Map<Integer, ByteBuffer> present = new TreeMap<>();
        List.of(0, 2, 4, 5).forEach(i -> present.put(i, all.get(i)));
        Map<Integer, ByteBuffer> lost = fragments.room(List.of(3));
        parity.reconstruct(present, lost);
        assertThat(lost.get(3)).isEqualTo(all.get(3));
    }

    @ParameterizedTest
    @MethodSource("drivers")
    void anUpdateGivesTheParityOfTheChangedFragment(String driver) {
        for (int round = 0; round < ROUNDS; round++) {
            long seed = SEED + round;
            Random random = new Random(seed);
            int k = 1 + random.nextInt(ParityScheme.MAX_FRAGMENTS - 1);
            int m = 1 + random.nextInt(ParityScheme.MAX_FRAGMENTS - k);
            int length = random.nextInt(MAX_LENGTH);
            Parity parity = Parity.of(new ParityScheme(k, m), driver);
            Fragments fragments = new Fragments(random, random.nextInt(8) != 0, length);
            List<ByteBuffer> data = fragments.filled(k);
            List<ByteBuffer> rows = fragments.zeros(m);
            parity.encode(data, rows);
            int changed = random.nextInt(k);
            ByteBuffer before = data.set(changed, fragments.filled());
            parity.update(changed, before, data.get(changed), rows);
            List<ByteBuffer> expected = fragments.zeros(m);
            parity.encode(data, expected);
            assertThat(rows).as("%s, seed %d", driver, seed).isEqualTo(expected);
            assertThat(rows).allMatch(Fragments::surroundingsUntouched);
        }
    }

    @ParameterizedTest
    @MethodSource("drivers")
    void fragmentsAddedInAnyOrderGiveTheSameParity(String driver) {
        Random random = new Random(SEED);
        for (int length : new int[] {0, 1, 4095, 4096, 4097, 20_001}) {
            Parity parity = Parity.of(new ParityScheme(5, 3), driver);
            Fragments fragments = new Fragments(random, true, length);
            List<ByteBuffer> data = fragments.filled(5);
            List<ByteBuffer> expected = fragments.zeros(3);
            parity.encode(data, expected);
            List<ByteBuffer> added = fragments.zeros(3);
            List<Integer> order = new ArrayList<>(IntStream.range(0, 5).boxed().toList());
            Collections.shuffle(order, random);
            order.forEach(i -> parity.add(i, data.get(i), added));
            assertThat(added).as("%d bytes, seed %d", length, SEED).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @MethodSource("drivers")
    void aRangeOfTheFragmentsHasTheSameRangeOfTheParity(String driver) {
        Parity parity = Parity.of(FOUR_AND_TWO, driver);
        Fragments fragments = new Fragments(new Random(SEED), true, 10_000);
        List<ByteBuffer> all = encoded(parity, fragments);
        List<ByteBuffer> range =
                all.stream().map(buffer -> buffer.slice(buffer.position() + 1234, 567)).toList();
        List<ByteBuffer> rows = new Fragments(new Random(SEED), true, 567).zeros(2);
        parity.encode(range.subList(0, 4), rows);
        assertThat(rows).isEqualTo(range.subList(4, 6));
    }

    @ParameterizedTest
    @MethodSource("drivers")
    void whatCanNotBeComputedIsRefusedAndNothingIsWritten(String driver) {
        Parity parity = Parity.of(FOUR_AND_TWO, driver);
        Fragments fragments = new Fragments(new Random(SEED), true, 100);
        Fragments longer = new Fragments(new Random(SEED), true, 101);
        List<ByteBuffer> data = fragments.filled(4);
        List<ByteBuffer> rows = fragments.zeros(2);
        refused(() -> parity.encode(data.subList(0, 3), rows));
        refused(() -> parity.encode(data, rows.subList(0, 1)));
        refused(() -> parity.encode(data, longer.zeros(2)));
        refused(() -> parity.encode(with(data, longer.filled()), rows));
        refused(() -> parity.encode(data, List.of(rows.get(0), rows.get(0))));
        refused(() -> parity.encode(data, List.of(rows.get(0), data.get(2))));
        refused(() -> parity.update(4, data.get(0), data.get(1), rows));
        refused(() -> parity.update(-1, data.get(0), data.get(1), rows));
        refused(() -> parity.update(0, data.get(0), longer.filled(), rows));
        refused(() -> parity.update(0, rows.get(0), data.get(0), rows));
        refused(() -> parity.add(0, data.get(0), rows.subList(0, 1)));
        refused(() -> parity.add(0, rows.get(1), rows));
        refused(() -> parity.reconstruct(numbered(data), Map.of(3, fragments.empty())));
        refused(() -> parity.reconstruct(numbered(data), Map.of(6, fragments.empty())));
        refused(() -> parity.reconstruct(numbered(data), Map.of(4, longer.empty())));
        refused(() -> parity.reconstruct(numbered(data.subList(1, 4)), Map.of(4, rows.get(0))));
        assertThatThrownBy(
                        () ->
                                parity.encode(
                                        data, List.of(rows.get(0), rows.get(1).asReadOnlyBuffer())))
                .isInstanceOf(ReadOnlyBufferException.class);
        assertThat(rows).allMatch(row -> row.equals(fragments.zeros()));
        parity.reconstruct(numbered(data), Map.of());
    }

    @Test
    void anUnknownDriverIsRefusedWithThoseThereAre() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Parity.of(FOUR_AND_TWO, "abacus"))
                .withMessageContaining("abacus")
                .withMessageContaining("java");
    }

    private static List<ByteBuffer> encoded(Parity parity, Fragments fragments) {
        List<ByteBuffer> all = fragments.filled(parity.scheme().data());
        List<ByteBuffer> rows = fragments.zeros(parity.scheme().parity());
        parity.encode(all.stream().map(ByteBuffer::asReadOnlyBuffer).toList(), rows);
        assertThat(rows).allMatch(Fragments::surroundingsUntouched);
        all.addAll(rows);
        return all;
    }

    private static void rebuild(
            Parity parity,
            Fragments fragments,
            List<ByteBuffer> all,
            List<Integer> lost,
            String what) {
        Map<Integer, ByteBuffer> present = numbered(all);
        present.keySet().removeAll(lost);
        Map<Integer, ByteBuffer> rebuilt = fragments.room(lost);
        parity.reconstruct(present, rebuilt);
        rebuilt.forEach((i, fragment) -> assertThat(fragment).as(what).isEqualTo(all.get(i)));
        assertThat(rebuilt.values()).as(what).allMatch(Fragments::surroundingsUntouched);
    }

    private static Map<Integer, ByteBuffer> numbered(List<ByteBuffer> fragments) {
        Map<Integer, ByteBuffer> numbered = new TreeMap<>();
        for (ByteBuffer fragment : fragments) {
            numbered.put(numbered.size(), fragment);
        }
        return numbered;
    }

    private static List<Integer> randomly(Random random, int k, int m) {
        List<Integer> numbers = new ArrayList<>(IntStream.range(0, k + m).boxed().toList());
        Collections.shuffle(numbers, random);
        return numbers.subList(0, 1 + random.nextInt(m));
    }

    private static List<Integer> bits(int pattern) {
        return IntStream.range(0, 6).filter(i -> (pattern >> i & 1) != 0).boxed().toList();
    }

    private static List<ByteBuffer> with(List<ByteBuffer> fragments, ByteBuffer last) {
        List<ByteBuffer> changed = new ArrayList<>(fragments);
        changed.set(changed.size() - 1, last);
        return changed;
    }

    private static byte[] bytes(ByteBuffer fragment) {
        byte[] bytes = new byte[fragment.remaining()];
        fragment.get(fragment.position(), bytes);
        return bytes;
    }

    private static void refused(ThrowingCallable call) {
        assertThatIllegalArgumentException().isThrownBy(call);
    }
}
