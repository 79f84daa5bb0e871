package io.dedupstore.server.config;

/** Who owns what others write into a bucket. */
public enum DefaultOwnership {
    OBJECT_WRITER,
    BUCKET_OWNER_PREFERRED,
    BUCKET_OWNER_ENFORCED
}
