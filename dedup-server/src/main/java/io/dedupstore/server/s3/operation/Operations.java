package io.dedupstore.server.s3.operation;

import io.dedupstore.core.control.Bucket;
import io.dedupstore.core.control.ControlService;
import io.dedupstore.core.metadata.VersionId;
import io.dedupstore.core.metadata.Versioning;
import io.dedupstore.server.s3.BucketConfiguration;
import io.dedupstore.server.s3.S3Exception;
import io.dedupstore.server.s3.S3Operation;
import io.dedupstore.server.s3.S3Operations;
import io.dedupstore.server.s3.S3Request;
import java.io.IOException;
import java.util.Optional;

/** Sends each operation to its handler. */
public final class Operations implements S3Operations {
    private final ListBuckets listBuckets;
    private final CreateBucket createBucket;
    private final DeleteBucket deleteBucket;
    private final BucketDocuments documents;
    private final BucketConfigurations configurations;
    private final Acls acls;
    private final BucketPolicies policies;
    private final ListObjectsV1 listObjectsV1;
    private final ListObjectsV2 listObjectsV2;
    private final ListObjectVersions listObjectVersions;
    private final ListMultipartUploads listMultipartUploads;
    private final DeleteObjects deleteObjects;
    private final PutObject putObject;
    private final PostObject postObject;
    private final CopyObject copyObject;
    private final GetObject getObject;
    private final HeadObject headObject;
    private final DeleteObject deleteObject;
    private final GetObjectAttributes getObjectAttributes;
    private final ObjectTagging objectTagging;
    private final ObjectLocks objectLocks;
    private final CreateMultipartUpload createMultipartUpload;
    private final UploadPart uploadPart;
    private final UploadPartCopy uploadPartCopy;
    private final ListParts listParts;
    private final CompleteMultipartUpload completeMultipartUpload;
    private final AbortMultipartUpload abortMultipartUpload;

    public Operations(S3Services services) {
        Documents requestDocuments = new Documents(services);
        this.listBuckets = new ListBuckets(services);
        this.createBucket = new CreateBucket(services, requestDocuments);
        this.deleteBucket = new DeleteBucket(services);
        this.documents = new BucketDocuments(services);
        this.configurations = new BucketConfigurations(services, requestDocuments);
        this.acls = new Acls(services, requestDocuments);
        this.policies = new BucketPolicies(services, requestDocuments);
        this.listObjectsV1 = new ListObjectsV1(services);
        this.listObjectsV2 = new ListObjectsV2(services);
        this.listObjectVersions = new ListObjectVersions(services);
        this.listMultipartUploads = new ListMultipartUploads(services);
        this.deleteObjects = new DeleteObjects(services, requestDocuments);
        this.putObject = new PutObject(services);
        this.postObject = new PostObject(putObject);
        this.copyObject = new CopyObject(services);
        this.getObject = new GetObject(services);
        this.headObject = new HeadObject(services);
        this.deleteObject = new DeleteObject(services);
        this.getObjectAttributes = new GetObjectAttributes(services);
        this.objectTagging = new ObjectTagging(services, requestDocuments);
        this.objectLocks = new ObjectLocks(services, requestDocuments);
        this.createMultipartUpload = new CreateMultipartUpload(services);
        this.uploadPart = new UploadPart(services);
        this.uploadPartCopy = new UploadPartCopy(services);
        this.listParts = new ListParts(services);
        this.completeMultipartUpload = new CompleteMultipartUpload(services, requestDocuments);
        this.abortMultipartUpload = new AbortMultipartUpload(services);
    }

    /** How a bucket keeps versions now. */
    public static Versioning versioningOf(ControlService control, Bucket bucket) {
        return BucketVersioning.of(control, bucket);
    }

    /** Of an id as requests name it; empty for what is none. */
    public static Optional<VersionId> versionId(String text) {
        try {
            return Optional.of(VersionIds.parse("versionId", text));
        } catch (S3Exception e) {
            return Optional.empty();
        }
    }

    @Override
    public void execute(S3Request request, S3Operation.OfService operation) throws IOException {
        switch (operation) {
            case S3Operation.ListBuckets o -> listBuckets.handle(request);
            case S3Operation.CreateBucket o -> createBucket.handle(request, o);
        }
    }

