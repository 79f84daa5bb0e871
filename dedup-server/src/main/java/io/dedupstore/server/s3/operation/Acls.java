package io.dedupstore.server.s3.operation;

import io.dedupstore.core.control.Bucket;
import io.dedupstore.core.control.ControlService;
import io.dedupstore.core.metadata.MetadataService;
import io.dedupstore.core.metadata.ObjectVersion;
import io.dedupstore.core.model.AccessList;
import io.dedupstore.core.model.V;
import io.dedupstore.server.s3.BucketConfiguration;
import io.dedupstore.server.s3.S3Error;
import io.dedupstore.server.s3.S3Exception;
import io.dedupstore.server.s3.S3Operation;
import io.dedupstore.server.s3.S3Request;
import io.dedupstore.server.s3.access.AccessCheck;
import io.dedupstore.server.s3.access.AccessListXml;
import io.dedupstore.server.s3.access.BucketAccess;
import io.dedupstore.server.s3.access.RequestedAcl;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Supplier;

/** Access lists of buckets and objects, read and set. */
final class Acls {
    private static final int MAX_BYTES = 64 << 10;

    private final ControlService control;
    private final MetadataService metadata;
    private final Supplier<V> attempts;
    private final Documents documents;
    private final AccessCheck access;
    private final AccessListXml xml;
    private final VersionFinder versions;

    Acls(S3Services services, Documents documents) {
        this.control = services.control();
        this.metadata = services.metadata();
        this.attempts = services.attempts();
        this.versions = new VersionFinder(services);
        this.documents = documents;
        this.access = services.access();
        this.xml = new AccessListXml(access.directory());
    }

    void getOfBucket(S3Request request, Bucket bucket) throws IOException {
        BucketAccess settings = access.buckets().of(bucket);
        String owner = access.directory().canonicalId(bucket.owner());
        AccessList list =
                settings.list()
                        .filter(found -> !settings.enforced())
                        .orElseGet(() -> AccessList.ofOwner(owner));
        request.respond(xml.write(owner, list));
    }

    void putOfBucket(S3Request request, Bucket bucket) throws IOException {
        String owner = access.directory().canonicalId(bucket.owner());
        AccessList list = requested(request, bucket, owner, true);
        control.setBucketConfiguration(
                bucket.id(),
                BucketConfiguration.ACL.subResource(),
                Optional.of(xml.write(owner, list).toBytes()));
        request.respondEmpty(200);
    }

    void getOfObject(S3Request request, Bucket bucket, S3Operation.GetObjectAcl operation)
            throws IOException {
        ObjectVersion version = find(request, bucket, operation.key());
        request.requireAllowed(version);
        String owner = ownerOf(bucket, version);
        AccessList list =
                version.attributes()
                        .access()
                        .list()
                        .filter(found -> !access.buckets().of(bucket).enforced())
                        .orElseGet(() -> AccessList.ofOwner(owner));
        request.respond(xml.write(owner, list));
    }

    void putOfObject(S3Request request, Bucket bucket, S3Operation.PutObjectAcl operation)
            throws IOException {
        ObjectVersion version = find(request, bucket, operation.key());
        request.requireAllowed(version);
        AccessList list = requested(request, bucket, ownerOf(bucket, version), false);
        versions.change(
                request,
                bucket,
                version.key(),
                () ->
                        metadata.setAcl(
                                attempts.get(),
                                bucket.id(),
                                version.key(),
                                VersionIds.of(request),
                                list));
        request.respondEmpty(200);
    }

    private ObjectVersion find(S3Request request, Bucket bucket, String text) {
        return versions.find(request, bucket, Keys.of(text));
    }

    /** The canonical id. */
    private String ownerOf(Bucket bucket, ObjectVersion version) {
        boolean enforced = access.buckets().of(bucket).enforced();
        return access.directory()
                .canonicalId(
                        version.attributes()
                                .access()
                                .owner()
                                .filter(owner -> !enforced)
                                .orElse(bucket.owner()));
    }

    private AccessList requested(S3Request request, Bucket bucket, String owner, boolean ofBucket)
            throws IOException {
        byte[] document = documents.read(request, false);
        BucketAccess settings = access.buckets().of(bucket);
        if (settings.enforced()) {
            throw new S3Exception(S3Error.ACCESS_CONTROL_LIST_NOT_SUPPORTED);
        }
        String bucketOwner = access.directory().canonicalId(bucket.owner());
        Optional<AccessList> ofHeaders =
                RequestedAcl.of(request, owner, bucketOwner, ofBucket, access.directory());
        if (ofHeaders.isPresent() && document.length > 0) {
            throw new S3Exception(S3Error.UNEXPECTED_CONTENT);
        }
        AccessList list = ofHeaders.orElseGet(() -> parsed(document, owner));
        if (settings.block().blockAcls() && list.isPublic()) {
            throw new S3Exception(S3Error.ACCESS_DENIED);
        }
        return list;
    }

    private AccessList parsed(byte[] document, String owner) {
        if (document.length == 0) {
            throw new S3Exception(S3Error.MISSING_SECURITY_HEADER)
                    .with("MissingHeaderName", RequestedAcl.CANNED);
        }
        if (document.length > MAX_BYTES) {
            throw new S3Exception(S3Error.MALFORMED_ACL);
        }
        AccessListXml.Parsed parsed = xml.parse(document);
        if (!parsed.owner().equals(owner)) {
            throw new S3Exception(S3Error.ACCESS_DENIED);
        }
        return parsed.list();
    }
}
