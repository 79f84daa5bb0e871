package io.dedupstore.core.metadata;

import static io.dedupstore.core.metadata.CommitTest.assertRefused;
import static io.dedupstore.core.metadata.TestStore.BUCKET;
import static io.dedupstore.core.metadata.TestStore.chunks;
import static io.dedupstore.core.metadata.TestStore.key;
import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.core.metadata.MetadataException.Code;
import io.dedupstore.core.model.V;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class TagObjectTest {
    private static final SortedMap<String, String> TAGS = new TreeMap<>(Map.of("a", "1", "b", ""));

    private final TestStore store = new TestStore();

    @Test
    void theVersionStaysWithItsBytesAndOnlyItsTagsChange() {
        ObjectVersion before = store.put("a", chunks(1, 2));
        store.client.tagObject(store.v(), BUCKET, key("a"), Optional.empty(), TAGS);

        ObjectVersion after = store.open("a").version();
        assertThat(after.attributes().tags()).isEqualTo(TAGS);
        assertThat(after.v()).isEqualTo(before.v());
        assertThat(after.modifiedMillis()).isEqualTo(before.modifiedMillis());
        assertThat(store.open("a").body().length()).isEqualTo(before.size());

        store.client.tagObject(store.v(), BUCKET, key("a"), Optional.empty(), new TreeMap<>());
        assertThat(store.open("a").version()).isEqualTo(before);
        store.rest();
        assertThat(store.releases()).isEmpty();
        store.delete("a");
        store.rest();
        assertThat(store.leftRows()).isEmpty();
    }

    @Test
    void aRepeatedRequestDoesNotUndoALaterOne() {
        store.put("a", chunks(1));
        V first = store.v();
        store.client.tagObject(first, BUCKET, key("a"), Optional.empty(), TAGS);
        store.client.tagObject(store.v(), BUCKET, key("a"), Optional.empty(), new TreeMap<>());
        store.client.tagObject(first, BUCKET, key("a"), Optional.empty(), TAGS);
        assertThat(store.open("a").version().attributes().tags()).isEmpty();
    }

    @Test
    void whatIsNotThereHasNoTags() {
        assertRefused(
                Code.NO_SUCH_KEY,
                () ->
                        store.client.tagObject(
                                store.v(), BUCKET, key("none"), Optional.empty(), TAGS));
        store.put("a", chunks(1));
        store.delete("a");
        assertRefused(
                Code.NO_SUCH_KEY,
                () -> store.client.tagObject(store.v(), BUCKET, key("a"), Optional.empty(), TAGS));
        store.client.sealBucket(store.v(), BUCKET);
        assertRefused(
                Code.NO_SUCH_BUCKET,
                () -> store.client.tagObject(store.v(), BUCKET, key("a"), Optional.empty(), TAGS));
    }
}
