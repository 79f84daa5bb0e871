package io.dedupstore.core.metadata;

import static io.dedupstore.core.metadata.TestStore.BUCKET;
import static io.dedupstore.core.metadata.TestStore.inline;
import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.core.metadata.MetadataService.ListPage;
import io.dedupstore.core.metadata.MetadataService.Listed;
import io.dedupstore.core.metadata.MetadataService.UploadMarker;
import io.dedupstore.core.metadata.MetadataService.UploadPage;
import io.dedupstore.core.model.BucketId;
import io.dedupstore.core.model.ObjectKey;
import io.dedupstore.core.model.V;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ListingTest {
    private final TestStore store = new TestStore();

    private void put(String... names) {
        for (String name : names) {
            store.put(name, inline(store.v(), 1));
        }
    }

    private ListPage list(String prefix, String delimiter, String after, int limit) {
        return store.client.listObjects(
                BUCKET, prefix, Optional.ofNullable(delimiter), Optional.ofNullable(after), limit);
    }

    private static List<String> names(ListPage page) {
        return page.lines().stream()
                .map(
                        line ->
                                switch (line) {
                                    case Listed.Key(ObjectVersion version) -> version.key().text();
                                    case Listed.CommonPrefix(String prefix) -> prefix + "*";
                                })
                .toList();
    }

    @Test
    void keysComeInOrderOfUnsignedUtf8Bytes() {
        String beyondBmp = new String(Character.toChars(0x1f600));
        put("\uffee", beyondBmp, "a", "B", "ä", "a\u0000", "a!");
        assertThat(names(list("", null, null, 100)))
                .containsExactly("B", "a", "a\u0000", "a!", "ä", "\uffee", beyondBmp);
    }

    @Test
    void aPrefixLimitsTheListingToItsKeys() {
        put("a", "ab", "abc", "b", "aab");
        assertThat(names(list("ab", null, null, 100))).containsExactly("ab", "abc");
        assertThat(names(list("x", null, null, 100))).isEmpty();
    }

    @Test
    void aDelimiterRollsKeysUp() {
        put("a/1", "a/2", "b", "c/x/y", "c/z", "d");
        assertThat(names(list("", "/", null, 100))).containsExactly("a/*", "b", "c/*", "d");
        assertThat(names(list("c/", "/", null, 100))).containsExactly("c/x/*", "c/z");
        assertThat(names(list("c", "/", null, 100))).containsExactly("c/*");
        assertThat(names(list("a/", "/", null, 100))).containsExactly("a/1", "a/2");
    }

    @Test
    void aDelimiterMayBeAnyString() {
        put("a::b", "a:b", "x");
        assertThat(names(list("", "::", null, 100))).containsExactly("a::*", "a:b", "x");
        assertThat(names(list("", "", null, 100))).containsExactly("a::b", "a:b", "x");
    }

    @Test
    void aKeyAndThePrefixItMakesStandSideBySide() {
        put("a", "a/", "a/b");
        assertThat(names(list("", "/", null, 100))).containsExactly("a", "a/*");
        assertThat(names(list("a/", "/", null, 100))).containsExactly("a/", "a/b");
    }

    @Test
    void pagesGoOnBehindTheLastLine() {
        put("a/1", "a/2", "b", "c/1", "d");
        ListPage first = list("", "/", null, 1);
        assertThat(first.truncated()).isTrue();
        assertThat(first.next()).contains("a/");
        ListPage second = list("", "/", "a/", 2);
        assertThat(names(second)).containsExactly("b", "c/*");
        assertThat(second.next()).contains("c/");
        ListPage last = list("", "/", "c/", 2);
        assertThat(names(last)).containsExactly("d");
        assertThat(last.truncated()).isFalse();
        assertThat(last.next()).isEmpty();
    }

    @Test
    void aMarkerInsideACommonPrefixSkipsItEntirely() {
        put("a/1", "a/2", "b");
        assertThat(names(list("", "/", "a/1", 100))).containsExactly("b");
        assertThat(names(list("", null, "a/1", 100))).containsExactly("a/2", "b");
    }

    @Test
    void aMarkerBeforeThePrefixChangesNothingAndOneBehindItLeavesNothing() {
        put("b/1", "b/2", "c");
        assertThat(names(list("b/", null, "a", 100))).containsExactly("b/1", "b/2");
        assertThat(names(list("b/", null, "b/1", 100))).containsExactly("b/2");
        assertThat(names(list("b/", null, "c", 100))).isEmpty();
        assertThat(names(list("b/", "/", "b/", 100))).containsExactly("b/1", "b/2");
    }

    @Test
    void aPageOfNoLinesIsNotTruncated() {
        put("a", "b");
        ListPage page = list("", null, null, 0);
        assertThat(page.lines()).isEmpty();
        assertThat(page.truncated()).isFalse();
        assertThat(list("", null, null, 2).truncated()).isFalse();
        assertThat(list("", null, null, 1).truncated()).isTrue();
    }

    @Test
    void aCommonPrefixIsPassedByOneSeek() {
        for (int i = 0; i < 2000; i++) {
            put("a/" + i);
        }
        put("b");
        CountingReader reader = new CountingReader(store.group.store());
        ListPage page =
                MetadataQueries.over(
                        reader,
                        TestStore.SHARD,
                        shard ->
                                shard.listObjects(
                                        BUCKET, "", Optional.of("/"), Optional.empty(), 100));
        assertThat(names(page)).containsExactly("a/*", "b");
        assertThat(reader.rows()).isLessThan(10);
    }

    @Test
    void bucketsDoNotSeeEachOther() {
        put("a");
        assertThat(
                        store.client
                                .listObjects(
                                        new BucketId(8), "", Optional.empty(), Optional.empty(), 9)
                                .lines())
                .isEmpty();
    }

    @Test
    void everyPageSizeGivesTheSameListing() {
        long seed = 4711;
        Random random = new Random(seed);
        TreeSet<ObjectKey> keys = new TreeSet<>();
        String alphabet = "ab/\u0000\u00e4\uffff";
        for (int i = 0; i < 300; i++) {
            StringBuilder name = new StringBuilder();
            int length = 1 + random.nextInt(6);
            for (int j = 0; j < length; j++) {
                name.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            keys.add(ObjectKey.of(name.toString()));
        }
        keys.forEach(key -> put(key.text()));
        for (String prefix : List.of("", "a", "a/", "\u00e4", "b/a")) {
            for (String delimiter : List.of("", "/", "b/")) {
                List<String> expected = expected(keys, prefix, delimiter);
                for (int limit : new int[] {1, 2, 7, 1000}) {
                    assertThat(pages(prefix, delimiter, limit))
                            .as("seed %d, prefix %s, delimiter %s", seed, prefix, delimiter)
                            .isEqualTo(expected);
                }
            }
        }
    }

    private static List<String> expected(TreeSet<ObjectKey> keys, String prefix, String delimiter) {
        List<String> lines = new ArrayList<>();
        for (ObjectKey key : keys) {
            String name = key.text();
            if (!name.startsWith(prefix)) {
                continue;
            }
            int at = delimiter.isEmpty() ? -1 : name.indexOf(delimiter, prefix.length());
            String line = at < 0 ? name : name.substring(0, at + delimiter.length()) + "*";
            if (lines.isEmpty() || !lines.getLast().equals(line)) {
                lines.add(line);
            }
        }
        return lines;
    }

    private List<String> pages(String prefix, String delimiter, int limit) {
        List<String> lines = new ArrayList<>();
        String after = null;
        while (true) {
            ListPage page = list(prefix, delimiter, after, limit);
            lines.addAll(names(page));
            if (!page.truncated()) {
                return lines;
            }
            after = page.next().orElseThrow();
        }
    }

    // ---- uploads ----

    private UploadPage uploads(String prefix, String delimiter, UploadMarker after, int limit) {
        return store.client.listUploads(
                BUCKET, prefix, Optional.ofNullable(delimiter), Optional.ofNullable(after), limit);
    }

    private static List<V> ids(UploadPage page) {
        return page.uploads().stream().map(Upload::id).toList();
    }

    @Test
    void uploadsComeInOrderOfKeyThenOfUpload() {
        V b1 = store.upload("b");
        V a1 = store.upload("a");
        V a0 = store.upload("a\u0000");
        V ab = store.upload("ab");
        V a2 = store.upload("a");
        assertThat(ids(uploads("", null, null, 10))).containsExactly(a1, a2, a0, ab, b1);
        assertThat(ids(uploads("a", null, null, 10))).containsExactly(a1, a2, a0, ab);
        assertThat(ids(uploads("a\u0000", null, null, 10))).containsExactly(a0);
    }

    @Test
    void uploadMarkersGoOnBehindAKeyOrBehindAnUploadOfIt() {
        V a1 = store.upload("a");
        V a2 = store.upload("a");
        V b = store.upload("b");
        assertThat(ids(uploads("", null, new UploadMarker("a", Optional.empty()), 10)))
                .containsExactly(b);
        assertThat(ids(uploads("", null, new UploadMarker("a", Optional.of(a1)), 10)))
                .containsExactly(a2, b);
        UploadPage page = uploads("", null, null, 1);
        assertThat(page.truncated()).isTrue();
        assertThat(page.next()).contains(new UploadMarker("a", Optional.of(a1)));
    }

    @Test
    void uploadsAreRolledUpAsKeysAre() {
        store.upload("a/1");
        store.upload("a/2");
        V b = store.upload("b");
        UploadPage page = uploads("", "/", null, 10);
        assertThat(page.commonPrefixes()).containsExactly("a/");
        assertThat(ids(page)).containsExactly(b);
        UploadPage first = uploads("", "/", null, 1);
        assertThat(first.next()).contains(new UploadMarker("a/", Optional.empty()));
        assertThat(ids(uploads("", "/", first.next().orElseThrow(), 10))).containsExactly(b);
    }
}
