package io.dedupstore.server.s3.access;

import io.dedupstore.core.control.Bucket;
import io.dedupstore.core.control.ControlService;
import io.dedupstore.core.metadata.MetadataService;
import io.dedupstore.core.metadata.ObjectVersion;
import io.dedupstore.core.metadata.VersionId;
import io.dedupstore.core.model.AccessList;
import io.dedupstore.core.model.Grantee;
import io.dedupstore.core.model.ObjectKey;
import io.dedupstore.core.model.Permission;
import io.dedupstore.server.auth.Callers;
import io.dedupstore.server.auth.Principal;
import io.dedupstore.server.policy.Caller;
import io.dedupstore.server.policy.Facts;
import io.dedupstore.server.policy.Policy;
import io.dedupstore.server.policy.Verdict;
import io.dedupstore.server.s3.S3Access;
import io.dedupstore.server.s3.S3Error;
import io.dedupstore.server.s3.S3Exception;
import io.dedupstore.server.s3.S3Operation;
import io.dedupstore.server.s3.S3Request;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Decides. For each action that an operation needs:
 *
 * <ol>
 *   <li>a denial by the bucket's policy, by a policy of the caller or of its session is final, but
 *       the bucket owner's account itself can always read, set and remove the bucket's policy;
 *   <li>the anonymous need the bucket's policy or an access list;
 *   <li>callers of the owner's account need their own policies, or the bucket's policy to name
 *       them; the account itself needs neither;
 *   <li>callers of other accounts need both their own policies and the bucket's policy or an access
 *       list;
 *   <li>a session policy must allow the action besides.
 * </ol>
 *
 * <p>An object that its writer owns is the writer's to open: the bucket's policy can deny, not
 * allow it, and the bucket's owner is another account like others. To know that, the object is
 * looked up, but only in buckets where there may be such objects. Then the decision is repeated by
 * the operation on the version it really has, since another may have come in between ({@link
 * S3Request#requireAllowed}).
 *
 * <p>Safe for any number of threads.
 */
public final class AccessCheck implements S3Access {
    /** What only the owner of an object, or who it is open to, may do with it. */
    private static final Set<String> OF_OBJECT_OWNER =
            Set.of(
                    "s3:GetObject",
                    "s3:GetObjectVersion",
                    "s3:GetObjectAttributes",
                    "s3:GetObjectVersionAttributes",
                    "s3:GetObjectAcl",
                    "s3:GetObjectVersionAcl",
                    "s3:PutObjectAcl",
                    "s3:PutObjectVersionAcl");

    private static final Set<String> ALWAYS_THE_ROOTS =
            Set.of("s3:GetBucketPolicy", "s3:PutBucketPolicy", "s3:DeleteBucketPolicy");

    private static final String ARN = "arn:aws:s3:::";

    private final MetadataService metadata;
    private final BucketAccesses buckets;
    private final Callers callers;
    private final Directory directory;
    private final InstantSource clock;
    private final Function<String, Optional<VersionId>> versionIds;

    /**
     * @param versionIds reads the ids of versions that requests name; empty for what is none
     */
    public AccessCheck(
            ControlService control,
            MetadataService metadata,
            InstantSource clock,
            Function<String, Optional<VersionId>> versionIds) {
        this.versionIds = versionIds;
        this.metadata = metadata;
        this.directory = new Directory(control);
        this.buckets = new BucketAccesses(control, directory);
        this.callers = new Callers(control);
        this.clock = clock;
    }

    public BucketAccesses buckets() {
        return buckets;
    }

    public Callers callers() {
        return callers;
    }

    public Directory directory() {
        return directory;
    }

    // ---- before dispatch ----

    @Override
    public void admit(S3Request request, S3Operation.OfService operation) {
        if (request.principal() instanceof Principal.Anonymous) {
            throw denied();
        }
        String resource =
                switch (operation) {
                    case S3Operation.ListBuckets list -> ARN + "*";
                    case S3Operation.CreateBucket(String name) -> ARN + name;
                };
        Caller caller = callers.caller(request.principal());
        Facts facts = facts(request, request.principal(), caller.accountId(), Optional::empty);
        for (String action : RequiredActions.ofService(request, operation)) {
            Verdict own = callers.ownPolicies(request.principal(), caller, action, resource, facts);
            boolean session =
                    callers.sessionAllows(request.principal(), caller, action, resource, facts);
            if (own != Verdict.ALLOW || !session) {
                throw denied();
            }
        }
    }

    @Override
    public void admit(S3Request request, S3Operation.OfBucket operation, Bucket bucket) {
        if (RequiredActions.decidesPerKey(operation)) {
            admitToKeys(request, bucket);
            return;
        }
        for (String action : RequiredActions.ofBucket(request, operation)) {
            require(request, bucket, action);
            boolean foreigner =
                    ALWAYS_THE_ROOTS.contains(action)
                            && !bucket.owner().equals(accountOf(request.principal()));
            if (foreigner) {
                throw new S3Exception(S3Error.METHOD_NOT_ALLOWED)
                        .with("Method", action.substring("s3:".length()))
                        .with("ResourceType", "BUCKETPOLICY");
            }
        }
    }

    /** Every key will be decided by itself; whom none can be allowed to is refused at once. */
    private void admitToKeys(S3Request request, Bucket bucket) {
        BucketAccess access = buckets.of(bucket);
        boolean closed = access.policy().isEmpty() && !access.isPublic();
        if (closed && request.principal() instanceof Principal.Anonymous) {
            throw denied();
        }
    }

    @Override
    public void admit(S3Request request, S3Operation.OfObject operation, Bucket bucket) {
        boolean tagsInBody =
                operation instanceof S3Operation.PutObjectTagging
                        && buckets.of(bucket)
                                .policy()
                                .filter(Policy::asksForRequestTags)
                                .isPresent();
        if (tagsInBody && !(request.principal() instanceof Principal.Anonymous)) {
            // Decided by the operation, which knows them.
            return;
        }
        for (String action : RequiredActions.ofObject(request, operation)) {
            require(request, bucket, operation.key(), action);
        }
        RequiredActions.ofNewObject(request, operation)
                .forEach(action -> requireForNew(request, bucket, operation.key(), action));
    }

    @Override
    public boolean mayList(S3Request request, Bucket bucket) {
        return allows(Asked.ofBucket(request, bucket), "s3:ListBucket");
    }

    // ---- for operations ----

    /**
     * @throws S3Exception AccessDenied unless the action on the bucket itself is allowed
     */
    public void require(S3Request request, Bucket bucket, String action) {
        Asked asked = Asked.ofBucket(request, bucket);
        if (!allows(asked, action)) {
            throw denied();
        }
    }

    /**
     * @throws S3Exception AccessDenied unless the action on the key is allowed
     */
    public void require(S3Request request, Bucket bucket, String key, String action) {
        requireAs(request, request.principal(), bucket, key, action, Optional.empty());
    }

    public boolean allows(S3Request request, Bucket bucket, String key, String action) {
        return allows(
                new Asked(
                        request,
                        request.principal(),
                        bucket,
                        Optional.of(key),
                        Optional.empty(),
                        named(request),
                        Optional.empty()),
                action);
    }

    /**
     * For requests that say in their body who sends them, or which tags they give.
     *
     * @throws S3Exception AccessDenied
     */
    public void requireAs(
            S3Request request,
            Principal principal,
            Bucket bucket,
            String key,
            String action,
            Optional<Map<String, String>> tags) {
        Asked asked =
                new Asked(
                        request,
                        principal,
                        bucket,
                        Optional.of(key),
                        tags,
                        named(request),
                        Optional.empty());
        if (!allows(asked, action)) {
            throw denied();
        }
    }

    /**
     * As {@link #require}, of an object that is not the one the query is about.
     *
     * @param version empty for the current one
     */
    public void requireOfVersion(
            S3Request request,
            Bucket bucket,
            String key,
            Optional<VersionId> version,
            String action) {
        Asked asked =
                new Asked(
                        request,
                        request.principal(),
                        bucket,
                        Optional.of(key),
                        Optional.empty(),
                        version,
                        Optional.empty());
        if (!allows(asked, action)) {
            throw denied();
        }
    }

    private Optional<VersionId> named(S3Request request) {
        return request.query().nonEmpty("versionId").flatMap(versionIds);
    }

    /**
     * As {@link #require}, on a version that was read: by its owner, access list and tags.
     *
     * @throws S3Exception AccessDenied
     */
    public void requireOn(S3Request request, Bucket bucket, ObjectVersion version, String action) {
        Asked asked =
                new Asked(
                        request,
                        request.principal(),
                        bucket,
                        Optional.of(version.key().text()),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(version));
        if (!allows(asked, action)) {
            throw denied();
        }
    }

    /**
     * What comes with an object that the request makes. Who will own it may give it an access list,
     * if own policies allow that and none denies it.
     *
     * @throws S3Exception AccessDenied
     */
    public void requireForNew(S3Request request, Bucket bucket, String key, String action) {
        boolean ownersToSay =
                action.equals("s3:PutObjectAcl")
                        && !buckets.of(bucket).enforced()
                        && !bucket.owner().equals(accountOf(request.principal()));
        if (!ownersToSay) {
            require(request, bucket, key, action);
            return;
        }
        Caller caller = callers.caller(request.principal());
        String resource = resource(bucket, Optional.of(key));
        Facts facts = facts(request, request.principal(), bucket.owner(), Optional::empty);
        boolean bucketDenies =
                buckets.of(bucket)
                        .policy()
                        .filter(
                                policy ->
                                        policy.decide(caller, action, resource, facts)
                                                == Verdict.DENY)
                        .isPresent();
        Verdict own = callers.ownPolicies(request.principal(), caller, action, resource, facts);
        boolean session =
                callers.sessionAllows(request.principal(), caller, action, resource, facts);
        if (bucketDenies || !session || (!caller.anonymous() && own != Verdict.ALLOW)) {
            throw denied();
        }
    }

    // ---- the decision ----

    /**
     * @param tags that the request gives, where they are not in its head
     * @param versionId which one it is about; empty for the current one
     * @param version the object, where it was read already
     */
    private record Asked(
            S3Request request,
            Principal principal,
            Bucket bucket,
            Optional<String> key,
            Optional<Map<String, String>> tags,
            Optional<VersionId> versionId,
            Optional<ObjectVersion> version) {

        static Asked ofBucket(S3Request request, Bucket bucket) {
            return new Asked(
                    request,
                    request.principal(),
                    bucket,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());
        }
    }

    private boolean allows(Asked asked, String action) {
        BucketAccess access = buckets.of(asked.bucket());
        Bucket bucket = asked.bucket();
        Supplier<Optional<ObjectVersion>> object = object(asked);
        Facts facts =
                new RequestFacts(
                        asked.request(),
                        asked.principal(),
                        bucket.owner(),
                        clock.instant(),
                        asked.tags(),
                        object);
        Caller caller = callers.caller(asked.principal());
        String resource = resource(bucket, asked.key());
        boolean ownAccount = caller.accountId().equals(bucket.owner());
        Verdict byBucket =
                access.policy()
                        .map(policy -> policy.decide(caller, action, resource, facts))
                        .orElse(Verdict.NOTHING);
        boolean root = ownAccount && isRoot(asked.principal());
        if (root && ALWAYS_THE_ROOTS.contains(action)) {
            return callers.sessionAllows(asked.principal(), caller, action, resource, facts);
        }
        Verdict own = callers.ownPolicies(asked.principal(), caller, action, resource, facts);
        boolean excluded =
                byBucket == Verdict.DENY
                        || own == Verdict.DENY
                        || !callers.sessionAllows(
                                asked.principal(), caller, action, resource, facts);
        if (excluded) {
            return false;
        }
        if (access.block().restrict() && access.publicPolicy() && !ownAccount) {
            byBucket = Verdict.NOTHING;
        }
        Standing standing = new Standing(access, caller, byBucket, own, ownAccount);
        if (asked.key().isPresent() && OF_OBJECT_OWNER.contains(action) && !access.enforced()) {
            return allowsObject(asked, action, standing, object);
        }
        return standing.allows(
                ownerMay(access, bucket, action), listGrants(access, caller, action));
    }

    private boolean allowsObject(
            Asked asked,
            String action,
            Standing standing,
            Supplier<Optional<ObjectVersion>> object) {
        // Without objects of others the owner's word is enough.
        if (!standing.access().foreign() && standing.allows(true, Grants.NONE)) {
            return true;
        }
        Optional<ObjectVersion> found = object.get();
        if (found.isEmpty()) {
            return standing.allows(true, Grants.NONE) || mayList(asked.request(), asked.bucket());
        }
        String key = asked.key().orElseThrow();
        if (asked.version().isEmpty()) {
            asked.request()
                    .recheckWith(
                            version -> {
                                if (version.key().text().equals(key)) {
                                    requireOn(asked.request(), asked.bucket(), version, action);
                                }
                            });
        }
        String owner = found.get().attributes().access().owner().orElse(asked.bucket().owner());
        AccessList list =
                found.get()
                        .attributes()
                        .access()
                        .list()
                        .orElseGet(() -> AccessList.ofOwner(directory.canonicalId(owner)));
        Grants grants =
                AclActions.onObject(action)
                        .map(needed -> grants(standing.access(), standing.caller(), list, needed))
                        .orElse(Grants.NONE);
        if (owner.equals(asked.bucket().owner())) {
            return standing.allows(true, grants);
        }
        boolean ownersRight =
                standing.caller().accountId().equals(owner)
                        && (AclActions.isAlwaysTheOwners(action) || isAboutWhole(action, grants));
        return standing.allowsForeign(ownersRight, grants);
    }

    /** Attributes are no permission of a list: who may read may know them. */
    private static boolean isAboutWhole(String action, Grants grants) {
        return action.endsWith("Attributes") || grants.any();
    }

    /** What an access list gives a caller. */
    private record Grants(boolean account, boolean group) {
        static final Grants NONE = new Grants(false, false);

        boolean any() {
            return account || group;
        }
    }

    /** What policies have said of a caller. */
    private record Standing(
            BucketAccess access, Caller caller, Verdict byBucket, Verdict own, boolean ownAccount) {

        boolean allows(boolean ownerMay, Grants grants) {
            boolean bucketAllows = byBucket == Verdict.ALLOW || byBucket == Verdict.ALLOW_ACCOUNT;
            if (caller.anonymous()) {
                return bucketAllows || grants.any();
            }
            if (ownAccount) {
                return (own == Verdict.ALLOW && (ownerMay || bucketAllows))
                        || byBucket == Verdict.ALLOW
                        || grants.group();
            }
            return own == Verdict.ALLOW && (bucketAllows || grants.any());
        }

        /** Of an object that the bucket's owner does not own. */
        boolean allowsForeign(boolean ownersRight, Grants grants) {
            return (caller.anonymous() || own == Verdict.ALLOW) && (ownersRight || grants.any());
        }
    }

    /** Whether the bucket's own list leaves the owner the action, which it may have given up. */
    private boolean ownerMay(BucketAccess access, Bucket bucket, String action) {
        Optional<Permission> needed = AclActions.onBucket(action);
        if (access.enforced() || access.list().isEmpty() || needed.isEmpty()) {
            return true;
        }
        Grantee owner = new Grantee.Canonical(directory.canonicalId(bucket.owner()));
        return AclActions.isAlwaysTheOwners(action)
                || access.list().get().grants(owner, needed.get());
    }

    private Grants listGrants(BucketAccess access, Caller caller, String action) {
        if (access.enforced() || access.list().isEmpty()) {
            return Grants.NONE;
        }
        AccessList list = access.list().get();
        return AclActions.onBucket(action)
                .map(needed -> grants(access, caller, list, needed))
                .orElse(Grants.NONE);
    }

    private static Grants grants(
            BucketAccess access, Caller caller, AccessList list, Permission needed) {
        boolean account =
                !caller.anonymous()
                        && list.grants(new Grantee.Canonical(caller.canonicalId()), needed);
        boolean group =
                !access.block().ignoreAcls()
                        && (list.grants(Grantee.Group.ALL_USERS, needed)
                                || (!caller.anonymous()
                                        && list.grants(Grantee.Group.AUTHENTICATED_USERS, needed)));
        return new Grants(account, group);
    }

    private Facts facts(
            S3Request request,
            Principal principal,
            String ownerAccount,
            Supplier<Optional<ObjectVersion>> object) {
        return new RequestFacts(
                request, principal, ownerAccount, clock.instant(), Optional.empty(), object);
    }

    /** Looked up at most once. */
    private Supplier<Optional<ObjectVersion>> object(Asked asked) {
        if (asked.version().isPresent()) {
            return asked::version;
        }
        if (asked.key().isEmpty()) {
            return Optional::empty;
        }
        return new Supplier<>() {
            private boolean read;
            private Optional<ObjectVersion> found = Optional.empty();

            @Override
            public Optional<ObjectVersion> get() {
                if (!read) {
                    found = find(asked.bucket(), asked.key().orElseThrow(), asked.versionId());
                    read = true;
                }
                return found;
            }
        };
    }

    private Optional<ObjectVersion> find(Bucket bucket, String key, Optional<VersionId> versionId) {
        try {
            return metadata.findVersion(bucket.id(), ObjectKey.of(key), versionId)
                    .filter(version -> !version.deleteMarker());
        } catch (IllegalArgumentException e) {
            // No key at all: there is no such object.
            return Optional.empty();
        }
    }

    private static String resource(Bucket bucket, Optional<String> key) {
        return ARN + bucket.name() + key.map(text -> "/" + text).orElse("");
    }

    private static String accountOf(Principal principal) {
        return principal instanceof Principal.Account account ? account.accountId() : "";
    }

    private static boolean isRoot(Principal principal) {
        return principal instanceof Principal.Account account
                && account.who() instanceof Principal.Who.Root;
    }

    private static S3Exception denied() {
        return new S3Exception(S3Error.ACCESS_DENIED);
    }
}
