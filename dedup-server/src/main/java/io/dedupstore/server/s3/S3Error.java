package io.dedupstore.server.s3;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Error codes of the S3 API with their status and usual message. */
public enum S3Error {
    ACCESS_CONTROL_LIST_NOT_SUPPORTED(
            "AccessControlListNotSupported", 400, "The bucket does not allow ACLs"),
    ACCESS_DENIED("AccessDenied", 403, "Access Denied"),
    ACCESS_FORBIDDEN("AccessForbidden", 403, "CORSResponse: CORS is not enabled for this bucket."),
    AUTHORIZATION_HEADER_MALFORMED(
            "AuthorizationHeaderMalformed", 400, "The authorization header is malformed."),
    AUTHORIZATION_QUERY_PARAMETERS_ERROR(
            "AuthorizationQueryParametersError",
            400,
            "Query-string authentication parameters are malformed."),
    BAD_DIGEST("BadDigest", 400, "The Content-MD5 you specified did not match what we received."),
    BAD_REQUEST("BadRequest", 400, "Bad Request"),
    BUCKET_ALREADY_EXISTS(
            "BucketAlreadyExists",
            409,
            "The requested bucket name is not available. The bucket namespace is shared by all users"
                    + " of the system. Please select a different name and try again."),
    BUCKET_ALREADY_OWNED_BY_YOU(
            "BucketAlreadyOwnedByYou",
            409,
            "Your previous request to create the named bucket succeeded and you already own it."),
    BUCKET_NOT_EMPTY("BucketNotEmpty", 409, "The bucket you tried to delete is not empty"),
    CONDITIONAL_REQUEST_CONFLICT(
            "ConditionalRequestConflict",
            409,
            "The conditional request cannot succeed due to a conflicting operation against this"
                    + " resource."),
    ENTITY_TOO_LARGE(
            "EntityTooLarge", 400, "Your proposed upload exceeds the maximum allowed size"),
    ENTITY_TOO_SMALL(
            "EntityTooSmall", 400, "Your proposed upload is smaller than the minimum allowed size"),
    EXPIRED_TOKEN("ExpiredToken", 400, "The provided token has expired."),
    ILLEGAL_VERSIONING_CONFIGURATION(
            "IllegalVersioningConfigurationException",
            400,
            "The Versioning element must be specified"),
    INCOMPLETE_BODY("IncompleteBody", 400, "The request body terminated unexpectedly"),
    INSUFFICIENT_STORAGE(
            "InsufficientStorage", 507, "There is no space left to store the object's data"),
    INTERNAL_ERROR("InternalError", 500, "We encountered an internal error. Please try again."),
    INVALID_ACCESS_KEY_ID(
            "InvalidAccessKeyId",
            403,
            "The AWS Access Key Id you provided does not exist in our records."),
    INVALID_ARGUMENT("InvalidArgument", 400, "Invalid Argument"),
    INVALID_BUCKET_ACL_WITH_OBJECT_OWNERSHIP(
            "InvalidBucketAclWithObjectOwnership",
            400,
            "Bucket cannot have ACLs set with ObjectOwnership's BucketOwnerEnforced setting"),
    INVALID_BUCKET_ACL_WITH_BLOCK_PUBLIC_ACCESS(
            "InvalidBucketAclWithBlockPublicAccessError",
            400,
            "Bucket cannot have public ACLs set with BlockPublicAccess enabled"),
    INVALID_BUCKET_STATE(
            "InvalidBucketState",
            409,
            "The request is not valid with the current state of the bucket."),
    INVALID_BUCKET_NAME("InvalidBucketName", 400, "The specified bucket is not valid."),
    INVALID_CHUNK_SIZE(
            "InvalidChunkSizeError",
            400,
            "Only the last chunk is allowed to have a size less than 8192 bytes"),
    INVALID_DIGEST("InvalidDigest", 400, "The Content-MD5 you specified was invalid."),
    INVALID_ENCRYPTION_ALGORITHM(
            "InvalidEncryptionAlgorithmError",
            400,
            "The encryption request that you specified is not valid. The valid value is AES256."),
    INVALID_LOCATION_CONSTRAINT(
            "InvalidLocationConstraint", 400, "The specified location-constraint is not valid"),
    INVALID_PART(
            "InvalidPart",
            400,
            "One or more of the specified parts could not be found.  The part may not have been"
                    + " uploaded, or the specified entity tag may not match the part's entity tag."),
    INVALID_PART_NUMBER("InvalidPartNumber", 416, "The requested partnumber is not satisfiable"),
    INVALID_PART_ORDER(
            "InvalidPartOrder",
            400,
            "The list of parts was not in ascending order. Parts must be ordered by part number."),
    INVALID_POLICY_DOCUMENT(
            "InvalidPolicyDocument",
            400,
            "The content of the form does not meet the conditions specified in the policy document."),
    INVALID_RANGE("InvalidRange", 416, "The requested range is not satisfiable"),
    INVALID_REQUEST("InvalidRequest", 400, "Invalid Request"),
    INVALID_RETENTION_PERIOD(
            "InvalidRetentionPeriod",
            400,
            "Default retention period must be a positive integer value."),
    INVALID_STORAGE_CLASS(
            "InvalidStorageClass", 400, "The storage class you specified is not valid"),
    INVALID_TAG(
            "InvalidTag",
            400,
            "The tag provided was not a valid tag. This error can occur if the tag did not pass input"
                    + " validation."),
    INVALID_TARGET_BUCKET_FOR_LOGGING(
            "InvalidTargetBucketForLogging",
            400,
            "The target bucket for logging does not exist, is not owned by you, or does not have the"
                    + " appropriate grants for the log-delivery group."),
    INVALID_TOKEN("InvalidToken", 400, "The provided token is malformed or otherwise invalid."),
    INVALID_URI("InvalidURI", 400, "Couldn't parse the specified URI."),
    KEY_TOO_LONG("KeyTooLongError", 400, "Your key is too long"),
    KMS_DISABLED("KMS.DisabledException", 400, "The request was rejected: the key is disabled."),
    KMS_NOT_FOUND("KMS.NotFoundException", 400, "The specified key does not exist."),
    MALFORMED_ACL(
            "MalformedACLError",
            400,
            "The XML you provided was not well-formed or did not validate against our published"
                    + " schema"),
    MALFORMED_POLICY("MalformedPolicy", 400, "Policy has invalid syntax"),
    MALFORMED_POST_REQUEST(
            "MalformedPOSTRequest",
            400,
            "The body of your POST request is not well-formed multipart/form-data."),
    MALFORMED_TRAILER(
            "MalformedTrailerError",
            400,
            "The request contained trailing data that was not well-formed or did not conform to our"
                    + " published schema."),
    MALFORMED_XML(
            "MalformedXML",
            400,
            "The XML you provided was not well-formed or did not validate against our published"
                    + " schema"),
    MAX_MESSAGE_LENGTH_EXCEEDED("MaxMessageLengthExceeded", 400, "Your request was too big."),
    MAX_POST_PRE_DATA_LENGTH_EXCEEDED(
            "MaxPostPreDataLengthExceeded",
            400,
            "Your POST request fields preceding the upload file were too large."),
    METADATA_TOO_LARGE(
            "MetadataTooLarge",
            400,
            "Your metadata headers exceed the maximum allowed metadata size"),
    METHOD_NOT_ALLOWED(
            "MethodNotAllowed", 405, "The specified method is not allowed against this resource."),
    MISSING_CONTENT_LENGTH(
            "MissingContentLength", 411, "You must provide the Content-Length HTTP header."),
    MISSING_REQUEST_BODY("MissingRequestBodyError", 400, "Request Body is empty"),
    MISSING_SECURITY_HEADER(
            "MissingSecurityHeader", 400, "Your request was missing a required header"),
    NO_SUCH_BUCKET("NoSuchBucket", 404, "The specified bucket does not exist"),
    NO_SUCH_BUCKET_POLICY("NoSuchBucketPolicy", 404, "The bucket policy does not exist"),
    NO_SUCH_CONFIGURATION(
            "NoSuchConfiguration", 404, "The specified configuration does not exist."),
    NO_SUCH_CORS_CONFIGURATION(
            "NoSuchCORSConfiguration", 404, "The CORS configuration does not exist"),
    NO_SUCH_KEY("NoSuchKey", 404, "The specified key does not exist."),
    NO_SUCH_LIFECYCLE_CONFIGURATION(
            "NoSuchLifecycleConfiguration", 404, "The lifecycle configuration does not exist"),
    NO_SUCH_OBJECT_LOCK_CONFIGURATION(
            "NoSuchObjectLockConfiguration",
            404,
            "The specified object does not have a ObjectLock configuration"),
    NO_SUCH_PUBLIC_ACCESS_BLOCK_CONFIGURATION(
            "NoSuchPublicAccessBlockConfiguration",
            404,
            "The public access block configuration was not found"),
    NO_SUCH_TAG_SET("NoSuchTagSet", 404, "The TagSet does not exist"),
    NO_SUCH_UPLOAD(
            "NoSuchUpload",
            404,
            "The specified upload does not exist. The upload ID may be invalid, or the upload may"
                    + " have been aborted or completed."),
    NO_SUCH_VERSION("NoSuchVersion", 404, "The specified version does not exist."),
    NO_SUCH_WEBSITE_CONFIGURATION(
            "NoSuchWebsiteConfiguration",
            404,
            "The specified bucket does not have a website configuration"),
    NOT_IMPLEMENTED(
            "NotImplemented",
            501,
            "A header you provided implies functionality that is not implemented"),
    NOT_MODIFIED("NotModified", 304, "Not Modified"),
    OBJECT_LOCK_CONFIGURATION_NOT_FOUND(
            "ObjectLockConfigurationNotFoundError",
            404,
            "Object Lock configuration does not exist for this bucket"),
    OPERATION_ABORTED(
            "OperationAborted",
            409,
            "A conflicting conditional operation is currently in progress against this resource."
                    + " Please try again."),
    OWNERSHIP_CONTROLS_NOT_FOUND(
            "OwnershipControlsNotFoundError", 404, "The bucket ownership controls were not found"),
    POLICY_TOO_LARGE("PolicyTooLarge", 400, "Policy exceeds the maximum allowed document size."),
    PRECONDITION_FAILED(
            "PreconditionFailed",
            412,
            "At least one of the pre-conditions you specified did not hold"),
    QUOTA_EXCEEDED("QuotaExceeded", 403, "The quota of the bucket or account would be exceeded."),
    REPLICATION_CONFIGURATION_NOT_FOUND(
            "ReplicationConfigurationNotFoundError",
            404,
            "The replication configuration was not found"),
    REQUEST_HEADER_SECTION_TOO_LARGE(
            "RequestHeaderSectionTooLarge",
            400,
            "Your request header section exceeds the maximum allowed size."),
    REQUEST_TIME_TOO_SKEWED(
            "RequestTimeTooSkewed",
            403,
            "The difference between the request time and the current time is too large."),
    REQUEST_TIMEOUT(
            "RequestTimeout",
            400,
            "Your socket connection to the server was not read from or written to within the timeout"
                    + " period. Idle connections will be closed."),
    SERVER_SIDE_ENCRYPTION_CONFIGURATION_NOT_FOUND(
            "ServerSideEncryptionConfigurationNotFoundError",
            404,
            "The server side encryption configuration was not found"),
    SERVICE_UNAVAILABLE("ServiceUnavailable", 503, "Service is unable to handle request."),
    SIGNATURE_DOES_NOT_MATCH(
            "SignatureDoesNotMatch",
            403,
            "The request signature we calculated does not match the signature you provided. Check"
                    + " your key and signing method."),
    SLOW_DOWN("SlowDown", 503, "Please reduce your request rate."),
    TOO_MANY_BUCKETS(
            "TooManyBuckets", 400, "You have attempted to create more buckets than allowed"),
    UNEXPECTED_CONTENT("UnexpectedContent", 400, "This request does not support content"),
    UNRESOLVABLE_GRANT_BY_EMAIL(
            "UnresolvableGrantByEmailAddress",
            400,
            "The e-mail address you provided does not match any account on record."),
    X_AMZ_CONTENT_SHA256_MISMATCH(
            "XAmzContentSHA256Mismatch",
            400,
            "The provided 'x-amz-content-sha256' header does not match what was computed.");

    private static final Map<String, S3Error> BY_CODE =
            Arrays.stream(values())
                    .collect(Collectors.toUnmodifiableMap(S3Error::code, Function.identity()));

    private final String code;
    private final int status;
    private final String message;

    S3Error(String code, int status, String message) {
        this.code = code;
        this.status = status;
        this.message = message;
    }

    /** The error with this code, e.g. {@code NoSuchKey}. */
    public static Optional<S3Error> ofCode(String code) {
        return Optional.ofNullable(BY_CODE.get(code));
    }

    public String code() {
        return code;
    }

    /** HTTP status. */
    public int status() {
        return status;
    }

    public String message() {
        return message;
    }
}
