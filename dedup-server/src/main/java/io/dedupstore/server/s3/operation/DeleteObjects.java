package io.dedupstore.server.s3.operation;

import io.dedupstore.core.control.Bucket;
import io.dedupstore.core.metadata.MetadataService.Deleted;
import io.dedupstore.core.metadata.Precondition;
import io.dedupstore.core.metadata.VersionId;
import io.dedupstore.core.model.ObjectKey;
import io.dedupstore.server.s3.S3Error;
import io.dedupstore.server.s3.S3Exception;
import io.dedupstore.server.s3.S3Failures;
import io.dedupstore.server.s3.S3Operation;
import io.dedupstore.server.s3.S3Request;
import io.dedupstore.server.s3.XmlElement;
import io.dedupstore.server.s3.XmlReader;
import io.dedupstore.server.s3.XmlWriter;
import io.dedupstore.server.s3.access.AccessCheck;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;

/**
 * Up to a thousand keys in one request. Each is a delete of its own and may fail by itself; they
 * run side by side so that the metadata shard can put them into few log entries.
 */
final class DeleteObjects {
    private static final int MAX_KEYS = 1000;
    private static final int PARALLEL = 64;

    private final ObjectDeletion deletion;
    private final Documents documents;
    private final AccessCheck access;

    DeleteObjects(S3Services services, Documents documents) {
        this.deletion = new ObjectDeletion(services);
        this.documents = documents;
        this.access = services.access();
    }

    /** One key of the request. */
    private record Target(String key, Optional<String> versionId, XmlElement conditions) {}

    /** What became of a key: deleted, or why not. */
    private record Outcome(Optional<Deleted> deleted, Optional<S3Exception> failure) {
        static Outcome failed(Throwable failure) {
            return new Outcome(Optional.empty(), Optional.of(S3Failures.toS3(failure)));
        }
    }

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
        List<Outcome> outcomes = deleteAll(request, bucket, targets);
        XmlWriter xml = XmlWriter.s3("DeleteResult");
        for (int i = 0; i < targets.size(); i++) {
            write(xml, targets.get(i), outcomes.get(i), quiet);
        }
        request.respond(xml);
    }

    private static Target target(XmlElement object) {
        return new Target(
                object.requiredText("Key"),
                object.childText("VersionId").map(String::strip).filter(id -> !id.isEmpty()),
                object);
    }

    private static Precondition precondition(XmlElement object) {
        return WriteCondition.ofAll(
                object.childText("ETag"),
                object.childText("LastModifiedTime")
                        .map(text -> WriteCondition.seconds("LastModifiedTime", text)),
                object.childText("Size").map(text -> WriteCondition.size("Size", text)));
    }

    private List<Outcome> deleteAll(S3Request request, Bucket bucket, List<Target> targets) {
        Semaphore running = new Semaphore(PARALLEL);
        List<Future<Outcome>> futures = new ArrayList<>(targets.size());
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Target target : targets) {
                boolean bypass = deletion.bypassesGovernance(request, bucket, target.key());
                futures.add(
                        threads.submit(
                                () -> {
                                    running.acquire();
                                    try {
                                        return delete(request, bucket, target, bypass);
                                    } finally {
                                        running.release();
                                    }
                                }));
            }
        }
        return futures.stream().map(DeleteObjects::outcome).toList();
    }

    private static Outcome outcome(Future<Outcome> future) {
        try {
            return future.get();
        } catch (ExecutionException e) {
            return Outcome.failed(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Outcome.failed(e);
        }
    }

    private Outcome delete(
            S3Request request, Bucket bucket, Target target, boolean bypassGovernance) {
        try {
            access.require(
                    request,
                    bucket,
                    target.key(),
                    target.versionId().isPresent() ? "s3:DeleteObjectVersion" : "s3:DeleteObject");
            Optional<VersionId> version =
                    target.versionId().map(id -> VersionIds.parse("VersionId", id));
            ObjectKey key = Keys.of(requireNonEmpty(target.key()));
            WriteCondition condition = new WriteCondition(key, precondition(target.conditions()));
            Deleted deleted = deletion.delete(bucket, condition, version, bypassGovernance);
            return new Outcome(Optional.of(deleted), Optional.empty());
        } catch (RuntimeException e) {
            return Outcome.failed(e);
        }
    }

    private static String requireNonEmpty(String key) {
        if (key.isEmpty()) {
            throw new S3Exception(S3Error.MALFORMED_XML);
        }
        return key;
    }

    private static void write(XmlWriter xml, Target target, Outcome outcome, boolean quiet) {
        if (outcome.failure().isPresent()) {
            S3Exception failure = outcome.failure().get();
            xml.open("Error").text("Key", target.key());
            target.versionId().ifPresent(id -> xml.text("VersionId", id));
            xml.text("Code", failure.error().code())
                    .text("Message", String.valueOf(failure.getMessage()))
                    .close();
        } else if (!quiet) {
            xml.open("Deleted").text("Key", target.key());
            target.versionId().ifPresent(id -> xml.text("VersionId", id));
            outcome.deleted()
                    .filter(Deleted::deleteMarker)
                    .flatMap(Deleted::version)
                    .ifPresent(
                            id ->
                                    xml.text("DeleteMarker", true)
                                            .text("DeleteMarkerVersionId", VersionIds.format(id)));
            xml.close();
        }
    }
}
