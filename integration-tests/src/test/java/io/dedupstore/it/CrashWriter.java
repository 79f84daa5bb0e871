package io.dedupstore.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.MultipartUpload;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;

/**
 * Does everything to its own keys that makes or drops references, until the server is gone, and
 * keeps the ledger. What it does follows from the seed; how far it comes does not.
 */
final class CrashWriter {
    /** What was acknowledged. */
    enum Kind {
        PUT,
        DELETE,
        MULTI_DELETE,
        COPY,
        MULTIPART_COMPLETE,
        MULTIPART_ABORT,
        PART_COPY
    }

    private static final int KEYS = 12;
    private static final int MIN_PART = 5 << 20;

    /** Some content is written by several writers and again and again, so that it is shared. */
    private static final int SHARED_CONTENTS = 5;

    private static final int[] SIZES = {0, 100, 4096, 20_000, 150_000, 1_000_000, 3_000_000};

    private final int number;
    private final String bucket;
    private final Random random;
    private final Ledger ledger = new Ledger();

    /** How to make the content of a hash again. */
    private final Map<String, List<Piece>> contents = new HashMap<>();

    private final Map<Kind, Long> acknowledged = new EnumMap<>(Kind.class);

    /** The first bytes of a content. */
    private record Piece(long seed, int size) {
        byte[] bytes() {
            return TestFiles.bytes(seed, size);
        }
    }

    CrashWriter(int number, String bucket, long seed) {
        this.number = number;
        this.bucket = bucket;
        this.random = new Random(seed * 1_000 + number);
    }

    String bucket() {
        return bucket;
    }

    Ledger ledger() {
        return ledger;
    }

    Map<Kind, Long> acknowledged() {
        return acknowledged;
    }

    /** Returns at the first call that the server does not answer well, which is returned. */
    RuntimeException writeUntilItFails(S3Client s3) {
        try {
            if (random.nextBoolean()) {
                abortWhatIsLeft(s3);
            }
            while (true) {
                step(s3);
            }
        } catch (SdkException | UncheckedIOException gone) {
            return gone;
        }
    }

    private void step(S3Client s3) {
        switch (random.nextInt(20)) {
            case 0, 1 -> delete(s3);
            case 2, 3 -> multiDelete(s3);
            case 4, 5, 6 -> copy(s3);
            case 7, 8 -> multipart(s3);
            default -> put(s3);
        }
    }

    private String key() {
        return "writer-" + number + "/key-" + random.nextInt(KEYS);
    }

    private void count(Kind kind) {
        acknowledged.merge(kind, 1L, Long::sum);
    }

    private void put(S3Client s3) {
        String key = key();
        List<Piece> content = List.of(piece(SIZES[random.nextInt(SIZES.length)]));
        byte[] bytes = bytes(content);
        Optional<String> hash = remember(content, bytes);
        ledger.begin(key, hash);
        s3.putObject(b -> b.bucket(bucket).key(key), RequestBody.fromBytes(bytes));
        ledger.acknowledge(key, hash);
        count(Kind.PUT);
    }

    private Piece piece(int size) {
        long seed = random.nextInt(3) == 0 ? random.nextInt(SHARED_CONTENTS) : random.nextLong();
        return new Piece(seed, size);
    }

