package io.dedupstore.core.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedupstore.core.model.DomainId;
import io.dedupstore.core.state.ReplicationException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class ControlClientTest {
    private final ControlFixture group = new ControlFixture();
    private final ControlClient client = ControlFixture.clusterOf(group, 1, 1);
    private final String root = client.rootAccount().id();

    @Test
    void aClusterIsMadeOnceAndKeptByLaterStarts() {
        String id = client.clusterId();
        ControlClient later = group.client();

        later.bootstrap(new Bootstrap(new ClusterLayout(9, 9), "OTHER", "other secret"));

        assertThat(later.clusterId()).isEqualTo(id);
        assertThat(later.layout()).isEqualTo(new ClusterLayout(1, 1));
        assertThat(later.findAccessKey("OTHER")).isEmpty();
        assertThat(group.log).hasSize(1);
    }

    @Test
    void withoutAClusterNothingIsAnsweredAndNothingIsDone() {
        ControlFixture empty = new ControlFixture();
        ControlClient early = empty.client();

        assertThat(early.bootstrapped()).isFalse();
        assertThatThrownBy(early::clusterId).isInstanceOf(IllegalStateException.class);
        refused(() -> early.openSession("n1"), ControlException.Code.REFUSED);
        refused(() -> early.createAccount("a"), ControlException.Code.REFUSED);
    }

    @Test
    void theRootKeyIsFoundWithItsSecret() {
        AccessKey found = client.findAccessKey(ControlFixture.ROOT_KEY).orElseThrow();
        assertThat(found.secretKey()).isEqualTo(ControlFixture.ROOT_SECRET);
        assertThat(found.account()).isEqualTo(root);
        assertThat(found.user()).isEmpty();
        assertThat(found.active()).isTrue();
    }

    @Test
    void noSecretStandsInRowsOrLog() {
        client.putAccessKey(new AccessKey("SECOND", "the second secret", root));
        byte[] domainKey = client.domainKey(client.rootAccount().domain());

        StringBuilder all = new StringBuilder(String.join("\n", group.rows()));
        group.log.forEach(command -> all.append(HexFormat.of().formatHex(command)));

        assertThat(all)
                .contains(hex("SECOND"))
                .doesNotContain(hex(ControlFixture.ROOT_SECRET))
                .doesNotContain(hex("the second secret"))
                .doesNotContain(HexFormat.of().formatHex(domainKey));
    }

    private static String hex(String text) {
        return HexFormat.of().formatHex(text.getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void anotherMasterKeyIsRefusedWithAdvice() {
        assertThatThrownBy(() -> group.client(new byte[32]))
                .isInstanceOf(ControlException.class)
                .hasMessageContaining("master key");
    }

    @Test
    void domainKeysAreDifferentPerAccountAndTheSameForEver() {
        DomainId ours = client.rootAccount().domain();
        DomainId theirs = client.createAccount("other").domain();

        assertThat(client.domainKey(ours)).hasSize(32).isNotEqualTo(client.domainKey(theirs));
        assertThat(group.client().domainKey(ours)).isEqualTo(client.domainKey(ours));
        assertThatThrownBy(() -> client.domainKey(new DomainId(77)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aKeyHandedOutIsACopy() {
        DomainId domain = client.rootAccount().domain();
        client.domainKey(domain)[0] ^= 1;

        assertThat(client.domainKey(domain)).isEqualTo(group.client().domainKey(domain));
    }

    @Test
    void accessKeysAreReplacedDeletedAndNeverTakenOver() {
        Account other = client.createAccount("other");
        client.putAccessKey(new AccessKey("KEY", "one", root));
        client.putAccessKey(new AccessKey("KEY", "two", root));

        assertThat(client.findAccessKey("KEY").orElseThrow().secretKey()).isEqualTo("two");
        assertThat(client.accessKeysOf(root)).containsExactly("KEY", ControlFixture.ROOT_KEY);
        refused(
                () -> client.putAccessKey(new AccessKey("KEY", "mine", other.id())),
                ControlException.Code.ACCESS_KEY_EXISTS);
        refused(
                () -> client.putAccessKey(new AccessKey("NEW", "x", "000000000000")),
                ControlException.Code.NO_SUCH_ACCOUNT);

        client.deleteAccessKey("KEY");
        client.deleteAccessKey("KEY");
        assertThat(client.findAccessKey("KEY")).isEmpty();
    }

    @Test
    void bucketNamesAreUniqueAcrossAccounts() {
        Account other = client.createAccount("other");
        Bucket bucket = create("photos", root);

        assertThat(client.findBucket("photos")).hasValue(bucket);
        assertThat(bucket.domain()).isEqualTo(client.rootAccount().domain());
        assertThat(bucket.createdMillis()).isEqualTo(ControlFixture.CLOCK.millis());
        refused(() -> create("photos", root), ControlException.Code.BUCKET_EXISTS_OWNED_BY_YOU);
        refused(() -> create("photos", other.id()), ControlException.Code.BUCKET_EXISTS);
        refused(() -> create("films", "000000000000"), ControlException.Code.NO_SUCH_ACCOUNT);
    }

    @Test
    void bucketsAreListedByName() {
        Account other = client.createAccount("other");
        for (String name : List.of("b.b", "a-a", "c00", "a.a")) {
            create(name, root);
        }
        create("b00", other.id());

        assertThat(client.listBuckets(root).stream().map(Bucket::name))
                .containsExactly("a-a", "a.a", "b.b", "c00");
        assertThat(client.allBuckets()).hasSize(5);
    }

    @Test
    void aDroppedBucketIsGoneAndItsIdIsNeverUsedAgain() {
        Bucket first = create("photos", root);
        client.dropBucket(first.id());
        client.dropBucket(first.id());
        Bucket second = create("photos", root);

        assertThat(second.id()).isGreaterThan(first.id());
        client.dropBucket(first.id());
        assertThat(client.findBucket("photos")).hasValue(second);
    }

    @Test
    void anAccountHasAtMostSoManyBuckets() {
        client.putSetting(BucketCommands.MAX_PER_ACCOUNT_SETTING, "2");
        Bucket first = create("one", root);
        create("two", root);

        refused(() -> create("three", root), ControlException.Code.TOO_MANY_BUCKETS);
        client.dropBucket(first.id());
        create("three", root);
        assertThat(client.listBuckets(root)).hasSize(2);
    }

    @Test
    void settingsAreKept() {
        assertThat(client.setting("some.thing")).isEmpty();
        client.putSetting("some.thing", "a value");
        assertThat(client.setting("some.thing")).hasValue("a value");
    }

    @Test
    void aCopyIsOldUntilItIsRefreshedOrItsOwnerChangesSomething() {
        ControlClient other = group.client();
        create("photos", root);

        assertThat(other.findBucket("photos")).isEmpty();
        other.refresh();
        assertThat(other.findBucket("photos")).isPresent();

        create("films", root);
        other.putSetting("a", "b");
        assertThat(other.findBucket("films")).isPresent();
    }

    @Test
    void aRefusalShowsTheNewestStateToo() {
        ControlClient other = group.client();
        create("photos", root);

        refused(
                () -> other.createBucket("photos", root, "cdc", "lz4", ""),
                ControlException.Code.BUCKET_EXISTS_OWNED_BY_YOU);
        assertThat(other.findBucket("photos")).isPresent();
    }

    @Test
    void whatIsKnownOfALostCommandIsSaid() {
        group.failNext = ReplicationException.Code.NOT_ACCEPTED;
        refused(() -> create("photos", root), ControlException.Code.UNAVAILABLE);
        assertThat(client.findBucket("photos")).isEmpty();

        group.failNext = ReplicationException.Code.UNKNOWN;
        group.loseAnswer = true;
        refused(() -> create("photos", root), ControlException.Code.UNKNOWN);
        refused(() -> create("photos", root), ControlException.Code.BUCKET_EXISTS_OWNED_BY_YOU);
    }

    @Test
    void namesThatNoRowMayHaveAreTheCallersMistake() {
        assertThatThrownBy(() -> create("Bad_Name", root))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> client.openSession(""))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> client.putSetting("BAD", ""))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private Bucket create(String name, String owner) {
        return client.createBucket(name, owner, "cdc:64k", "lz4", "");
    }

    static void refused(ThrowingCallable call, ControlException.Code code) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        ControlException.class, e -> assertThat(e.code()).isEqualTo(code));
    }
}
