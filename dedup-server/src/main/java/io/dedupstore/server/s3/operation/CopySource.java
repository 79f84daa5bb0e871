package io.dedupstore.server.s3.operation;

import io.dedupstore.core.control.Bucket;
import io.dedupstore.core.control.ControlService;
import io.dedupstore.core.metadata.MetadataService;
import io.dedupstore.core.metadata.MetadataService.Stored;
import io.dedupstore.core.metadata.ObjectEncryption;
import io.dedupstore.core.metadata.ObjectVersion;
import io.dedupstore.core.metadata.VersionId;
import io.dedupstore.core.metadata.Versioning;
import io.dedupstore.core.model.DomainId;
import io.dedupstore.core.model.ObjectKey;
import io.dedupstore.server.http.ResponseHeaders;
import io.dedupstore.server.s3.S3Error;
import io.dedupstore.server.s3.S3Exception;
import io.dedupstore.server.s3.S3Request;
import io.dedupstore.server.s3.UriText;
import java.util.Optional;

/**
 * The object that {@code x-amz-copy-source} names, which the client may read.
 *
 * @param tells whether it may know that there is none
 */
record CopySource(
        Bucket bucket,
        ObjectKey key,
        Optional<VersionId> version,
        ReadConditions conditions,
        boolean tells) {
    private static final String HEADER = "x-amz-copy-source";
    private static final String VERSION = "?versionId=";

    static CopySource of(S3Request request, S3Services services) {
        String header = request.nonEmptyHeader(HEADER).orElse("");
        int mark = header.lastIndexOf(VERSION);
        Optional<VersionId> version =
                mark < 0
                        ? Optional.empty()
                        : Optional.of(
                                VersionIds.parse(
                                        "versionId",
                                        decode(header.substring(mark + VERSION.length()))));
        String path = decode(mark < 0 ? header : header.substring(0, mark));
        String relative = path.startsWith("/") ? path.substring(1) : path;
        int slash = relative.indexOf('/');
        if (slash <= 0 || slash == relative.length() - 1) {
            throw S3Exception.invalidArgument(
                    "Copy Source must mention the source bucket and key: sourcebucket/sourcekey",
                    HEADER,
                    header);
        }
        Bucket bucket = bucket(request, services.control(), relative.substring(0, slash));
        ObjectKey key = Keys.of(relative.substring(slash + 1));
        services.access()
                .requireOfVersion(
                        request,
                        bucket,
                        key.text(),
                        version,
                        version.isPresent() ? "s3:GetObjectVersion" : "s3:GetObject");
        return new CopySource(
                bucket,
                key,
                version,
                ReadConditions.ofCopySource(request),
                services.access().mayList(request, bucket));
    }

    /** The version that is named or there now, if the request's conditions on it hold. */
    Stored open(MetadataService metadata) {
        Optional<Stored> found = metadata.openVersion(bucket.id(), key, version);
        if (version.isPresent() && found.filter(s -> s.version().deleteMarker()).isPresent()) {
            throw S3Exception.invalidRequest(
                    "The source of a copy request may not specifically refer to a delete marker by"
                            + " version id.");
        }
        if (found.filter(s -> !s.version().deleteMarker()).isEmpty() && !tells) {
            throw new S3Exception(S3Error.ACCESS_DENIED);
        }
        VersionFinder.require(key, version, found.map(Stored::version));
        Stored stored = found.orElseThrow();
        conditions.require(stored.version());
        return stored;
    }

    /**
     * Whether a version's bytes can be referred to from there instead of being copied: in a clear
     * domain or under the same key, but never under a client's.
     */
    boolean canShare(
            MetadataService metadata,
            ObjectVersion version,
            Bucket target,
            ObjectKey targetKey,
            Encrypted encrypted) {
        return domain(version).filter(encrypted.domain()::equals).isPresent()
                && !encrypted.hasCustomerKey()
                && metadata.shardOf(bucket.id(), key)
                        .equals(metadata.shardOf(target.id(), targetKey));
    }

    /** Says which version was copied, where the source has versions. */
    void nameIn(ResponseHeaders headers, ControlService control, ObjectVersion copied) {
        if (copied.id() instanceof VersionId.Named
                || BucketVersioning.of(control, bucket) != Versioning.NEVER) {
            headers.add("x-amz-copy-source-version-id", VersionIds.format(copied.id()));
        }
    }

    /** Whose chunks the version shares; empty for nobody's. */
    private Optional<DomainId> domain(ObjectVersion version) {
        Optional<ObjectEncryption> encryption = version.attributes().encryption();
        if (encryption.isEmpty()) {
            return Optional.of(bucket.domain());
        }
        return switch (encryption.get()) {
            case ObjectEncryption.Managed(DomainId domain) -> Optional.of(domain);
            case ObjectEncryption.Kms kms -> Optional.of(kms.domain());
            case ObjectEncryption.Customer customer -> Optional.empty();
        };
    }

    private static Bucket bucket(S3Request request, ControlService control, String name) {
        Bucket bucket = control.findBucket(name).orElseThrow(() -> Keys.bucketNotFound(name));
        request.header("x-amz-source-expected-bucket-owner")
                .filter(owner -> !owner.equals(bucket.owner()))
                .ifPresent(
                        owner -> {
                            throw new S3Exception(S3Error.ACCESS_DENIED);
                        });
        return bucket;
    }

    private static String decode(String raw) {
        try {
            return UriText.decode(raw);
        } catch (IllegalArgumentException e) {
            throw S3Exception.invalidArgument("Invalid copy source encoding", HEADER, raw);
        }
    }
}
