package io.dedupstore.core.metadata;

import static io.dedupstore.core.metadata.CommitTest.assertRefused;
import static io.dedupstore.core.metadata.TestStore.BUCKET;
import static io.dedupstore.core.metadata.TestStore.chunks;
import static io.dedupstore.core.metadata.TestStore.inline;
import static io.dedupstore.core.metadata.TestStore.key;
import static io.dedupstore.core.metadata.TestStore.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.core.metadata.MetadataException.Code;
import io.dedupstore.core.metadata.MetadataService.BucketUsage;
import io.dedupstore.core.metadata.MetadataService.SeenPart;
import io.dedupstore.core.model.V;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class MultipartTest {
    private static final Precondition NONE = new Precondition.None();

    private final TestStore store = new TestStore();

    private NewBody chunk(long id) {
        return store.holder(store.v(), chunks(id));
    }

    private List<PartInfo> twoParts(V upload) {
        return List.of(store.part("k", upload, 1, chunk(1)), store.part("k", upload, 4, chunk(2)));
    }

    @Test
    void completionMakesTheNamedPartsAVersion() {
        V upload = store.upload("k");
        List<PartInfo> parts = twoParts(upload);
        assertThat(store.client.findObject(BUCKET, key("k"))).isEmpty();
        ObjectVersion version = store.complete("k", upload, parts);

        assertThat(version.size()).isEqualTo(200);
        assertThat(version.partCount()).isEqualTo(2);
        MetadataService.Stored stored = store.open("k");
        assertThat(stored.version()).isEqualTo(version);
        assertThat(stored.parts()).isEqualTo(parts);
        assertThat(MetadataService.segmentsOf(stored.body()))
                .extracting(segment -> segment.holder())
                .containsExactly(parts.get(0).v(), parts.get(1).v());
        store.rest();
        assertThat(store.releases()).isEmpty();
        assertThat(store.client.findUpload(BUCKET, key("k"), upload)).isEmpty();
    }

    @Test
    void partsThatACompletionDoesNotNameLoseTheirUse() {
        V upload = store.upload("k");
        List<PartInfo> parts = new ArrayList<>();
        for (int number = 1; number <= 600; number++) {
            parts.add(store.part("k", upload, number, chunk(number)));
        }
        store.complete("k", upload, parts.stream().filter(part -> part.number() % 3 == 0).toList());
        assertThat(store.open("k").parts()).hasSize(200);
        assertThat(store.client.usage(BUCKET))
                .isEqualTo(new BucketUsage(1, 20_000, 0, 20_000, 200, 60_000, 0, 0, 0, 0));
        store.rest();
        assertThat(store.releases()).hasSize(400);
        assertThat(store.open("k").parts()).hasSize(200);

        store.delete("k");
        store.rest();
        assertThat(store.releases()).hasSize(600);
        assertThat(store.leftRows()).isEmpty();
    }

    @Test
    void twoPartsThatShareContentHoldAReferenceEach() {
        V upload = store.upload("k");
        List<PartInfo> parts =
                List.of(store.part("k", upload, 1, chunk(1)), store.part("k", upload, 2, chunk(1)));
        store.complete("k", upload, parts);
        store.delete("k");
        store.rest();
        assertThat(store.released(parts.get(0).v())).hasSize(1);
        assertThat(store.released(parts.get(1).v())).hasSize(1);
    }

    @Test
    void aPartPutAgainReplacesTheFirst() {
        V upload = store.upload("k");
        PartInfo first = store.part("k", upload, 1, chunk(1));
        PartInfo second = store.part("k", upload, 1, chunk(2));
        assertThat(store.client.listParts(BUCKET, key("k"), upload, 0, 10)).containsExactly(second);
        store.rest();
        assertThat(store.released(first.v())).hasSize(1);
        assertRefused(Code.INVALID_PART, () -> store.complete("k", upload, List.of(first)));
        store.complete("k", upload, List.of(second));
    }

    @Test
    void completionWantsPartsAscendingAndPresent() {
        V upload = store.upload("k");
        List<PartInfo> parts = twoParts(upload);
        assertRefused(Code.INVALID_PART, () -> store.complete("k", upload, parts.reversed()));
        assertRefused(Code.INVALID_PART, () -> store.complete("k", upload, List.of()));
        PartInfo missing = new PartInfo(2, parts.get(0).v(), 1, "x", 1, List.of());
        assertRefused(Code.INVALID_PART, () -> store.complete("k", upload, List.of(missing)));
        store.complete("k", upload, parts);
    }

    @Test
    void aFailedConditionLeavesTheUploadAlive() {
        store.put("k", inline(store.v(), 1));
        V upload = store.upload("k");
        List<PartInfo> parts = twoParts(upload);
        List<SeenPart> seen =
                parts.stream().map(part -> new SeenPart(part.number(), part.v())).toList();
        V attempt = store.v();
        for (int i = 0; i < 2; i++) {
            assertRefused(
                    Code.PRECONDITION_FAILED,
                    () ->
                            store.client.completeUpload(
                                    attempt,
                                    BUCKET,
                                    key("k"),
                                    upload,
                                    seen,
                                    spec("x"),
                                    new Precondition.Absent()));
        }
        assertThat(store.client.listParts(BUCKET, key("k"), upload, 0, 10)).isEqualTo(parts);
        store.complete("k", upload, parts);
    }

    @Test
    void completingAgainReturnsTheRememberedVersionForADay() {
        V upload = store.upload("k");
        List<PartInfo> parts = twoParts(upload);
        ObjectVersion version = store.complete("k", upload, parts);
        store.delete("k");
        store.rest();

        assertThat(store.complete("k", upload, parts)).isEqualTo(version);
        assertThat(store.client.findCompleted(BUCKET, key("k"), upload)).contains(version);
        assertThat(store.client.findCompleted(BUCKET, key("other"), upload)).isEmpty();
        assertThat(store.client.findObject(BUCKET, key("k"))).isEmpty();

        store.passTime(Duration.ofHours(25));
        store.put("other", inline(store.v(), 1));
        store.rest();
        assertThat(store.client.findCompleted(BUCKET, key("k"), upload)).isEmpty();
        assertRefused(Code.NO_SUCH_UPLOAD, () -> store.complete("k", upload, parts));
    }

    @Test
    void oldCompletionsGoInOrderAndYoungOnesStay() {
        V old = store.upload("a");
        store.complete("a", old, List.of(store.part("a", old, 1, chunk(1))));
        store.passTime(Duration.ofHours(13));
        V young = store.upload("b");
        store.complete("b", young, List.of(store.part("b", young, 1, chunk(2))));
        store.passTime(Duration.ofHours(12));
        store.put("c", inline(store.v(), 1));
        store.rest();
        assertThat(store.client.findCompleted(BUCKET, key("a"), old)).isEmpty();
        assertThat(store.client.findCompleted(BUCKET, key("b"), young)).isPresent();
    }

    @Test
    void abortGivesPartsUpAndRefusesLateOnes() {
        V upload = store.upload("k");
        PartInfo part = store.part("k", upload, 1, chunk(1));
        V abort = store.v();
        store.client.abortUpload(abort, BUCKET, key("k"), upload);
        store.client.abortUpload(abort, BUCKET, key("k"), upload);
        assertRefused(
                Code.NO_SUCH_UPLOAD,
                () -> store.client.abortUpload(store.v(), BUCKET, key("k"), upload));
        NewBody late = chunk(2);
        assertRefused(Code.NO_SUCH_UPLOAD, () -> store.part("k", upload, 2, late));
        assertRefused(Code.NO_SUCH_UPLOAD, () -> store.part("k", upload, 2, late));
        assertRefused(Code.NO_SUCH_UPLOAD, () -> store.complete("k", upload, List.of(part)));
        store.rest();
        assertThat(store.released(part.v())).hasSize(1);
        assertThat(store.leftRows()).isEmpty();
        assertThat(store.client.usage(BUCKET))
                .isEqualTo(new BucketUsage(0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    }

    @Test
    void anUploadIsKnownUnderItsOwnKeyOnly() {
        V upload = store.upload("k");
        NewBody body = chunk(1);
        assertRefused(Code.NO_SUCH_UPLOAD, () -> store.part("other", upload, 1, body));
        assertThat(store.client.findUpload(BUCKET, key("other"), upload)).isEmpty();
        assertThat(store.client.findUpload(BUCKET, key("k"), upload).orElseThrow().id())
                .isEqualTo(upload);
    }

    @Test
    void anUploadRemembersWhatItWasCreatedWith() {
        V v = store.v();
        TreeMap<String, String> meta = new TreeMap<>();
        meta.put("colour", "grün");
        ObjectAttributes attributes = new ObjectAttributes(new TreeMap<>(), meta, new TreeMap<>());
        Upload made =
                store.client.createUpload(
                        v,
                        BUCKET,
                        key("k"),
                        attributes,
                        Optional.of(ChecksumAlgorithm.CRC32C),
                        true);
        assertThat(store.client.findUpload(BUCKET, key("k"), v)).contains(made);
    }

    @Test
    void uploadsOfASealedBucketMayBeAbortedAndTheRestGoesInTheBackground() {
        V one = store.upload("k");
        PartInfo first = store.part("k", one, 1, chunk(1));
        V two = store.upload("k");
        PartInfo second = store.part("k", two, 1, chunk(2));
        store.client.sealBucket(store.v(), BUCKET);
        store.client.abortUpload(store.v(), BUCKET, key("k"), one);
        store.rest();
        assertThat(store.released(first.v())).hasSize(1);
        assertThat(store.released(second.v())).hasSize(1);
        assertThat(store.client.usage(BUCKET).uploads()).isZero();
    }

    @Test
    void tenThousandPartsCompleteInOneEntryAndGoInSteps() {
        V upload = store.upload("k");
        List<PartInfo> parts = new ArrayList<>();
        for (int number = 1; number <= PartInfo.MAX_NUMBER; number++) {
            parts.add(store.part("k", upload, number, chunk(number)));
        }
        ObjectVersion version = store.complete("k", upload, parts);
        ObjectVersion copy = store.copy(version, "copy");
        assertThat(copy.size()).isEqualTo(1_000_000);
        store.delete("k");
        store.rest();
        assertThat(store.releases()).isEmpty();
        assertThat(store.open("copy").parts()).hasSize(10_000);
        store.delete("copy");
        store.rest();
        assertThat(store.releases()).hasSize(10_000);
        assertThat(store.leftRows()).isEmpty();
    }

    @Test
    void repeatedCompletionUnderTheSameAttemptChangesNothing() {
        V upload = store.upload("k");
        List<PartInfo> parts = twoParts(upload);
        V attempt = store.v();
        List<SeenPart> seen =
                parts.stream().map(part -> new SeenPart(part.number(), part.v())).toList();
        ObjectVersion told =
                store.client.completeUpload(
                        attempt, BUCKET, key("k"), upload, seen, spec("x"), NONE);
        store.put("k", inline(store.v(), 3));
        assertThat(
                        store.client.completeUpload(
                                attempt, BUCKET, key("k"), upload, seen, spec("x"), NONE))
                .isEqualTo(told);
        assertThat(store.open("k").version().size()).isEqualTo(3);
    }

    @Test
    void inlinePartsAreCountedAsInline() {
        V upload = store.upload("k");
        PartInfo part = store.part("k", upload, 1, inline(store.v(), 30));
        assertThat(store.client.usage(BUCKET))
                .isEqualTo(new BucketUsage(0, 30, 30, 0, 0, 0, 0, 1, 0, 0));
        store.complete("k", upload, List.of(part));
        assertThat(store.client.usage(BUCKET))
                .isEqualTo(new BucketUsage(1, 30, 30, 0, 0, 0, 0, 0, 0, 0));
        assertThat(store.open("k").body().length()).isEqualTo(30);
    }
}
