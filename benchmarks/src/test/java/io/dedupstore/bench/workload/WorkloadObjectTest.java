package io.dedupstore.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WorkloadObjectTest {
    private static final Edits ALL_KINDS = new Edits(1, 12, 900, 0.4, 0.3, 0);
    private static final int OBJECT_BYTES = 100_003;

    private final Workload workload = new Workload(spec(ALL_KINDS));

    private static WorkloadSpec spec(Edits edits) {
        return WorkloadSpec.unique(1, 1000, 1)
                .withObjects(40, OBJECT_BYTES)
                .withDuplicates(DuplicateDistribution.KERNELS, new Locality(4, 0.5, 512))
                .withCompressionRatio(1.5)
                .withEdits(edits);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0, 00287257ddc8e38e",
        "39, 0, 6be6ab5eaa676c04",
        "5, 1, e15c17a353ac4363",
        "5, 7, 79a0b5eb1abff6ea"
    })
    void bytesNeverChangeFromReleaseToRelease(long number, int version, String digest) {
        assertThat(Digests.of(bytes(workload.object(number, version)))).isEqualTo(digest);
    }

    @Test
    void recordsAreEqualExactlyWhereTheirContentsAre() {
        WorkloadSpec spec = spec(Edits.NONE).withObjects(1, 3_000_000);
        Workload one = new Workload(spec);
        byte[] all = bytes(one.object(0));
        Map<ByteBuffer, Long> contents = new HashMap<>();
        for (int record = 0; record < spec.records(); record++) {
            ByteBuffer bytes =
                    ByteBuffer.wrap(Arrays.copyOfRange(all, record * 1000, (record + 1) * 1000));
            Long earlier = contents.putIfAbsent(bytes, one.content(record));
            assertThat(earlier == null ? one.content(record) : earlier)
                    .isEqualTo(one.content(record));
            ByteBuffer alone = ByteBuffer.allocate(1000);
            one.fillRecord(record, alone);
            assertThat(alone.flip()).isEqualTo(bytes);
        }
        assertThat(contents.values()).doesNotHaveDuplicates();
        assertThat(contents.size()).isLessThan((int) spec.records() / 2);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3})
    void anyRangeIsThatRangeOfTheStream(int version) throws IOException {
        WorkloadObject object = workload.object(7, version);
        byte[] whole = bytes(object);
        try (InputStream stream = workload.object(7, version).stream()) {
            assertThat(stream.readAllBytes()).isEqualTo(whole);
        }
        Draw draw = new Draw(version);
        for (int i = 0; i < 500; i++) {
            int from = (int) draw.below(whole.length);
            int length = (int) draw.below(i % 2 == 0 ? 50 : whole.length - from + 1L);
            int to = Math.min(whole.length, from + length);
            ByteBuffer part = ByteBuffer.allocate(to - from);
            object.fill(from, part);
            assertThat(part.array()).isEqualTo(Arrays.copyOfRange(whole, from, to));
        }
    }

    @Test
    void aStreamCanBeginAndSkipAnywhere() throws IOException {
        WorkloadObject object = workload.object(7);
        byte[] whole = bytes(object);
        try (InputStream stream = object.stream(500)) {
            assertThat(stream.read()).isEqualTo(whole[500] & 0xff);
            stream.skipNBytes(1000);
            assertThat(stream.available()).isEqualTo(OBJECT_BYTES - 1501);
            assertThat(stream.readAllBytes())
                    .isEqualTo(Arrays.copyOfRange(whole, 1501, whole.length));
            assertThat(stream.read()).isEqualTo(-1);
            assertThat(stream.skip(5)).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 4})
    void everyFlippedBitIsFound(int version) {
        WorkloadObject object = workload.object(2, version);
        byte[] bytes = bytes(object);
        assertThat(object.verify(0, ByteBuffer.wrap(bytes))).isEmpty();
        Draw draw = new Draw(9);
        for (int i = 0; i < 2000; i++) {
            int at = (int) draw.below(bytes.length);
            int from = (int) draw.below(at + 1L);
            int before = bytes[at] & 0xff;
            bytes[at] ^= (byte) (1 << draw.below(8));
            ByteBuffer found =
                    ByteBuffer.wrap(bytes, from, Math.min(2000 + at - from, bytes.length - from));
            Optional<Mismatch> mismatch = object.verify(from, found);
            assertThat(mismatch).isPresent();
            assertThat(mismatch.get().offset()).isEqualTo(at);
            assertThat(mismatch.get().expected()).isEqualTo(before);
            assertThat(mismatch.get().found()).isEqualTo(bytes[at] & 0xff);
            assertThat(mismatch.get().finding()).endsWith("is damaged");
            assertThat(found.position()).isEqualTo(from);
            bytes[at] = (byte) before;
        }
    }

    @Test
    void bytesOfAnotherRecordAreToldFromDamage() {
        WorkloadObject object = workload.object(2);
        byte[] bytes = bytes(object);
        long first = 2 * workload.spec().recordsPerObject();
        int other = 1;
        while (workload.content(first + other) == workload.content(first)) {
            other++;
        }
        System.arraycopy(bytes, other * 1000, bytes, 0, 1000);
        Mismatch mismatch = object.verify(0, ByteBuffer.wrap(bytes)).orElseThrow();
        assertThat(mismatch.offset()).isZero();
        assertThat(mismatch.finding())
                .isEqualTo(
                        "content %x stands where %x should"
                                .formatted(
                                        workload.content(first + other), workload.content(first)));
        assertThat(mismatch.toString()).startsWith("object 2 version 0, byte 0: expected 0x");
    }

    @Test
    void bytesTellWhichContentTheyBegin() {
        for (long record = 0; record < 1000; record++) {
            ByteBuffer head = ByteBuffer.allocate(32);
            workload.fillRecord(record, head);
            assertThat(workload.recognise(head.flip()))
                    .isEqualTo(OptionalLong.of(workload.content(record)));
            assertThat(workload.recognise(head.slice(8, 16))).isEmpty();
        }
        assertThat(workload.recognise(ByteBuffer.allocate(64))).isEmpty();
    }

    @Test
    void aStreamIsCheckedToItsEnd() throws IOException {
        WorkloadObject object = workload.object(3, 2);
        byte[] bytes = bytes(object);
        assertThat(object.verify(new ByteArrayInputStream(bytes))).isEmpty();
        byte[] damaged = bytes.clone();
        damaged[bytes.length - 1] ^= 1;
        assertThat(object.verify(new ByteArrayInputStream(damaged)).orElseThrow().offset())
                .isEqualTo(bytes.length - 1);
        for (int length : new int[] {0, 1, 32 << 10, bytes.length - 1}) {
            byte[] part = Arrays.copyOf(bytes, length);
            Mismatch mismatch = object.verify(new ByteArrayInputStream(part)).orElseThrow();
            assertThat(mismatch.offset()).isEqualTo(length);
            assertThat(mismatch.found()).isEqualTo(-1);
            assertThat(mismatch.expected()).isEqualTo(bytes[length] & 0xff);
        }
        for (int more : new int[] {1, 100_000}) {
            byte[] longer = Arrays.copyOf(bytes, bytes.length + more);
            Mismatch mismatch = object.verify(new ByteArrayInputStream(longer)).orElseThrow();
            assertThat(mismatch.offset()).isEqualTo(bytes.length);
            assertThat(mismatch.expected()).isEqualTo(-1);
        }
    }

    @Test
    void insertedBytesShiftWhatFollows() {
        Workload inserting = new Workload(spec(new Edits(1, 1, 100, 1, 0, 0)));
        byte[] before = bytes(inserting.object(1));
        WorkloadObject object = inserting.object(1, 1);
        byte[] after = bytes(object);
        int inserted = after.length - before.length;
        assertThat(inserted).isBetween(1, 199);
        assertThat(object.changedBytes()).isEqualTo(inserted);
        int at = Arrays.mismatch(before, after);
        assertThat(Arrays.copyOfRange(after, at + inserted, after.length))
                .isEqualTo(Arrays.copyOfRange(before, at, before.length));
    }

    @Test
    void deletedBytesPullWhatFollows() {
        Workload deleting = new Workload(spec(new Edits(1, 1, 100, 0, 1, 0)));
        byte[] before = bytes(deleting.object(1));
        byte[] after = bytes(deleting.object(1, 1));
        int deleted = before.length - after.length;
        assertThat(deleted).isBetween(1, 199);
        int at = Arrays.mismatch(before, after);
        assertThat(Arrays.copyOfRange(after, at, after.length))
                .isEqualTo(Arrays.copyOfRange(before, at + deleted, before.length));
    }

    @Test
    void overwrittenBytesLeaveTheRestInPlace() {
        Workload overwriting = new Workload(spec(new Edits(1, 1, 100, 0, 0, 0)));
        byte[] before = bytes(overwriting.object(1));
        WorkloadObject object = overwriting.object(1, 1);
        byte[] after = bytes(object);
        assertThat(after).hasSameSizeAs(before);
        int differing = 0;
        for (int i = 0; i < after.length; i++) {
            differing += after[i] == before[i] ? 0 : 1;
        }
        assertThat(differing).isBetween(1, (int) object.changedBytes());
        int from = Arrays.mismatch(before, after);
        int to = (int) (from + object.changedBytes());
        assertThat(Arrays.copyOfRange(after, to, after.length))
                .isEqualTo(Arrays.copyOfRange(before, to, before.length));
    }

    @Test
    void aShiftMovesEverythingEachTime() {
        Workload shifting = new Workload(spec(new Edits(1, 0, 1, 0, 0, 13)));
        byte[] before = bytes(shifting.object(1));
        byte[] after = bytes(shifting.object(1, 3));
        assertThat(after).hasSize(before.length + 39);
        assertThat(Arrays.copyOfRange(after, 39, after.length)).isEqualTo(before);
    }

    @Test
    void onlyTheAskedShareOfObjectsChanges() {
        Workload some = new Workload(spec(new Edits(0.5, 4, 100, 0.5, 0.3, 0)));
        int changed = 0;
        for (int number = 0; number < 40; number++) {
            WorkloadObject object = some.object(number, 1);
            boolean equal = Arrays.equals(bytes(object), bytes(some.object(number)));
            assertThat(object.changedBytes() == 0).isEqualTo(equal);
            changed += equal ? 0 : 1;
        }
        assertThat(changed).isBetween(10, 30);
    }

    @Test
    void piecesFollowEditsLikeText() {
        WorkloadSpec spec = WorkloadSpec.unique(1, 64, 1).withObjects(1, 300);
        EditedVersion edited = new EditedVersion(spec, 0);
        StringBuilder model = new StringBuilder();
        for (int i = 0; i < 300; i++) {
            model.append((char) i);
        }
        Draw draw = new Draw(4);
        int fresh = 0;
        for (int step = 0; step < 400; step++) {
            int at = (int) draw.below(model.length() + 1L);
            int removed = (int) Math.min(draw.below(20), model.length() - at);
            int inserted = (int) draw.below(20);
            edited.replace(1, at, removed, inserted);
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < inserted; i++) {
                text.append((char) (1000 + fresh++));
            }
            model.replace(at, at + removed, text.toString());
            EditedVersion.Result result = edited.result();
            StringBuilder found = new StringBuilder();
            for (Piece piece : result.pieces()) {
                assertThat(piece.length()).isPositive();
                for (int i = 0; i < piece.length(); i++) {
                    found.append((char) ((piece.version() == 1 ? 1000 : 0) + piece.offset() + i));
                }
            }
            assertThat(found.toString()).isEqualTo(model.toString());
            assertThat(result.length()).isEqualTo(model.length());
        }
    }

    @Test
    void tinyObjectsSurviveEdits() {
        Workload tiny = new Workload(spec(ALL_KINDS).withObjects(50, 1));
        for (int number = 0; number < 50; number++) {
            WorkloadObject object = tiny.object(number, 5);
            assertThat(object.length()).isPositive();
            assertThat(object.verify(0, ByteBuffer.wrap(bytes(object)))).isEmpty();
        }
    }

    @Test
    void whatIsOutsideIsRefused() {
        WorkloadObject object = workload.object(0);
        ByteBuffer two = ByteBuffer.allocate(2);
        for (Runnable wrong :
                List.<Runnable>of(
                        () -> object.fill(OBJECT_BYTES - 1, two),
                        () -> object.fill(-1, two),
                        () -> object.verify(OBJECT_BYTES, two),
                        () -> workload.object(40),
                        () -> workload.object(-1),
                        () -> workload.object(0, -1),
                        () -> workload.content(workload.spec().records()),
                        () -> object.stream(OBJECT_BYTES + 1))) {
            assertThatThrownBy(wrong::run).isInstanceOf(IndexOutOfBoundsException.class);
        }
        assertThatThrownBy(() -> workload.spec().withCompressionRatio(0.5))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> workload.spec().withObjects(1L << 30, 1L << 40))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static byte[] bytes(WorkloadObject object) {
        ByteBuffer bytes = ByteBuffer.allocate((int) object.length());
        object.fill(0, bytes);
        return bytes.array();
    }
}
