package io.dedupstore.core.metadata;

import static io.dedupstore.core.metadata.CommitTest.assertRefused;
import static io.dedupstore.core.metadata.TestStore.BUCKET;
import static io.dedupstore.core.metadata.TestStore.chunks;
import static io.dedupstore.core.metadata.TestStore.inline;
import static io.dedupstore.core.metadata.TestStore.key;
import static io.dedupstore.core.metadata.TestStore.range;
import static io.dedupstore.core.metadata.TestStore.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.core.metadata.MetadataException.Code;
import io.dedupstore.core.model.BucketId;
import io.dedupstore.core.model.Segment;
import io.dedupstore.core.model.V;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CopyTest {
    private static final Precondition NONE = new Precondition.None();

    private final TestStore store = new TestStore();

    @Test
    void aCopyKeepsTheBytesWhenItsSourceGoes() {
        ObjectVersion source = store.put("a", chunks(1, 2));
        ObjectVersion copy = store.copy(source, "b");
        assertThat(copy.size()).isEqualTo(source.size());
        store.delete("a");
        store.rest();
        assertThat(store.releases()).isEmpty();
        assertThat(store.open("b").body().length()).isEqualTo(200);
        assertThat(store.client.readManifest(BUCKET, key("b"), source.v(), 0)).isPresent();

        store.delete("b");
        store.rest();
        assertThat(store.released(source.v())).hasSize(2);
        assertThat(store.leftRows()).isEmpty();
    }

    @Test
    void copyingOntoItselfReplacesTheMetadataAndKeepsTheBytes() {
        ObjectVersion source = store.put("a", chunks(1));
        ObjectVersion changed =
                store.client.copyObject(
                        store.v(), BUCKET, source, BUCKET, key("a"), spec("new"), NONE);
        store.rest();
        assertThat(store.releases()).isEmpty();
        assertThat(store.open("a").version()).isEqualTo(changed);
        assertThat(store.open("a").version().etag()).isEqualTo("new");
    }

    @Test
    void aSourceThatChangedIsRefusedForGood() {
        ObjectVersion source = store.put("a", chunks(1));
        store.put("a", chunks(2));
        V attempt = store.v();
        for (int i = 0; i < 2; i++) {
            assertRefused(
                    Code.SOURCE_CHANGED,
                    () ->
                            store.client.copyObject(
                                    attempt, BUCKET, source, BUCKET, key("b"), spec("x"), NONE));
        }
        store.delete("a");
        assertRefused(Code.SOURCE_CHANGED, () -> store.copy(source, "b"));
    }

    @Test
    void aRepeatedCopyAddsNoSecondUse() {
        ObjectVersion source = store.put("a", chunks(1));
        V attempt = store.v();
        for (int i = 0; i < 3; i++) {
            store.client.copyObject(attempt, BUCKET, source, BUCKET, key("b"), spec("x"), NONE);
        }
        store.delete("a");
        store.delete("b");
        store.rest();
        assertThat(store.released(source.v())).hasSize(1);
        assertThat(store.leftRows()).isEmpty();
    }

    @Test
    void aConditionalCopyLooksAtItsTarget() {
        ObjectVersion source = store.put("a", chunks(1));
        store.put("b", inline(store.v(), 1));
        assertRefused(
                Code.PRECONDITION_FAILED,
                () ->
                        store.client.copyObject(
                                store.v(),
                                BUCKET,
                                source,
                                BUCKET,
                                key("b"),
                                spec("x"),
                                new Precondition.Absent()));
    }

    @Test
    void bucketsAreChargedForTheirCopies() {
        ObjectVersion source = store.put("a", chunks(1, 2));
        BucketId other = new BucketId(8);
        store.client.copyObject(store.v(), BUCKET, source, other, key("b"), spec("x"), NONE);
        assertThat(store.client.usage(other))
                .isEqualTo(new MetadataService.BucketUsage(1, 200, 0, 200, 2, 0, 0, 0, 0, 0));
        assertThat(store.client.totals(TestStore.SHARD).referencedChunkBytes()).isEqualTo(400);
    }

    @Test
    void aPartMadeOfARangeUsesTheHoldersOfThatRange() {
        ObjectVersion source = store.put("a", chunks(range(0, 10)));
        V upload = store.upload("k");
        PartInfo part = copyRange(source, upload, 1, segments(source.v(), 150, 300));
        assertThat(part.size()).isEqualTo(300);
        store.delete("a");
        store.complete("k", upload, List.of(part));
        store.rest();
        assertThat(store.releases()).isEmpty();
        assertThat(MetadataService.segmentsOf(store.open("k").body()))
                .containsExactly(new Segment(source.v(), 150, 300));
        assertThat(store.client.usage(BUCKET).chunks()).isEqualTo(3);

        store.delete("k");
        store.rest();
        assertThat(store.released(source.v())).hasSize(10);
        assertThat(store.leftRows()).isEmpty();
    }

    private static Body segments(V holder, long offset, long length) {
        return new Body.Segments(List.of(new Segment(holder, offset, length)));
    }

    private PartInfo copyRange(ObjectVersion source, V upload, int number, Body body) {
        return store.client.copyPart(
                store.v(), BUCKET, source, BUCKET, key("k"), upload, number, body, "etag",
                List.of());
    }

    @Test
    void aRangeBeyondItsHolderOrOfAGoneHolderIsRefused() {
        ObjectVersion source = store.put("a", chunks(1));
        V upload = store.upload("k");
        assertRefused(
                Code.SOURCE_CHANGED,
                () -> copyRange(source, upload, 1, segments(source.v(), 50, 51)));
        assertRefused(
                Code.SOURCE_CHANGED, () -> copyRange(source, upload, 1, segments(store.v(), 0, 1)));
    }

    @Test
    void aPartOfInlineBytesAndRangesComesBackInOrder() {
        ObjectVersion source = store.put("a", chunks(1, 2));
        V upload = store.upload("k");
        Body mixed =
                new Body.Parts(
                        List.of(
                                new Body.Inline(new byte[] {1, 2}),
                                segments(source.v(), 10, 20),
                                segments(source.v(), 100, 5),
                                new Body.Inline(new byte[] {3})));
        PartInfo part = copyRange(source, upload, 1, mixed);
        assertThat(part.size()).isEqualTo(28);
        store.complete("k", upload, List.of(part));
        assertThat(store.open("k").body())
                .isEqualTo(
                        new Body.Parts(
                                List.of(
                                        new Body.Inline(new byte[] {1, 2}),
                                        new Body.Segments(
                                                List.of(
                                                        new Segment(source.v(), 10, 20),
                                                        new Segment(source.v(), 100, 5))),
                                        new Body.Inline(new byte[] {3}))));
        store.delete("a");
        store.delete("k");
        store.rest();
        assertThat(store.leftRows()).isEmpty();
    }

    @Test
    void bodiesOfManyPiecesAreSharedThroughALayout() {
        ObjectVersion source = store.put("a", chunks(range(0, 100)));
        V upload = store.upload("k");
        List<Segment> many = new ArrayList<>();
        for (int i = 0; i < Bodies.MAX_PIECES; i++) {
            many.add(new Segment(source.v(), i % 9_000, 7));
        }
        PartInfo part = copyRange(source, upload, 1, new Body.Segments(many));
        ObjectVersion whole = store.complete("k", upload, List.of(part));
        assertThat(MetadataService.segmentsOf(store.open("k").body())).isEqualTo(many);
        store.copy(whole, "copy");
        store.delete("k");
        store.delete("a");
        store.rest();
        assertThat(store.releases()).isEmpty();
        assertThat(MetadataService.segmentsOf(store.open("copy").body())).isEqualTo(many);
        store.delete("copy");
        store.rest();
        assertThat(store.released(source.v())).hasSize(100);
        assertThat(store.leftRows()).isEmpty();
    }

    @Test
    void aPartOfTooManyPiecesIsRefused() {
        ObjectVersion source = store.put("a", chunks(1));
        V upload = store.upload("k");
        List<Segment> many =
                Collections.nCopies(Bodies.MAX_PIECES + 1, new Segment(source.v(), 0, 1));
        assertRefused(
                Code.TOO_MANY_SEGMENTS,
                () -> copyRange(source, upload, 1, new Body.Segments(many)));
    }

    @Test
    void aWriteOfManyHoldersIsALayoutTooAndCopiesLikeOne() {
        List<V> earlier = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            V v = store.v();
            store.client.commitEarlier(
                    BUCKET, key("k"), store.holder(v, earlier, 100L * i, chunks(i), Map.of()));
            earlier.add(v);
        }
        NewBody last = store.holder(store.v(), earlier, 10_000, chunks(100), Map.of());
        ObjectVersion version = store.put("k", last);
        assertThat(store.open("k").body().length()).isEqualTo(10_100);
        assertThat(store.open("k").parts()).isEmpty();
        store.copy(version, "copy");
        store.delete("k");
        store.rest();
        assertThat(store.releases()).isEmpty();
        store.delete("copy");
        store.rest();
        assertThat(store.releases()).hasSize(101);
        assertThat(store.leftRows()).isEmpty();
    }
}