    @Override
    public void execute(S3Request request, S3Operation.OfBucket operation, Bucket bucket)
            throws IOException {
        switch (operation) {
            case S3Operation.HeadBucket o -> documents.head(request, bucket);
            case S3Operation.DeleteBucket o -> deleteBucket.handle(request, bucket, o);
            case S3Operation.GetBucketLocation o -> documents.location(request, bucket);
            case S3Operation.ListObjectsV1 o -> listObjectsV1.handle(request, bucket, o);
            case S3Operation.ListObjectsV2 o -> listObjectsV2.handle(request, bucket, o);
            case S3Operation.ListObjectVersions o -> listObjectVersions.handle(request, bucket, o);
            case S3Operation.ListMultipartUploads o ->
                    listMultipartUploads.handle(request, bucket, o);
            case S3Operation.DeleteObjects o -> deleteObjects.handle(request, bucket, o);
            case S3Operation.GetBucketConfiguration o ->
                    getConfiguration(request, bucket, o.configuration());
            case S3Operation.PutBucketConfiguration o ->
                    putConfiguration(request, bucket, o.configuration());
            case S3Operation.DeleteBucketConfiguration o ->
                    configurations.delete(request, bucket, o.configuration());
            case S3Operation.UnsupportedOnBucket o -> throw BucketDocuments.unsupported(o.what());
        }
    }

    private void getConfiguration(
            S3Request request, Bucket bucket, BucketConfiguration configuration)
            throws IOException {
        switch (configuration) {
            case ACL -> acls.getOfBucket(request, bucket);
            case POLICY -> policies.get(request, bucket);
            case POLICY_STATUS -> policies.status(request, bucket);
            default -> documents.configuration(request, bucket, configuration);
        }
    }

    private void putConfiguration(
            S3Request request, Bucket bucket, BucketConfiguration configuration)
            throws IOException {
        switch (configuration) {
            case ACL -> acls.putOfBucket(request, bucket);
            case POLICY -> policies.put(request, bucket);
            default -> configurations.put(request, bucket, configuration);
        }
    }

    @Override
    public void execute(S3Request request, S3Operation.OfObject operation, Bucket bucket)
            throws IOException {
        switch (operation) {
            case S3Operation.PutObject o -> putObject.handle(request, bucket, o);
            case S3Operation.PostObject o -> postObject.handle(request, bucket, o);
            case S3Operation.CopyObject o -> copyObject.handle(request, bucket, o);
            case S3Operation.GetObject o -> getObject.handle(request, bucket, o);
            case S3Operation.HeadObject o -> headObject.handle(request, bucket, o);
            case S3Operation.DeleteObject o -> deleteObject.handle(request, bucket, o);
            case S3Operation.GetObjectAttributes o ->
                    getObjectAttributes.handle(request, bucket, o);
            case S3Operation.GetObjectAcl o -> acls.getOfObject(request, bucket, o);
            case S3Operation.PutObjectAcl o -> acls.putOfObject(request, bucket, o);
            case S3Operation.GetObjectTagging o -> objectTagging.get(request, bucket, o);
            case S3Operation.PutObjectTagging o -> objectTagging.put(request, bucket, o);
            case S3Operation.DeleteObjectTagging o -> objectTagging.delete(request, bucket, o);
            case S3Operation.GetObjectRetention o -> objectLocks.getRetention(request, bucket, o);
            case S3Operation.PutObjectRetention o -> objectLocks.putRetention(request, bucket, o);
            case S3Operation.GetObjectLegalHold o -> objectLocks.getLegalHold(request, bucket, o);
            case S3Operation.PutObjectLegalHold o -> objectLocks.putLegalHold(request, bucket, o);
            case S3Operation.CreateMultipartUpload o ->
                    createMultipartUpload.handle(request, bucket, o);
            case S3Operation.UploadPart o -> uploadPart.handle(request, bucket, o);
            case S3Operation.UploadPartCopy o -> uploadPartCopy.handle(request, bucket, o);
            case S3Operation.ListParts o -> listParts.handle(request, bucket, o);
            case S3Operation.CompleteMultipartUpload o ->
                    completeMultipartUpload.handle(request, bucket, o);
            case S3Operation.AbortMultipartUpload o ->
                    abortMultipartUpload.handle(request, bucket, o);
            case S3Operation.UnsupportedOnObject o -> throw BucketDocuments.unsupported(o.what());
        }
    }
}
