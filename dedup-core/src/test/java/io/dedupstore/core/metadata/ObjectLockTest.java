package io.dedupstore.core.metadata;

import static io.dedupstore.core.metadata.TestStore.BUCKET;
import static io.dedupstore.core.metadata.TestStore.inline;
import static io.dedupstore.core.metadata.TestStore.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedupstore.core.metadata.MetadataException.Code;
import io.dedupstore.core.metadata.MetadataService.VersionSpec;
import io.dedupstore.core.model.V;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What locks forbid, by the shard's clock and in the entry that would do it. */
class ObjectLockTest {
    private static final Precondition NONE = new Precondition.None();
    private static final long HOUR = Duration.ofHours(1).toMillis();

    private final TestStore store = new TestStore();

    private ObjectVersion put(ObjectLock lock, Keeping keeping) {
        VersionSpec spec =
                new VersionSpec("e", ObjectAttributes.NONE.withLock(lock), List.of(), keeping);
        return store.client.putObject(BUCKET, key("k"), inline(store.v(), 1), spec, NONE);
    }

    private ObjectLock lockOf(VersionId id) {
        return store.client
                .findVersion(BUCKET, key("k"), Optional.of(id))
                .orElseThrow()
                .attributes()
                .lock();
    }

    private static ObjectLock until(Retention.Mode mode, long millis) {
        return ObjectLock.NONE.withRetention(Optional.of(new Retention(mode, millis)));
    }

    private void remove(VersionId id, boolean bypass) {
        store.client.deleteVersion(store.v(), BUCKET, key("k"), id, bypass, NONE);
    }

    private void retain(VersionId id, Optional<Retention> retention, boolean bypass) {
        store.client.setRetention(store.v(), BUCKET, key("k"), Optional.of(id), retention, bypass);
    }

    private static void assertLocked(Runnable call) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        MetadataException.class, e -> assertThat(e.code()).isEqualTo(Code.LOCKED));
    }

    @Test
    void aLockedVersionStaysUntilTheShardsClockHasPassed() {
        Keeping enabled = Keeping.of(Versioning.ENABLED);
        VersionId id = put(until(Retention.Mode.COMPLIANCE, store.now() + HOUR), enabled).id();
        Map<String, String> before = store.group.rows();
        assertLocked(() -> remove(id, true));
        before.keySet().removeIf(row -> row.startsWith("metadata/000346"));
        Map<String, String> after = store.group.rows();
        after.keySet().removeIf(row -> row.startsWith("metadata/000346"));
        before.remove("metadata/000353");
        after.remove("metadata/000353");
        assertThat(after).as("nothing but the refusal is kept").isEqualTo(before);
        store.passTime(Duration.ofHours(2));
        remove(id, false);
        assertThat(store.client.findVersion(BUCKET, key("k"), Optional.empty())).isEmpty();
    }

    @Test
    void aRefusalIsAnsweredAgainWhenItsTimeIsOver() {
        Keeping enabled = Keeping.of(Versioning.ENABLED);
        VersionId id = put(until(Retention.Mode.GOVERNANCE, store.now() + HOUR), enabled).id();
        V v = store.v();
        assertLocked(() -> store.client.deleteVersion(v, BUCKET, key("k"), id, false, NONE));
        store.passTime(Duration.ofHours(2));
        assertLocked(() -> store.client.deleteVersion(v, BUCKET, key("k"), id, false, NONE));
    }

    @Test
    void theDefaultCountsFromTheCommit() {
        Keeping keeping =
                new Keeping(
                        Versioning.ENABLED,
                        Optional.of(new Keeping.Default(Retention.Mode.GOVERNANCE, HOUR)));
        ObjectVersion made = put(ObjectLock.NONE, keeping);
        assertThat(lockOf(made.id()))
                .isEqualTo(until(Retention.Mode.GOVERNANCE, made.modifiedMillis() + HOUR));
        ObjectLock own = until(Retention.Mode.COMPLIANCE, store.now() + 2 * HOUR);
        assertThat(lockOf(put(own, keeping).id())).isEqualTo(own);
        ObjectLock held = ObjectLock.NONE.withLegalHold(true);
        assertThat(lockOf(put(held, keeping).id()).retention()).isPresent();
    }

    @Test
    void whatIsLockedIsNotReplacedEither() {
        ObjectLock held = ObjectLock.NONE.withLegalHold(true);
        put(held, Keeping.UNVERSIONED);
        assertLocked(() -> put(ObjectLock.NONE, Keeping.UNVERSIONED));
        assertLocked(() -> put(ObjectLock.NONE, Keeping.of(Versioning.SUSPENDED)));
        assertLocked(
                () ->
                        store.client.deleteObject(
                                store.v(), BUCKET, key("k"), Versioning.SUSPENDED, NONE));
        put(ObjectLock.NONE, Keeping.of(Versioning.ENABLED));
        assertLocked(() -> put(ObjectLock.NONE, Keeping.of(Versioning.SUSPENDED)));
        store.client.setLegalHold(store.v(), BUCKET, key("k"), Optional.of(VersionId.NULL), false);
        put(ObjectLock.NONE, Keeping.of(Versioning.SUSPENDED));
    }

    @Test
    void retentionOnlyGrowsUnlessGovernanceIsBypassed() {
        Keeping enabled = Keeping.of(Versioning.ENABLED);
        long now = store.now();
        VersionId id = put(until(Retention.Mode.GOVERNANCE, now + 2 * HOUR), enabled).id();
        Retention shorter = new Retention(Retention.Mode.GOVERNANCE, now + HOUR);
        Retention longer = new Retention(Retention.Mode.GOVERNANCE, now + 3 * HOUR);
        Retention strict = new Retention(Retention.Mode.COMPLIANCE, now + 3 * HOUR);
        assertLocked(() -> retain(id, Optional.of(shorter), false));
        assertLocked(() -> retain(id, Optional.of(strict), false));
        assertLocked(() -> retain(id, Optional.empty(), false));
        retain(id, Optional.of(longer), false);
        retain(id, Optional.of(shorter), true);
        retain(id, Optional.empty(), true);
        retain(id, Optional.of(strict), false);
        assertLocked(() -> retain(id, Optional.of(longer), true));
        assertLocked(() -> retain(id, Optional.empty(), true));
        store.passTime(Duration.ofHours(4));
        retain(id, Optional.empty(), false);
        assertThat(lockOf(id)).isEqualTo(ObjectLock.NONE);
    }
}
