package io.dedupstore.core.control;

import com.google.protobuf.ByteString;
import io.dedupstore.core.control.ControlProto.AccessKeyRow;
import io.dedupstore.core.control.ControlProto.AccountRow;
import io.dedupstore.core.control.ControlProto.BucketConfigurationRow;
import io.dedupstore.core.control.ControlProto.BucketRow;
import io.dedupstore.core.control.ControlProto.CipherDomainRow;
import io.dedupstore.core.control.ControlProto.ClusterRow;
import io.dedupstore.core.control.ControlProto.DomainRow;
import io.dedupstore.core.control.ControlProto.IdentityRow;
import io.dedupstore.core.control.ControlProto.KeyRow;
import io.dedupstore.core.control.ControlRows.Counter;
import io.dedupstore.core.control.ControlRows.Kind;
import io.dedupstore.core.kv.KvReader;
import io.dedupstore.core.model.BucketId;
import io.dedupstore.core.model.DomainId;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What requests need of the control group's state, secrets opened, as of one version. Immutable;
 * never log it.
 *
 * @param buckets by name; bucket names are ASCII, where the order of strings is that of bytes
 * @param identities by account, kind and name
 */
record ControlView(
        long version,
        @Nullable ClusterRow cluster,
        NavigableMap<String, Account> accounts,
        NavigableMap<String, AccessKey> keys,
        Map<DomainId, byte[]> domainKeys,
        NavigableMap<String, OpenKey> namedKeys,
        NavigableMap<DomainId, CipherDomain> cipherDomains,
        NavigableMap<String, Bucket> buckets,
        Map<BucketId, Map<String, ByteString>> configurations,
        NavigableMap<String, Identity> identities) {

    /** A named key with its material. */
    record OpenKey(NamedKey key, byte[] material) {
        @Override
        public String toString() {
            return "OpenKey[" + key.id() + "]";
        }
    }

    /**
     * @throws ControlException the secrets were sealed under another master key
     */
    static ControlView load(KvReader rows, SecretCipher cipher) {
        ClusterRow cluster =
                ControlRows.get(rows, ControlRows.key(Kind.CLUSTER), ClusterRow.parser());
        if (cluster != null) {
            checkMasterKey(cluster, cipher);
        }
        return new ControlView(
                ControlRows.counter(rows, Counter.VIEW_VERSION),
                cluster,
                accounts(rows),
                keys(rows, cipher),
                domainKeys(rows, cipher),
                namedKeys(rows, cipher),
                cipherDomains(rows),
                buckets(rows),
                configurations(rows),
                identities(rows));
    }

    private static void checkMasterKey(ClusterRow cluster, SecretCipher cipher) {
        if (!Arrays.equals(cluster.getMasterKeyId().toByteArray(), cipher.keyId())) {
            throw new ControlException(
                    ControlException.Code.REFUSED,
                    "the master key is not the one this cluster was made with; put the right file in its place");
        }
    }

    private static NavigableMap<String, Account> accounts(KvReader rows) {
        NavigableMap<String, Account> accounts = new TreeMap<>();
        for (AccountRow row : ControlRows.list(rows, Kind.ACCOUNT, AccountRow.parser())) {
            accounts.put(row.getId(), toAccount(row));
        }
        return accounts;
    }

    private static NavigableMap<String, AccessKey> keys(KvReader rows, SecretCipher cipher) {
        NavigableMap<String, AccessKey> keys = new TreeMap<>();
        for (AccessKeyRow row : ControlRows.list(rows, Kind.ACCESS_KEY, AccessKeyRow.parser())) {
            byte[] secret =
                    cipher.open(
                            secretPurpose(row.getAccessKey(), row.getAccount()),
                            new SealedSecret(row.getSealedSecret().toByteArray()));
            keys.put(
                    row.getAccessKey(),
                    new AccessKey(
                            row.getAccessKey(),
                            new String(secret, StandardCharsets.UTF_8),
                            row.getAccount(),
                            Optional.of(row.getUser()).filter(user -> !user.isEmpty()),
                            !row.getInactive(),
                            row.getCreatedMillis()));
        }
        return keys;
    }

    private static Map<DomainId, byte[]> domainKeys(KvReader rows, SecretCipher cipher) {
        Map<DomainId, byte[]> keys = new HashMap<>();
        for (DomainRow row : ControlRows.list(rows, Kind.DOMAIN, DomainRow.parser())) {
            SealedSecret sealed = new SealedSecret(row.getSealedKey().toByteArray());
            keys.put(
                    new DomainId(row.getId()),
                    cipher.open(domainPurpose(row.getAccount()), sealed));
        }
        return keys;
    }

    private static NavigableMap<String, OpenKey> namedKeys(KvReader rows, SecretCipher cipher) {
        NavigableMap<String, OpenKey> keys = new TreeMap<>();
        for (KeyRow row : ControlRows.list(rows, Kind.KEY, KeyRow.parser())) {
            byte[] material =
                    cipher.open(
                            materialPurpose(row.getId(), row.getVersion()),
                            new SealedSecret(row.getSealedMaterial().toByteArray()));
            keys.put(row.getId(), new OpenKey(toNamedKey(row), material));
        }
        return keys;
    }

    private static NavigableMap<DomainId, CipherDomain> cipherDomains(KvReader rows) {
        NavigableMap<DomainId, CipherDomain> domains =
                new TreeMap<>(Comparator.comparingInt(DomainId::value));
        for (CipherDomainRow row :
                ControlRows.list(rows, Kind.CIPHER_DOMAIN, CipherDomainRow.parser())) {
            domains.put(new DomainId(row.getId()), toCipherDomain(row));
        }
        return domains;
    }

    static NamedKey toNamedKey(KeyRow row) {
        return new NamedKey(
                row.getId(),
                row.getDescription(),
                row.getAccount(),
                !row.getDisabled(),
                row.getVersion(),
                row.getCreatedMillis(),
                row.getRotatedMillis());
    }

    static CipherDomain toCipherDomain(CipherDomainRow row) {
        return new CipherDomain(
                new DomainId(row.getId()),
                new DomainId(row.getParent()),
                row.getKey(),
                row.getTwice(),
                row.getWrappedKey(),
                row.getKeyVersion());
    }

    static String materialPurpose(String key, int version) {
        return "key-material/" + version + "/" + key;
    }

    private static NavigableMap<String, Bucket> buckets(KvReader rows) {
        NavigableMap<String, Bucket> buckets = new TreeMap<>();
        for (BucketRow row : ControlRows.list(rows, Kind.BUCKET, BucketRow.parser())) {
            buckets.put(row.getName(), toBucket(row));
        }
        return buckets;
    }

    private static Map<BucketId, Map<String, ByteString>> configurations(KvReader rows) {
        Map<BucketId, Map<String, ByteString>> configurations = new HashMap<>();
        for (BucketConfigurationRow row :
                ControlRows.list(
                        rows, Kind.BUCKET_CONFIGURATION, BucketConfigurationRow.parser())) {
            configurations
                    .computeIfAbsent(new BucketId(row.getBucket()), bucket -> new HashMap<>())
                    .put(row.getName(), row.getDocument());
        }
        return configurations;
    }

    private static NavigableMap<String, Identity> identities(KvReader rows) {
        NavigableMap<String, Identity> identities = new TreeMap<>();
        for (IdentityRow row : ControlRows.list(rows, Kind.IDENTITY, IdentityRow.parser())) {
            Identity identity = IdentityCommands.ofRow(row);
            identities.put(
                    identityKey(identity.account(), identity.kind(), identity.nameKey()), identity);
        }
        return identities;
    }

    /** In order of account, kind and name; neither has a slash. */
    static String identityKey(String account, Identity.Kind kind, String nameKey) {
        return account + "/" + kind.code() + "/" + nameKey;
    }

    static Account toAccount(AccountRow row) {
        return new Account(
                row.getId(),
                row.getDisplayName(),
                new DomainId(row.getDomain()),
                row.getCanonicalId().isEmpty() ? row.getId() : row.getCanonicalId(),
                row.getEmail());
    }

    static Bucket toBucket(BucketRow row) {
        return new Bucket(
                new BucketId(row.getId()),
                row.getName(),
                row.getOwner(),
                new DomainId(row.getDomain()),
                row.getChunking(),
                row.getCompression(),
                row.getRegion(),
                row.getCreatedMillis());
    }

    static String secretPurpose(String accessKey, String account) {
        return "access-key/" + account + "/" + accessKey;
    }

    static String domainPurpose(String account) {
        return "domain-key/" + account;
    }

    @Override
    public String toString() {
        return "ControlView[version " + version + "]";
    }
}
