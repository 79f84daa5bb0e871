package io.dedupstore.core.metadata;

import static io.dedupstore.core.metadata.TestStore.BUCKET;
import static io.dedupstore.core.metadata.TestStore.chunks;
import static io.dedupstore.core.metadata.TestStore.inline;
import static io.dedupstore.core.metadata.TestStore.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedupstore.core.metadata.MetadataException.Code;
import io.dedupstore.core.metadata.MetadataService.BucketUsage;
import io.dedupstore.core.metadata.MetadataService.Deleted;
import io.dedupstore.core.metadata.MetadataService.ListedVersion;
import io.dedupstore.core.metadata.MetadataService.VersionMarker;
import io.dedupstore.core.metadata.MetadataService.VersionPage;
import io.dedupstore.core.metadata.MetadataService.VersionSpec;
import io.dedupstore.core.model.V;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a key has of versions, as buckets keep them. */
class VersionsTest {
    private static final Precondition NONE = new Precondition.None();

    private final TestStore store = new TestStore();

    @AfterEach
    void usesAreCountedRight() {
        UseCounts.check(store.group.store(), "at the end");
    }

    private ObjectVersion put(String name, Versioning versioning) {
        V v = store.v();
        return put(name, store.holder(v, chunks(v.counter(), 1)), versioning, NONE);
    }

    private ObjectVersion put(
            String name, NewBody body, Versioning versioning, Precondition precondition) {
        VersionSpec spec =
                new VersionSpec(
                        "e" + body.v(), ObjectAttributes.NONE, List.of(), Keeping.of(versioning));
        return store.client.putObject(BUCKET, key(name), body, spec, precondition);
    }

    private Deleted delete(String name, Versioning versioning) {
        return store.client.deleteObject(store.v(), BUCKET, key(name), versioning, NONE);
    }

    private Deleted remove(ObjectVersion version) {
        return remove(version.key().text(), version.id());
    }

    private Deleted remove(String name, VersionId id) {
        return store.client.deleteVersion(store.v(), BUCKET, key(name), id, false, NONE);
    }

    private Optional<ObjectVersion> current(String name) {
        return store.client.findObject(BUCKET, key(name));
    }

    private Optional<ObjectVersion> find(String name, VersionId id) {
        return store.client.findVersion(BUCKET, key(name), Optional.of(id));
    }

    private List<String> all() {
        return lines(list(Optional.empty(), Optional.empty(), 1000));
    }

    private VersionPage list(Optional<String> delimiter, Optional<VersionMarker> after, int limit) {
        return store.client.listVersions(BUCKET, "", delimiter, after, limit);
    }

    /** Key, counter of the attempt, {@code *} for the latest, {@code -} for a marker, {@code 0}. */
    private static List<String> lines(VersionPage page) {
        return page.lines().stream()
                .map(
                        line ->
                                switch (line) {
                                    case ListedVersion.CommonPrefix(String prefix) -> prefix;
                                    case ListedVersion.Version(ObjectVersion v, boolean latest) ->
                                            v.key().text()
                                                    + v.v().counter()
                                                    + (v.deleteMarker() ? "-" : "")
                                                    + (v.id().equals(VersionId.NULL) ? "0" : "")
                                                    + (latest ? "*" : "");
                                })
                .toList();
    }

    private static void assertRefused(Code code, Runnable call) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        MetadataException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    @Test
    void everyWriteUnderVersioningKeepsTheOneBefore() {
        ObjectVersion old = put("k", Versioning.NEVER);
        ObjectVersion first = put("k", Versioning.ENABLED);
        ObjectVersion second = put("k", Versioning.ENABLED);
        assertThat(old.id()).isEqualTo(VersionId.NULL);
        assertThat(current("k")).contains(second);
        assertThat(find("k", first.id())).contains(first);
        assertThat(find("k", VersionId.NULL)).contains(old);
        assertThat(all()).containsExactly("k2*", "k1", "k00");
        assertThat(
                        store.client
                                .openVersion(BUCKET, key("k"), Optional.of(first.id()))
                                .orElseThrow()
                                .body()
                                .length())
                .isEqualTo(first.size());
        BucketUsage usage = store.client.usage(BUCKET);
        assertThat(usage.objects()).isEqualTo(1);
        assertThat(usage.noncurrentVersions()).isEqualTo(2);
        assertThat(usage.logicalBytes()).isEqualTo(600);
        store.rest();
        assertThat(store.releases()).isEmpty();
    }

