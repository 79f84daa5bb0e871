package io.dedupstore.server.s3.operation;

import io.dedupstore.core.control.Bucket;
import io.dedupstore.core.control.ControlService;
import io.dedupstore.server.policy.BucketPolicyRules;
import io.dedupstore.server.policy.Policy;
import io.dedupstore.server.policy.PolicyException;
import io.dedupstore.server.s3.BucketConfiguration;
import io.dedupstore.server.s3.S3Error;
import io.dedupstore.server.s3.S3Exception;
import io.dedupstore.server.s3.S3Request;
import io.dedupstore.server.s3.XmlWriter;
import io.dedupstore.server.s3.access.AccessCheck;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The policy of a bucket: kept and answered to the letter as it was set. */
final class BucketPolicies {
    private static final String JSON = "application/json";

    private final ControlService control;
    private final Documents documents;
    private final AccessCheck access;

    BucketPolicies(S3Services services, Documents documents) {
        this.control = services.control();
        this.documents = documents;
        this.access = services.access();
    }

    void get(S3Request request, Bucket bucket) throws IOException {
        byte[] document =
                BucketConfigurations.find(control, bucket, BucketConfiguration.POLICY)
                        .orElseThrow(
                                () ->
                                        new S3Exception(S3Error.NO_SUCH_BUCKET_POLICY)
                                                .with("BucketName", bucket.name()));
        request.respondAs(JSON, document);
    }

    void put(S3Request request, Bucket bucket) throws IOException {
        byte[] document = documents.read(request, false);
        if (document.length > BucketPolicyRules.MAX_BYTES) {
            throw new S3Exception(S3Error.POLICY_TOO_LARGE);
        }
        Policy policy = parse(document, bucket);
        if (access.buckets().of(bucket).block().blockPolicy() && policy.isPublic()) {
            throw new S3Exception(S3Error.ACCESS_DENIED);
        }
        control.setBucketConfiguration(
                bucket.id(), BucketConfiguration.POLICY.subResource(), Optional.of(document));
        request.respondEmpty(204);
    }

    private Policy parse(byte[] document, Bucket bucket) {
        try {
            String text =
                    StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(document))
                            .toString();
            Policy policy = Policy.ofResource(text);
            BucketPolicyRules.check(policy, bucket.name(), access.directory());
            return policy;
        } catch (PolicyException | CharacterCodingException e) {
            throw new S3Exception(S3Error.MALFORMED_POLICY, String.valueOf(e.getMessage()), e);
        }
    }

    /** Also where there is no policy: a bucket can be public by its access list. */
    void status(S3Request request, Bucket bucket) throws IOException {
        request.respond(
                XmlWriter.s3("PolicyStatus")
                        .text("IsPublic", access.buckets().of(bucket).isPublic()));
    }
}
