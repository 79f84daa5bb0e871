package io.dedupstore.core.control;

import io.dedupstore.core.model.BucketId;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.DomainId;
import java.util.List;
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

    // ---- accounts and keys ----

    Optional<AccessKey> findAccessKey(String accessKey);

    Optional<Account> findAccount(String id);

    /** The 32-byte fingerprint key of a domain; the caller must not keep or log it. */
    byte[] domainKey(DomainId domain);

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
    Bucket createBucket(
            String name, String owner, String chunking, String compression, String region);

    /** Forgets the name; the bucket must have been sealed in its metadata shard. Idempotent. */
    void dropBucket(BucketId bucket);

    // ---- containers ----

    /** Allocates a container for a session of this process's to write. */
    ContainerId openContainer(Session session);
}
