package io.dedupstore.server.s3.access;

/**
 * What buckets begin with whose creation says nothing else.
 *
 * @param blockPublicAccess whether all four blocks of public access are on
 */
public record NewBuckets(Ownership ownership, boolean blockPublicAccess) {
    /** Access lists work, as they do for clients since 2006; nothing is public. */
    public static final NewBuckets DEFAULT = new NewBuckets(Ownership.OBJECT_WRITER, false);
}