    private static byte[] bytes(List<Piece> content) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        content.forEach(piece -> all.writeBytes(piece.bytes()));
        return all.toByteArray();
    }

    private Optional<String> remember(List<Piece> content, byte[] bytes) {
        String hash = TestFiles.sha256(bytes);
        contents.put(hash, content);
        return Optional.of(hash);
    }

    private void delete(S3Client s3) {
        String key = key();
        ledger.begin(key, Optional.empty());
        s3.deleteObject(b -> b.bucket(bucket).key(key));
        ledger.acknowledge(key, Optional.empty());
        count(Kind.DELETE);
    }

    private void multiDelete(S3Client s3) {
        Set<String> keys = new TreeSet<>(List.of(key(), key(), key()));
        keys.forEach(key -> ledger.begin(key, Optional.empty()));
        List<ObjectIdentifier> all =
                keys.stream().map(key -> ObjectIdentifier.builder().key(key).build()).toList();
        assertThat(s3.deleteObjects(b -> b.bucket(bucket).delete(d -> d.objects(all))).errors())
                .isEmpty();
        keys.forEach(key -> ledger.acknowledge(key, Optional.empty()));
        count(Kind.MULTI_DELETE);
    }

    private void copy(S3Client s3) {
        String from = key();
        String to = key();
        Optional<String> hash = ledger.held(from);
        if (hash.isEmpty() || from.equals(to)) {
            return;
        }
        ledger.begin(to, hash);
        s3.copyObject(
                b ->
                        b.sourceBucket(bucket)
                                .sourceKey(from)
                                .destinationBucket(bucket)
                                .destinationKey(to));
        ledger.acknowledge(to, hash);
        count(Kind.COPY);
    }

    /** Two parts, the second of them uploaded or copied; then completed or aborted. */
    private void multipart(S3Client s3) {
        String key = key();
        String upload = s3.createMultipartUpload(b -> b.bucket(bucket).key(key)).uploadId();
        List<Piece> content = new ArrayList<>(List.of(piece(MIN_PART)));
        String first = uploadPart(s3, key, upload, 1, content.getFirst());
        String from = key();
        List<Piece> source = ledger.held(from).map(contents::get).orElse(List.of());
        String second;
        if (source.isEmpty() || source.getFirst().size() == 0 || random.nextInt(3) == 0) {
            Piece last = piece(150_000);
            second = uploadPart(s3, key, upload, 2, last);
            content.add(last);
        } else {
            Piece piece = source.getFirst();
            Piece last = new Piece(piece.seed(), 1 + random.nextInt(piece.size()));
            second = copyPart(s3, key, upload, from, last.size());
            content.add(last);
        }
        if (random.nextInt(3) == 0) {
            s3.abortMultipartUpload(b -> b.bucket(bucket).key(key).uploadId(upload));
            count(Kind.MULTIPART_ABORT);
            return;
        }
        Optional<String> hash = remember(content, bytes(content));
        ledger.begin(key, hash);
        CompletedPart one = CompletedPart.builder().partNumber(1).eTag(first).build();
        CompletedPart two = CompletedPart.builder().partNumber(2).eTag(second).build();
        s3.completeMultipartUpload(
                b ->
                        b.bucket(bucket)
                                .key(key)
                                .uploadId(upload)
                                .multipartUpload(m -> m.parts(one, two)));
        ledger.acknowledge(key, hash);
        count(Kind.MULTIPART_COMPLETE);
    }

    private String uploadPart(S3Client s3, String key, String upload, int part, Piece piece) {
        return s3.uploadPart(
                        b -> b.bucket(bucket).key(key).uploadId(upload).partNumber(part),
                        RequestBody.fromBytes(piece.bytes()))
                .eTag();
    }

    private String copyPart(S3Client s3, String key, String upload, String from, int length) {
        String etag =
                s3.uploadPartCopy(
                                b ->
                                        b.sourceBucket(bucket)
                                                .sourceKey(from)
                                                .copySourceRange("bytes=0-" + (length - 1))
                                                .destinationBucket(bucket)
                                                .destinationKey(key)
                                                .uploadId(upload)
                                                .partNumber(2))
                        .copyPartResult()
                        .eTag();
        count(Kind.PART_COPY);
        return etag;
    }

    /** Uploads that a kill interrupted; those that are not aborted go on holding their parts. */
    private void abortWhatIsLeft(S3Client s3) {
        List<MultipartUpload> left =
                s3.listMultipartUploads(b -> b.bucket(bucket).prefix("writer-" + number + "/"))
                        .uploads();
        for (MultipartUpload upload : left) {
            s3.abortMultipartUpload(
                    b -> b.bucket(bucket).key(upload.key()).uploadId(upload.uploadId()));
            count(Kind.MULTIPART_ABORT);
        }
    }
}