    @Test
    void aDeleteLeavesAMarkerAndTheMarkersRemovalRestores() {
        ObjectVersion first = put("k", Versioning.ENABLED);
        Deleted deleted = delete("k", Versioning.ENABLED);
        assertThat(deleted.existed()).isTrue();
        assertThat(deleted.deleteMarker()).isTrue();
        VersionId marker = deleted.version().orElseThrow();
        assertThat(current("k")).isEmpty();
        ObjectVersion found = find("k", marker).orElseThrow();
        assertThat(found.deleteMarker()).isTrue();
        assertThat(found.modifiedMillis()).isGreaterThanOrEqualTo(first.modifiedMillis());
        assertThat(store.client.findVersion(BUCKET, key("k"), Optional.empty())).contains(found);
        assertThat(all()).containsExactly("k1-*", "k0");
        assertThat(
                        store.client
                                .listObjects(BUCKET, "", Optional.empty(), Optional.empty(), 9)
                                .lines())
                .isEmpty();

        Deleted removed = remove("k", marker);
        assertThat(removed.deleteMarker()).isTrue();
        assertThat(removed.version()).contains(marker);
        assertThat(current("k")).contains(first);
        assertThat(all()).containsExactly("k0*");
        BucketUsage usage = store.client.usage(BUCKET);
        assertThat(usage.deleteMarkers()).isZero();
        assertThat(usage.noncurrentVersions()).isZero();
        assertThat(usage.objects()).isEqualTo(1);
    }

    @Test
    void aMarkerComesWhereThereIsNothing() {
        assertThat(delete("k", Versioning.ENABLED).existed()).isFalse();
        assertThat(delete("k", Versioning.ENABLED).deleteMarker()).isTrue();
        assertThat(delete("n", Versioning.SUSPENDED).version()).contains(VersionId.NULL);
        assertThat(delete("n", Versioning.SUSPENDED).version()).contains(VersionId.NULL);
        assertThat(all()).containsExactly("k1-*", "k0-", "n3-0*");
    }

