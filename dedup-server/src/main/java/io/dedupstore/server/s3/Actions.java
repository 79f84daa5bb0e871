package io.dedupstore.server.s3;

/** The action that an operation is, for policies; settings of buckets have one each. */
public final class Actions {
    private Actions() {}

    /**
     * @param version whether the query names a version
     */
    public static String of(S3Operation operation, boolean version) {
        return switch (operation) {
            case S3Operation.ListBuckets o -> "s3:ListAllMyBuckets";
            case S3Operation.CreateBucket o -> "s3:CreateBucket";
            case S3Operation.OfBucket o -> ofBucket(o);
            case S3Operation.OfObject o -> ofObject(o, version);
        };
    }

    private static String ofBucket(S3Operation.OfBucket operation) {
        return switch (operation) {
            case S3Operation.HeadBucket o -> "s3:ListBucket";
            case S3Operation.DeleteBucket o -> "s3:DeleteBucket";
            case S3Operation.GetBucketLocation o -> "s3:GetBucketLocation";
            case S3Operation.ListObjectsV1 o -> "s3:ListBucket";
            case S3Operation.ListObjectsV2 o -> "s3:ListBucket";
            case S3Operation.ListObjectVersions o -> "s3:ListBucketVersions";
            case S3Operation.ListMultipartUploads o -> "s3:ListBucketMultipartUploads";
            case S3Operation.DeleteObjects o -> "s3:DeleteObject";
            case S3Operation.GetBucketConfiguration o -> "s3:GetBucketConfiguration";
            case S3Operation.PutBucketConfiguration o -> "s3:PutBucketConfiguration";
            case S3Operation.DeleteBucketConfiguration o -> "s3:PutBucketConfiguration";
            case S3Operation.UnsupportedOnBucket o -> "s3:PutBucketConfiguration";
        };
    }

    private static String ofObject(S3Operation.OfObject operation, boolean version) {
        return switch (operation) {
            case S3Operation.PutObject o -> "s3:PutObject";
            case S3Operation.PostObject o -> "s3:PutObject";
            case S3Operation.CopyObject o -> "s3:PutObject";
            case S3Operation.GetObject o -> version ? "s3:GetObjectVersion" : "s3:GetObject";
            case S3Operation.HeadObject o -> version ? "s3:GetObjectVersion" : "s3:GetObject";
            case S3Operation.DeleteObject o ->
                    version ? "s3:DeleteObjectVersion" : "s3:DeleteObject";
            case S3Operation.GetObjectAttributes o ->
                    version ? "s3:GetObjectVersionAttributes" : "s3:GetObjectAttributes";
            case S3Operation.GetObjectAcl o ->
                    version ? "s3:GetObjectVersionAcl" : "s3:GetObjectAcl";
            case S3Operation.PutObjectAcl o ->
                    version ? "s3:PutObjectVersionAcl" : "s3:PutObjectAcl";
            case S3Operation.GetObjectTagging o ->
                    version ? "s3:GetObjectVersionTagging" : "s3:GetObjectTagging";
            case S3Operation.PutObjectTagging o ->
                    version ? "s3:PutObjectVersionTagging" : "s3:PutObjectTagging";
            case S3Operation.DeleteObjectTagging o ->
                    version ? "s3:DeleteObjectVersionTagging" : "s3:DeleteObjectTagging";
            case S3Operation.GetObjectRetention o -> "s3:GetObjectRetention";
            case S3Operation.PutObjectRetention o -> "s3:PutObjectRetention";
            case S3Operation.GetObjectLegalHold o -> "s3:GetObjectLegalHold";
            case S3Operation.PutObjectLegalHold o -> "s3:PutObjectLegalHold";
            case S3Operation.CreateMultipartUpload o -> "s3:PutObject";
            case S3Operation.UploadPart o -> "s3:PutObject";
            case S3Operation.UploadPartCopy o -> "s3:PutObject";
            case S3Operation.ListParts o -> "s3:ListMultipartUploadParts";
            case S3Operation.CompleteMultipartUpload o -> "s3:PutObject";
            case S3Operation.AbortMultipartUpload o -> "s3:AbortMultipartUpload";
            case S3Operation.UnsupportedOnObject o -> "s3:PutObject";
        };
    }
}
