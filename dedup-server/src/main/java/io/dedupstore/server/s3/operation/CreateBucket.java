package io.dedupstore.server.s3.operation;

import io.dedupstore.core.chunking.ChunkingException;
import io.dedupstore.core.chunking.ChunkingSpec;
import io.dedupstore.core.compression.ChunkCodec;
import io.dedupstore.core.compression.CompressionException;
import io.dedupstore.core.control.ControlException;
import io.dedupstore.core.metadata.Versioning;
import io.dedupstore.core.model.AccessList;
import io.dedupstore.server.s3.BucketConfiguration;
import io.dedupstore.server.s3.S3Error;
import io.dedupstore.server.s3.S3Exception;
import io.dedupstore.server.s3.S3Operation;
import io.dedupstore.server.s3.S3Request;
import io.dedupstore.server.s3.S3Settings;
import io.dedupstore.server.s3.XmlReader;
import io.dedupstore.server.s3.access.AccessListXml;
import io.dedupstore.server.s3.access.Directory;
import io.dedupstore.server.s3.access.NewBuckets;
import io.dedupstore.server.s3.access.Ownership;
import io.dedupstore.server.s3.access.PublicAccessBlock;
import io.dedupstore.server.s3.access.RequestedAcl;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Makes a bucket. Two headers of our own choose what can't be changed later: {@code
 * x-dedup-chunking} and {@code x-dedup-compression}.
 */
final class CreateBucket {
    private static final String CHUNKING = "x-dedup-chunking";
    private static final String COMPRESSION = "x-dedup-compression";
    private static final String OBJECT_LOCK = "x-amz-bucket-object-lock-enabled";
    private static final String OWNERSHIP = "x-amz-object-ownership";

    private final S3Services services;
    private final Documents documents;
    private final Regions regions;

    CreateBucket(S3Services services, Documents documents) {
        this.services = services;
        this.documents = documents;
        this.regions = new Regions(services.settings().region());
    }

    void handle(S3Request request, S3Operation.CreateBucket operation) throws IOException {
        BucketNames.check(operation.bucketName());
        Map<String, byte[]> configurations = configurations(request);
        if (locks(request)) {
            addLocks(configurations);
        }
        S3Settings settings = services.settings();
        String chunking =
                request.nonEmptyHeader(CHUNKING)
                        .map(CreateBucket::chunking)
                        .orElse(settings.defaultChunking())
                        .format();
        String compression =
                request.nonEmptyHeader(COMPRESSION)
                        .map(CreateBucket::compression)
                        .orElse(settings.defaultCompression())
                        .format();
        String region = regions.accept(constraint(documents.read(request, false)));
        try {
            services.control()
                    .createBucket(
                            operation.bucketName(),
                            request.accountId(),
                            chunking,
                            compression,
                            region,
                            configurations);
        } catch (ControlException e) {
            if (!isRepetition(e, request)) {
                throw e;
            }
        }
        request.respond(200, request.newHeaders().add("Location", "/" + operation.bucketName()));
    }

    /**
     * In the default region a bucket that is there, and the caller's, counts as created: nothing
     * about it changes. Elsewhere, and where the request asks for more than a bucket, it is
     * refused.
     */
    private boolean isRepetition(ControlException e, S3Request request) {
        return e.code() == ControlException.Code.BUCKET_EXISTS_OWNED_BY_YOU
                && services.settings().region().equals(Regions.DEFAULT)
                && request.headerNames().stream().noneMatch(CreateBucket::isWish);
    }

    private static boolean isWish(String header) {
        return header.startsWith("x-amz-bucket-object-lock") || header.startsWith("x-dedup-");
    }

    /** Ownership, access list and blocks that the bucket begins with. */
    private Map<String, byte[]> configurations(S3Request request) {
        NewBuckets defaults = services.settings().newBuckets();
        Ownership ownership =
                request.nonEmptyHeader(OWNERSHIP)
                        .map(CreateBucket::ownership)
                        .orElse(defaults.ownership());
        Directory directory = services.access().directory();
        String owner = directory.canonicalId(request.accountId());
        Optional<AccessList> list = RequestedAcl.of(request, owner, owner, true, directory);
        boolean opens = list.filter(found -> !found.equals(AccessList.ofOwner(owner))).isPresent();
        if (opens && ownership == Ownership.BUCKET_OWNER_ENFORCED) {
            throw new S3Exception(S3Error.INVALID_BUCKET_ACL_WITH_OBJECT_OWNERSHIP);
        }
        if (defaults.blockPublicAccess() && list.filter(AccessList::isPublic).isPresent()) {
            throw new S3Exception(S3Error.INVALID_BUCKET_ACL_WITH_BLOCK_PUBLIC_ACCESS);
        }
        Map<String, byte[]> configurations = new LinkedHashMap<>();
        boolean named = request.nonEmptyHeader(OWNERSHIP).isPresent();
        if (named || ownership != Ownership.OBJECT_WRITER) {
            configurations.put(
                    BucketConfiguration.OWNERSHIP_CONTROLS.subResource(), ownership.document());
        }
        if (opens) {
            configurations.put(
                    BucketConfiguration.ACL.subResource(),
                    new AccessListXml(directory).write(owner, list.get()).toBytes());
        }
        if (defaults.blockPublicAccess()) {
            configurations.put(
                    BucketConfiguration.PUBLIC_ACCESS_BLOCK.subResource(),
                    PublicAccessBlock.ALL.document());
        }
        return configurations;
    }

    private static Ownership ownership(String text) {
        return Ownership.ofText(text)
                .orElseThrow(
                        () ->
                                S3Exception.invalidArgument(
                                        "Invalid x-amz-object-ownership header: " + text,
                                        OWNERSHIP,
                                        text));
    }

    private static boolean locks(S3Request request) {
        String text = request.nonEmptyHeader(OBJECT_LOCK).orElse("false");
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default ->
                    throw S3Exception.invalidArgument(
                            "Invalid value for " + OBJECT_LOCK, OBJECT_LOCK, text);
        };
    }

    /** Locks imply versions. */
    private static void addLocks(Map<String, byte[]> configurations) {
        configurations.put(
                BucketConfiguration.OBJECT_LOCK.subResource(),
                ObjectLockConfiguration.PLAIN.document());
        configurations.put(
                BucketConfiguration.VERSIONING.subResource(),
                BucketVersioning.document(Versioning.ENABLED));
    }

    private static String constraint(byte[] document) {
        if (document.length == 0) {
            return "";
        }
        return XmlReader.parse(document, "CreateBucketConfiguration")
                .childText("LocationConstraint")
                .map(String::strip)
                .orElse("");
    }

    private static ChunkingSpec chunking(String text) {
        try {
            return ChunkingSpec.parse(text);
        } catch (ChunkingException e) {
            throw S3Exception.invalidArgument(String.valueOf(e.getMessage()), CHUNKING, text);
        }
    }

    private static ChunkCodec compression(String text) {
        try {
            return ChunkCodec.parse(text);
        } catch (CompressionException e) {
            throw S3Exception.invalidArgument(String.valueOf(e.getMessage()), COMPRESSION, text);
        }
    }
}