    @Test
    void theNextNewestBecomesCurrent() {
        ObjectVersion first = put("k", Versioning.ENABLED);
        ObjectVersion second = put("k", Versioning.ENABLED);
        VersionId marker = delete("k", Versioning.ENABLED).version().orElseThrow();
        ObjectVersion third = put("k", Versioning.ENABLED);
        remove(third);
        assertThat(current("k")).isEmpty();
        remove(second);
        assertThat(all()).containsExactly("k2-*", "k0");
        remove("k", marker);
        assertThat(current("k")).contains(first);
        remove(first);
        assertThat(all()).isEmpty();
        store.close(1);
        store.rest();
        assertThat(store.leftRows()).isEmpty();
        assertThat(store.client.totals(TestStore.SHARD))
                .isEqualTo(new ShardTotals(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    }

    @Test
    void whereVersioningIsSuspendedTheNullVersionIsReplaced() {
        ObjectVersion old = put("k", Versioning.NEVER);
        ObjectVersion named = put("k", Versioning.ENABLED);
        ObjectVersion replaced = put("k", Versioning.SUSPENDED);
        assertThat(replaced.id()).isEqualTo(VersionId.NULL);
        assertThat(all()).containsExactly("k20*", "k1");
        store.rest();
        assertThat(store.released(old.v())).hasSize(2);
        assertThat(put("k", Versioning.SUSPENDED).id()).isEqualTo(VersionId.NULL);
        assertThat(all()).containsExactly("k30*", "k1");
        delete("k", Versioning.SUSPENDED);
        assertThat(all()).containsExactly("k4-0*", "k1");
        put("k", Versioning.ENABLED);
        assertThat(all()).containsExactly("k5*", "k4-0", "k1");
        put("k", Versioning.SUSPENDED);
        assertThat(all()).containsExactly("k60*", "k5", "k1");
        remove("k", VersionId.NULL);
        assertThat(all()).containsExactly("k5*", "k1");
        assertThat(find("k", named.id())).contains(named);
    }

    @Test
    void aGatewayThatDoesNotKnowOfVersionsDestroysNone() {
        ObjectVersion first = put("k", Versioning.ENABLED);
        put("k", Versioning.NEVER);
        assertThat(find("k", first.id())).contains(first);
        ObjectVersion late = put("k", Versioning.ENABLED);
        assertThat(all()).containsExactly("k2*", "k10", "k0");
        remove(late);
        assertThat(delete("k", Versioning.NEVER).existed()).isTrue();
        assertThat(find("k", first.id())).contains(first);
        assertThat(current("k")).isEmpty();
    }

    @Test
    void whatIsNotThereIsGoneAlready() {
        ObjectVersion there = put("k", Versioning.ENABLED);
        VersionId other = new VersionId.Named(5, there.v());
        Deleted gone = remove("k", other);
        assertThat(gone.existed()).isFalse();
        assertThat(gone.version()).contains(other);
        VersionId.Named id = (VersionId.Named) there.id();
        assertThat(find("k", new VersionId.Named(id.order(), store.v()))).isEmpty();
        assertThat(find("other", id)).isEmpty();
        assertThat(remove("k", VersionId.NULL).existed()).isFalse();
        assertThat(current("k")).contains(there);
    }

    @Test
    void conditionsLookAtTheCurrentObject() {
        ObjectVersion first = put("k", Versioning.ENABLED);
        assertRefused(
                Code.PRECONDITION_FAILED,
                () ->
                        put(
                                "k",
                                inline(store.v(), 1),
                                Versioning.ENABLED,
                                new Precondition.Absent()));
        delete("k", Versioning.ENABLED);
        assertRefused(
                Code.NO_SUCH_KEY,
                () ->
                        put(
                                "k",
                                inline(store.v(), 1),
                                Versioning.ENABLED,
                                new Precondition.EtagIs(first.etag())));
        ObjectVersion second =
                put("k", inline(store.v(), 1), Versioning.ENABLED, new Precondition.Absent());
        Precondition wrong =
                new Precondition.Matches(
                        Optional.of("*"), Optional.empty(), Optional.of(second.size() + 1));
        assertRefused(
                Code.PRECONDITION_FAILED,
                () ->
                        store.client.deleteObject(
                                store.v(), BUCKET, key("k"), Versioning.ENABLED, wrong));
        assertRefused(
                Code.PRECONDITION_FAILED,
                () ->
                        store.client.deleteObject(
                                store.v(),
                                BUCKET,
                                key("k"),
                                Versioning.ENABLED,
                                new Precondition.MadeBy(first.v())));
        Precondition right =
                new Precondition.Matches(
                        Optional.of(second.etag()),
                        Optional.of(second.modifiedMillis() / 1000),
                        Optional.of(second.size()));
        store.client.deleteObject(store.v(), BUCKET, key("k"), Versioning.ENABLED, right);
        assertThat(current("k")).isEmpty();
    }

    @Test
    void copiesTakeTheVersionThatWasRead() {
        ObjectVersion first = put("k", Versioning.ENABLED);
        put("k", Versioning.ENABLED);
        ObjectVersion copy = store.copy(first, "copy");
        assertThat(copy.size()).isEqualTo(first.size());
        remove(first);
        assertRefused(Code.SOURCE_CHANGED, () -> store.copy(first, "copy"));
        store.rest();
        assertThat(store.releases()).isEmpty();
    }

    @Test
    void aRepeatedRequestIsAnsweredAsTheFirstWas() {
        V v = store.v();
        NewBody body = inline(v, 3);
        ObjectVersion made = put("k", body, Versioning.ENABLED, NONE);
        put("k", Versioning.ENABLED);
        assertThat(put("k", body, Versioning.ENABLED, NONE)).isEqualTo(made);
        V delete = store.v();
        Deleted first =
                store.client.deleteObject(delete, BUCKET, key("k"), Versioning.ENABLED, NONE);
        put("k", Versioning.ENABLED);
        assertThat(store.client.deleteObject(delete, BUCKET, key("k"), Versioning.ENABLED, NONE))
                .isEqualTo(first);
        assertThat(current("k")).isPresent();
    }

    @Test
    void aBucketWithVersionsOrMarkersIsNotEmpty() {
        ObjectVersion only = put("k", Versioning.ENABLED);
        VersionId marker = delete("k", Versioning.ENABLED).version().orElseThrow();
        assertRefused(Code.BUCKET_NOT_EMPTY, () -> store.client.sealBucket(store.v(), BUCKET));
        remove(only);
        assertRefused(Code.BUCKET_NOT_EMPTY, () -> store.client.sealBucket(store.v(), BUCKET));
        remove("k", marker);
        store.client.sealBucket(store.v(), BUCKET);
    }

    @Test
    void uploadsBecomeVersions() {
        put("k", Versioning.ENABLED);
        V upload = store.upload("k");
        PartInfo part = store.part("k", upload, 1, inline(store.v(), 9));
        VersionSpec spec =
                new VersionSpec(
                        "c", ObjectAttributes.NONE, List.of(), Keeping.of(Versioning.ENABLED));
        List<MetadataService.SeenPart> seen = List.of(new MetadataService.SeenPart(1, part.v()));
        ObjectVersion made =
                store.client.completeUpload(store.v(), BUCKET, key("k"), upload, seen, spec, NONE);
        assertThat(made.id()).isInstanceOf(VersionId.Named.class);
        assertThat(store.client.findCompleted(BUCKET, key("k"), upload))
                .map(ObjectVersion::id)
                .contains(made.id());
        put("k", Versioning.ENABLED);
        assertThat(
                        store.client
                                .openVersion(BUCKET, key("k"), Optional.of(made.id()))
                                .orElseThrow()
                                .parts())
                .hasSize(1);
        remove(made);
        store.rest();
    }

    @Test
    void pagesGoOnWhereTheLastOneEnded() {
        for (String name : List.of("a", "a\0", "a\0b", "a/x", "a/y", "b", "ü")) {
            put(name, Versioning.NEVER);
            put(name, Versioning.ENABLED);
            delete(name, Versioning.ENABLED);
        }
        put("a/x", Versioning.ENABLED);
        List<String> whole = all();
        assertThat(whole).hasSize(22);
        for (int limit = 1; limit < 9; limit++) {
            List<String> paged = new ArrayList<>();
            Optional<VersionMarker> after = Optional.empty();
            do {
                VersionPage page = list(Optional.empty(), after, limit);
                paged.addAll(lines(page));
                after = page.next();
                assertThat(after.isPresent()).isEqualTo(page.truncated());
            } while (after.isPresent());
            assertThat(paged).as("pages of " + limit).isEqualTo(whole);
        }
        assertThat(lines(list(Optional.of("/"), Optional.empty(), 1000)))
                .contains("a/")
                .hasSize(16);
        assertThat(
                        lines(
                                list(
                                        Optional.of("/"),
                                        Optional.of(new VersionMarker("a/", Optional.empty())),
                                        1000)))
                .hasSize(6);
        assertThat(
                        lines(
                                list(
                                        Optional.empty(),
                                        Optional.of(new VersionMarker("b", Optional.empty())),
                                        1000)))
                .hasSize(3);
    }

    @Test
    void aPageThatBeginsWithinAKeyKnowsTheLatest() {
        ObjectVersion first = put("k", Versioning.ENABLED);
        ObjectVersion second = put("k", Versioning.ENABLED);
        VersionMarker behind = new VersionMarker("k", Optional.of(second.id()));
        assertThat(lines(list(Optional.empty(), Optional.of(behind), 9))).containsExactly("k0");
        VersionId marker = delete("k", Versioning.ENABLED).version().orElseThrow();
        put("k", Versioning.ENABLED);
        remove(current("k").orElseThrow());
        VersionMarker gone =
                new VersionMarker(
                        "k",
                        Optional.of(
                                new VersionId.Named(
                                        ((VersionId.Named) marker).order() + 1, first.v())));
        assertThat(lines(list(Optional.empty(), Optional.of(gone), 9)))
                .containsExactly("k2-*", "k1", "k0");
    }

    @Test
    void aPageThatFollowsAnEmptiedOneMissesNothing() {
        put("k", Versioning.NEVER);
        for (int i = 0; i < 5; i++) {
            put("k", Versioning.ENABLED);
        }
        delete("k", Versioning.ENABLED);
        put("n", Versioning.ENABLED);
        Optional<VersionMarker> after = Optional.empty();
        do {
            VersionPage page = list(Optional.empty(), after, 2);
            page.lines().forEach(line -> remove(((ListedVersion.Version) line).version()));
            after = page.next();
        } while (after.isPresent());
        assertThat(all()).isEmpty();
    }

    @Test
    void tagsAreThoseOfTheVersionThatIsNamed() {
        ObjectVersion first = put("k", Versioning.ENABLED);
        ObjectVersion second = put("k", Versioning.ENABLED);
        TreeMap<String, String> tags = new TreeMap<>(Map.of("a", "b"));
        assertThat(
                        store.client.tagObject(
                                store.v(), BUCKET, key("k"), Optional.of(first.id()), tags))
                .isEqualTo(first.id());
        assertThat(find("k", first.id()).orElseThrow().attributes().tags()).isEqualTo(tags);
        assertThat(find("k", second.id())).contains(second);
        VersionId marker = delete("k", Versioning.ENABLED).version().orElseThrow();
        assertRefused(
                Code.IS_DELETE_MARKER,
                () ->
                        store.client.tagObject(
                                store.v(), BUCKET, key("k"), Optional.of(marker), tags));
        assertRefused(
                Code.NO_SUCH_KEY,
                () -> store.client.tagObject(store.v(), BUCKET, key("k"), Optional.empty(), tags));
        assertRefused(
                Code.NO_SUCH_VERSION,
                () ->
                        store.client.tagObject(
                                store.v(), BUCKET, key("k"), Optional.of(VersionId.NULL), tags));
    }
}
