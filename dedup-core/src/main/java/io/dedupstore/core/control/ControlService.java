package io.dedupstore.core.control;

import io.dedupstore.core.model.BucketId;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.DomainId;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The control group as the other roles see it. Blocking; any number of threads, virtual ones too.
 * Reads of what requests need (buckets, keys, domains) come from a versioned local copy and do no
 * I/O.
 *
 * <p>Mutations throw {@link ControlException}.
 */
public interface ControlService {
    String clusterId();

    /** The shards of the cluster; never changes. */
    ClusterLayout layout();

    // ---- accounts and keys ----

    Optional<AccessKey> findAccessKey(String accessKey);

    Optional<Account> findAccount(String id);

    /** The account made with the cluster. */
    Account rootAccount();

    /** Ascending by id. */
    List<Account> accounts();

    Optional<Account> findAccountByCanonicalId(String canonicalId);

    /** Addresses have no case. */
    Optional<Account> findAccountByEmail(String email);

    /** Makes an account with a dedup domain and a fresh domain key of its own. */
    default Account createAccount(String displayName) {
        return createAccount(displayName, "");
    }

    /**
     * @param email empty for none
     */
    Account createAccount(String displayName, String email);

    /** Names of the access keys of an account, ascending. */
    List<String> accessKeysOf(String account);

    /** Of an account and all its users, ascending by name. */
    List<AccessKey> keysOf(String account);

    /** Adds the key or replaces its secret; it stays whose it is. */
    void putAccessKey(AccessKey key);

    /** Idempotent. */
    void deleteAccessKey(String accessKey);

    /** The 32-byte fingerprint key of a domain; the caller must not keep or log it. */
    byte[] domainKey(DomainId domain);

    // ---- users, groups, roles ----

    /**
     * @param name without regard to case
     */
    Optional<Identity> findIdentity(String account, Identity.Kind kind, String name);

    Optional<Identity> findIdentity(String account, String id);

    /** Ascending by name. */
    List<Identity> identities(String account, Identity.Kind kind);

    /**
     * Makes an identity of revision 0, or puts another in the place of the one that was read.
     *
     * @throws ControlException IDENTITY_EXISTS, IDENTITY_CHANGED, NO_SUCH_IDENTITY
     */
    void putIdentity(Identity identity);

    /**
     * Refused while a user has access keys.
     *
     * @param identity as it was read
     */
    void dropIdentity(Identity identity);

    // ---- temporary keys ----

    /** The token of a key; whoever has it and the secret has the key. */
    String sealToken(TemporaryKey key);

    /** Empty for what is no token of this cluster; it may have expired. */
    Optional<TemporaryKey> openToken(String token);

    // ---- buckets ----

    Optional<Bucket> findBucket(String name);

    /** Ascending by name (unsigned UTF-8 bytes). */
    List<Bucket> listBuckets(String owner);

    /** Of all accounts, ascending by name. */
    List<Bucket> allBuckets();

    /**
     * The id is allocated and the time decided before the log; visible to the caller's reads on
     * return.
     */
    default Bucket createBucket(
            String name, String owner, String chunking, String compression, String region) {
        return createBucket(name, owner, chunking, compression, region, Map.of());
    }

    /**
     * @param configurations what it begins with, by name
     */
    Bucket createBucket(
            String name,
            String owner,
            String chunking,
            String compression,
            String region,
            Map<String, byte[]> configurations);

    /** Forgets the name; the bucket must have been sealed in its metadata shard. Idempotent. */
    void dropBucket(BucketId bucket);

    /**
     * What is set under a name, as it was set.
     *
     * @param name of a sub-resource of the API
     */
    Optional<byte[]> bucketConfiguration(BucketId bucket, String name);

    /**
     * Sets a configuration of a bucket; empty removes it. Idempotent.
     *
     * @param document at most 1 MiB
     */
    void setBucketConfiguration(BucketId bucket, String name, Optional<byte[]> document);

    // ---- keys of encryption ----

    /** Wraps keys with the named keys that are kept here. */
    KeyProvider keys();

    /** Ascending by id. */
    List<NamedKey> namedKeys();

    Optional<NamedKey> findNamedKey(String id);

    /**
     * Makes a key that everybody may name.
     *
     * @throws ControlException KEY_EXISTS; REFUSED for an id that can't be
     */
    NamedKey createKey(String id, String description);

    /**
     * Gives a key new material and wraps with it what the old had wrapped. What is encrypted stays
     * as it is.
     */
    NamedKey rotateKey(String id);

    /** Whether anything may be encrypted or read under a key. */
    NamedKey enableKey(String id, boolean enabled);

    Optional<CipherDomain> findCipherDomain(DomainId parent, String key, boolean twice);

    Optional<CipherDomain> findCipherDomain(DomainId domain);

    /**
     * Makes the domain of what is encrypted under a named key, or finds the one that is there,
     * whose key is another.
     *
     * @throws ControlException KEY_CHANGED: wrap again
     */
    CipherDomain makeCipherDomain(
            DomainId parent, String key, boolean twice, KeyProvider.Wrapped wrapped);

    // ---- sessions and epochs ----

    /**
     * Opens a session in a new epoch for a process that has just started, and ends the earlier ones
     * of its node: the caller holds the lock that proves that no other process of the node is
     * alive.
     */
    Session openSession(String node);

    /**
     * Opens a further session in a new epoch for a process that goes on working; its earlier ones
     * live until they are ended, so that what runs under them can finish.
     */
    Session renewSession(String node);

    /** The session makes no V any more and appends nothing. Idempotent. */
    void endSession(Session session);

    /** Sessions of epochs that are not closed yet, ascending by number. */
    List<SessionRecord> sessions();

    /** All epochs up to this one are closed. */
    int closedEpoch();

    /** The epoch that is being closed, if one is. */
    Optional<EpochClosing> epochClosing();

    /** Whether an epoch is being closed, or could be. Writes nothing. */
    boolean hasEpochsToClose();

    /**
     * Begins to close the latest epoch up to which all sessions have ended, and fixes the shards
     * whose word is needed; if a closing is under way, returns that; empty if there is nothing to
     * close.
     */
    Optional<EpochClosing> startEpochClosing();

    /** The step is done on all shards. Returns the next one, empty after the last. Idempotent. */
    Optional<EpochClosing> recordEpochStep(int epoch, EpochClosing.Step done);

    // ---- settings ----

    Optional<String> setting(String name);

    void putSetting(String name, String value);

    // ---- containers ----

    /** Allocates a container for a session of this process's to write. */
    ContainerId openContainer(Session session);

    /** The container takes no more appends. Idempotent. */
    void sealContainer(ContainerId container);

    /** Forgets a sealed container whose slots are all freed. Idempotent. */
    void dropContainer(ContainerId container);

    Optional<ContainerRecord> findContainer(ContainerId container);

    /** Ascending by id, those after {@code after} (0 for the start), at most {@code limit}. */
    List<ContainerRecord> containers(long after, int limit);
}
