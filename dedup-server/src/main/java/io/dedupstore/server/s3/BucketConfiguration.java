package io.dedupstore.server.s3;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Settings of a bucket that clients read, and their sub-resource in the query. */
public enum BucketConfiguration {
    ACCELERATE("accelerate", false),
    ACL("acl", false),
    ANALYTICS("analytics", true),
    CORS("cors", true),
    ENCRYPTION("encryption", true),
    INTELLIGENT_TIERING("intelligent-tiering", true),
    INVENTORY("inventory", true),
    LIFECYCLE("lifecycle", true),
    LOGGING("logging", false),
    METRICS("metrics", true),
    NOTIFICATION("notification", false),
    OBJECT_LOCK("object-lock", false),
    OWNERSHIP_CONTROLS("ownershipControls", true),
    POLICY("policy", true),
    POLICY_STATUS("policyStatus", false),
    PUBLIC_ACCESS_BLOCK("publicAccessBlock", true),
    REPLICATION("replication", true),
    REQUEST_PAYMENT("requestPayment", false),
    TAGGING("tagging", true),
    VERSIONING("versioning", false),
    WEBSITE("website", true);

    private static final Set<BucketConfiguration> SETTABLE =
            EnumSet.of(
                    ACL,
                    CORS,
                    ENCRYPTION,
                    LIFECYCLE,
                    LOGGING,
                    NOTIFICATION,
                    OBJECT_LOCK,
                    OWNERSHIP_CONTROLS,
                    POLICY,
                    PUBLIC_ACCESS_BLOCK,
                    REQUEST_PAYMENT,
                    TAGGING,
                    VERSIONING);

    private static final Map<String, BucketConfiguration> BY_NAME =
            Arrays.stream(values())
                    .collect(
                            Collectors.toUnmodifiableMap(
                                    BucketConfiguration::subResource, Function.identity()));

    private final String subResource;
    private final boolean deletable;

    BucketConfiguration(String subResource, boolean deletable) {
        this.subResource = subResource;
        this.deletable = deletable;
    }

    static Optional<BucketConfiguration> ofSubResource(String name) {
        return Optional.ofNullable(BY_NAME.get(name));
    }

    public String subResource() {
        return subResource;
    }

    /** Whether it can be set here. */
    public boolean settable() {
        return SETTABLE.contains(this);
    }

    /** Whether the API has a DELETE for it. */
    boolean deletable() {
        return deletable;
    }
}
