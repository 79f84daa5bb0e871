package io.dedupstore.server.s3.access;

import io.dedupstore.core.control.Bucket;
import io.dedupstore.core.control.ControlService;
import io.dedupstore.core.model.AccessList;
import io.dedupstore.core.model.BucketId;
import io.dedupstore.server.policy.Policy;
import io.dedupstore.server.s3.BucketConfiguration;
import io.dedupstore.server.s3.S3Error;
import io.dedupstore.server.s3.S3Exception;
import io.dedupstore.server.s3.XmlReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The access settings of buckets, parsed once for each document: what a bucket has now is compared
 * with what was parsed. Any number of threads.
 */
public final class BucketAccesses {
    /** A mark, not a document of the API: set once others than the owner may own objects. */
    static final String FOREIGN = "foreign-objects";

    private static final int MAX_CACHED = 10_000;
    private static final List<String> DOCUMENTS =
            List.of(
                    BucketConfiguration.POLICY.subResource(),
                    BucketConfiguration.ACL.subResource(),
                    BucketConfiguration.OWNERSHIP_CONTROLS.subResource(),
                    BucketConfiguration.PUBLIC_ACCESS_BLOCK.subResource(),
                    FOREIGN);

    private final ControlService control;
    private final AccessListXml lists;
    private final ConcurrentMap<BucketId, Parsed> cache = new ConcurrentHashMap<>();

    public BucketAccesses(ControlService control, Directory directory) {
        this.control = control;
        this.lists = new AccessListXml(directory);
    }

    private record Parsed(byte[][] documents, BucketAccess access) {}

    public BucketAccess of(Bucket bucket) {
        byte[][] documents =
                DOCUMENTS.stream()
                        .map(name -> control.bucketConfiguration(bucket.id(), name))
                        .map(document -> document.orElse(new byte[0]))
                        .toArray(byte[][]::new);
        Parsed before = cache.get(bucket.id());
        if (before != null && Arrays.deepEquals(before.documents(), documents)) {
            return before.access();
        }
        BucketAccess access = parse(documents);
        if (cache.size() >= MAX_CACHED) {
            cache.clear();
        }
        cache.put(bucket.id(), new Parsed(documents, access));
        return access;
    }

    private BucketAccess parse(byte[][] documents) {
        Optional<Policy> policy =
                set(documents[0])
                        .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
                        .map(Policy::ofResource);
        return new BucketAccess(
                policy,
                policy.filter(Policy::isPublic).isPresent(),
                set(documents[1]).map(this::list),
                set(documents[2]).map(BucketAccesses::ownership).orElse(Ownership.OBJECT_WRITER),
                set(documents[3]).map(PublicAccessBlock::parse).orElse(PublicAccessBlock.NONE),
                documents[4].length > 0);
    }

    private static Optional<byte[]> set(byte[] document) {
        return document.length == 0 ? Optional.empty() : Optional.of(document);
    }

    private AccessList list(byte[] document) {
        return lists.kept(document);
    }

    /**
     * @throws S3Exception MalformedXML
     */
    public static Ownership ownership(byte[] document) {
        List<String> rules =
                XmlReader.parse(document, "OwnershipControls").children("Rule").stream()
                        .map(rule -> rule.requiredText("ObjectOwnership").strip())
                        .toList();
        if (rules.size() != 1) {
            throw new S3Exception(S3Error.MALFORMED_XML);
        }
        return Ownership.ofText(rules.getFirst())
                .orElseThrow(() -> new S3Exception(S3Error.MALFORMED_XML));
    }

    /** Remembers, before the first such object is written, that the owner may not be its owner. */
    public void markForeign(Bucket bucket) {
        if (!of(bucket).foreign()) {
            control.setBucketConfiguration(bucket.id(), FOREIGN, Optional.of(new byte[] {1}));
        }
    }
}
