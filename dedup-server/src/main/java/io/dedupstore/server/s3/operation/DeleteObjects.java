package io.dedupstore.server.s3.operation;

import io.dedupstore.core.control.Bucket;
import io.dedupstore.core.metadata.MetadataService;
import io.dedupstore.core.metadata.Precondition;
import io.dedupstore.core.model.ObjectKey;
import io.dedupstore.core.model.V;
import io.dedupstore.server.s3.S3Error;
import io.dedupstore.server.s3.S3Exception;
import io.dedupstore.server.s3.S3Failures;
import io.dedupstore.server.s3.S3Operation;
import io.dedupstore.server.s3.S3Request;
import io.dedupstore.server.s3.XmlElement;
import io.dedupstore.server.s3.XmlReader;
import io.dedupstore.server.s3.XmlWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/**
 * Up to a thousand keys in one request. Each is a delete of its own and may fail by itself; they
 * run side by side so that the metadata shard can put them into few log entries.
 */
final class DeleteObjects {
    private static final int MAX_KEYS = 1000;
    private static final int PARALLEL = 64;

    private final MetadataService metadata;
    private final Supplier<V> attempts;
    private final Documents documents;

    DeleteObjects(S3Services services, Documents documents) {
        this.metadata = services.metadata();
        this.attempts = services.attempts();
        this.documents = documents;
    }

    /** One key of the request. */
    private record Target(String key, Optional<String> versionId, Precondition precondition) {}

    void handle(S3Request request, Bucket bucket, S3Operation.DeleteObjects operation)
            throws IOException {
        XmlElement delete = XmlReader.parse(documents.read(request, true), "Delete");
        boolean quiet =
                delete.childText("Quiet")
                        .map(String::strip)
                        .filter("true"::equalsIgnoreCase)
                        .isPresent();
        List<Target> targets =
                delete.children("Object").stream().map(DeleteObjects::target).toList();
        if (targets.isEmpty() || targets.size() > MAX_KEYS) {
            throw new S3Exception(S3Error.MALFORMED_XML);
        }
        List<Optional<S3Exception>> outcomes = deleteAll(bucket, targets);
        XmlWriter xml = XmlWriter.s3("DeleteResult");
        for (int i = 0; i < targets.size(); i++) {
            write(xml, targets.get(i), outcomes.get(i), quiet);
        }
        request.respond(xml);
    }

    private static Target target(XmlElement object) {
        if (object.child("LastModifiedTime").isPresent() || object.child("Size").isPresent()) {
            throw new S3Exception(
                    S3Error.NOT_IMPLEMENTED,
                    "LastModifiedTime and Size are conditions of directory buckets only");
        }
        Precondition precondition =
                object.childText("ETag")
                        .map(WriteCondition::ofEtag)
                        .orElseGet(Precondition.None::new);
        return new Target(object.requiredText("Key"), object.childText("VersionId"), precondition);
    }

    private List<Optional<S3Exception>> deleteAll(Bucket bucket, List<Target> targets) {
        Semaphore running = new Semaphore(PARALLEL);
        List<Future<Optional<S3Exception>>> futures = new ArrayList<>(targets.size());
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Target target : targets) {
                futures.add(
                        threads.submit(
                                () -> {
                                    running.acquire();
                                    try {
                                        return delete(bucket, target);
                                    } finally {
                                        running.release();
                                    }
                                }));
            }
        }
        return futures.stream().map(DeleteObjects::outcome).toList();
    }

    private static Optional<S3Exception> outcome(Future<Optional<S3Exception>> future) {
        try {
            return future.get();
        } catch (ExecutionException e) {
            return Optional.of(S3Failures.toS3(e.getCause()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.of(S3Failures.toS3(e));
        }
    }

    private Optional<S3Exception> delete(Bucket bucket, Target target) {
        try {
            target.versionId().filter(id -> !id.isEmpty()).ifPresent(Keys::checkVersionId);
            ObjectKey key = Keys.of(requireNonEmpty(target.key()));
            WriteCondition condition = new WriteCondition(key, target.precondition());
            condition.decide(
                    () ->
                            metadata.deleteObject(
                                    bucket.id(), key, attempts.get(), target.precondition()));
            return Optional.empty();
        } catch (RuntimeException e) {
            return Optional.of(S3Failures.toS3(e));
        }
    }

    private static String requireNonEmpty(String key) {
        if (key.isEmpty()) {
            throw new S3Exception(S3Error.MALFORMED_XML);
        }
        return key;
    }

    private static void write(
            XmlWriter xml, Target target, Optional<S3Exception> failure, boolean quiet) {
        if (failure.isPresent()) {
            xml.open("Error").text("Key", target.key());
            target.versionId().ifPresent(id -> xml.text("VersionId", id));
            xml.text("Code", failure.get().error().code())
                    .text("Message", String.valueOf(failure.get().getMessage()))
                    .close();
        } else if (!quiet) {
            xml.open("Deleted").text("Key", target.key());
            target.versionId().ifPresent(id -> xml.text("VersionId", id));
            xml.close();
        }
    }
}
