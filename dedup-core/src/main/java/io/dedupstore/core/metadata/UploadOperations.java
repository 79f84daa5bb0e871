package io.dedupstore.core.metadata;

import io.dedupstore.core.metadata.MetadataProto.Refusal;
import io.dedupstore.core.metadata.MetadataProto.Reply;
import io.dedupstore.core.metadata.MetadataService.SeenPart;
import io.dedupstore.core.model.BucketId;
import io.dedupstore.core.model.ObjectKey;
import io.dedupstore.core.model.V;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Commands on multipart uploads.
 *
 * <p>A part is a row below its upload. Pages beside them sum up {@link #PAGE_PARTS} part numbers
 * each, so that completing 10,000 parts reads and writes 40 rows: the part rows stay where they are
 * and become the layout of the version, which the upload's V names.
 */
final class UploadOperations {
    /** Part numbers that one page sums up. */
    static final int PAGE_PARTS = 256;

    private final ShardEntry entry;
    private final RowWriter rows;
    private final Bodies bodies;
    private final ObjectOperations objects;

    UploadOperations(ShardEntry entry) {
        this.entry = entry;
        this.rows = entry.rows();
        this.bodies = new Bodies(entry);
        this.objects = new ObjectOperations(entry);
    }

    static int pageOf(int number) {
        return (number - 1) / PAGE_PARTS;
    }

    Reply create(MetadataCommand.CreateUpload command) {
        objects.requireOpen(command.bucket());
        rows.put(
                rows.keys.upload(command.bucket(), command.key(), command.v()),
                MetadataProto.UploadRow.newBuilder()
                        .setInitiatedMillis(entry.nowMillis())
                        .setAttributes(Wire.attributes(command.attributes()))
                        .setChecksumAlgorithm(
                                command.checksumAlgorithm().map(ChecksumAlgorithm::code).orElse(0))
                        .setCompositeChecksum(command.compositeChecksum())
                        .build());
        entry.countUploads(command.bucket(), 1);
        return Reply.newBuilder().setTimeMillis(entry.nowMillis()).build();
    }

    // ---- parts ----

    Reply putPart(MetadataCommand.PutPart command) {
        MetadataCommand.PartSpec part = command.part();
        objects.requireOpen(part.bucket());
        MetadataProto.UploadRow upload = open(part.bucket(), part.key(), part.upload());
        return install(command.v(), part, upload, bodies.check(command.body(), part.bucket()));
    }

    Reply copyPart(MetadataCommand.CopyPart command) {
        MetadataCommand.PartSpec part = command.part();
        objects.requireOpen(part.bucket());
        MetadataProto.UploadRow upload = open(part.bucket(), part.key(), part.upload());
        objects.source(command.source());
        return install(command.v(), part, upload, bodies.check(command.v(), command.pieces()));
    }

    private MetadataProto.UploadRow open(BucketId bucket, ObjectKey key, V upload) {
        MetadataProto.UploadRow row = rows.upload(bucket, key, upload);
        if (row == null) {
            throw new Refused(Refusal.NO_SUCH_UPLOAD, "upload " + upload + " is not open");
        }
        return row;
    }

    private Reply install(
            V v,
            MetadataCommand.PartSpec part,
            MetadataProto.UploadRow upload,
            Bodies.Checked checked) {
        MetadataProto.BodyRow body = checked.install();
        MetadataProto.PartRow old = rows.part(part.upload(), part.number());
        rows.putPart(
                part.upload(),
                part.number(),
                old,
                MetadataProto.PartRow.newBuilder()
                        .setV(Wire.bytes(v))
                        .setSize(body.getSize())
                        .setEtag(part.etag())
                        .setModifiedMillis(entry.nowMillis())
                        .addAllChecksums(Wire.toChecksums(part.checksums()))
                        .setBody(body)
                        .build());
        BodySize change = BodySize.of(body);
        if (old != null) {
            change = change.minus(BodySize.of(old.getBody()));
            bodies.discard(old.getBody());
        }
        summarize(part.upload(), part.number(), v, BodySize.of(body));
        rows.put(
                rows.keys.upload(part.bucket(), part.key(), part.upload()),
                upload.toBuilder()
                        .setSize(upload.getSize() + change.bytes())
                        .setInlineBytes(upload.getInlineBytes() + change.inlineBytes())
                        .setChunks(upload.getChunks() + change.chunks())
                        .build());
        entry.countBody(part.bucket(), change);
        return Reply.newBuilder().setTimeMillis(entry.nowMillis()).setSize(body.getSize()).build();
    }

    private void summarize(V upload, int number, V v, BodySize size) {
        int page = pageOf(number);
        TreeMap<Integer, MetadataProto.PartSummary> parts = new TreeMap<>();
        rows.partPage(upload, page)
                .getPartsList()
                .forEach(part -> parts.put(part.getNumber(), part));
        parts.put(
                number,
                MetadataProto.PartSummary.newBuilder()
                        .setNumber(number)
                        .setV(Wire.bytes(v))
                        .setSize(size.bytes())
                        .setInlineBytes(size.inlineBytes())
                        .setChunks(size.chunks())
                        .setSegments(size.segments())
                        .build());
        rows.put(
                rows.keys.of(RowKeys.Kind.PART_PAGE, upload, page),
                MetadataProto.PartPageRow.newBuilder().addAllParts(parts.values()).build());
    }

    // ---- the end of an upload ----

    Reply complete(MetadataCommand.CompleteUpload command) {
        objects.requireOpen(command.bucket());
        MetadataProto.UploadRow upload =
                rows.upload(command.bucket(), command.key(), command.upload());
        if (upload == null) {
            return completedBefore(command);
        }
        MetadataProto.ObjectRow old = rows.object(command.bucket(), command.key());
        objects.require(command.precondition(), command.key(), old);
        Chosen chosen = choose(command);
        Reply reply =
                objects.install(
                        command.v(),
                        command.bucket(),
                        command.key(),
                        old,
                        () -> becomeLayout(command.upload(), chosen),
                        command.spec(),
                        command.parts().size());
        BodySize all = sizeOf(upload);
        entry.countBody(command.bucket(), all.negated());
        close(command.bucket(), command.key(), command.upload());
        remember(command);
        return reply;
    }

    private Reply completedBefore(MetadataCommand.CompleteUpload command) {
        MetadataProto.CompletedRow row = rows.completed(command.upload());
        if (row == null
                || row.getBucket() != command.bucket().value()
                || !Wire.key(row.getVersion().getKey()).equals(command.key())) {
            throw new Refused(
                    Refusal.NO_SUCH_UPLOAD, "upload " + command.upload() + " is not open");
        }
        return Reply.newBuilder().setVersion(row.getVersion()).build();
    }

    /** Pages with the chosen parts alone, and what those weigh. */
    private record Chosen(
            Map<Integer, MetadataProto.PartPageRow.Builder> pages, BodySize size, boolean all) {}

    private Chosen choose(MetadataCommand.CompleteUpload command) {
        Map<Integer, Map<Integer, MetadataProto.PartSummary>> found = new HashMap<>();
        Map<Integer, MetadataProto.PartPageRow.Builder> pages = new TreeMap<>();
        int present = 0;
        for (int page = 0; page <= pageOf(PartInfo.MAX_NUMBER); page++) {
            Map<Integer, MetadataProto.PartSummary> parts = new HashMap<>();
            rows.partPage(command.upload(), page)
                    .getPartsList()
                    .forEach(part -> parts.put(part.getNumber(), part));
            if (!parts.isEmpty()) {
                found.put(page, parts);
                pages.put(page, MetadataProto.PartPageRow.newBuilder());
                present += parts.size();
            }
        }
        BodySize size = BodySize.ZERO;
        int last = 0;
        for (SeenPart seen : command.parts()) {
            MetadataProto.PartSummary part =
                    found.getOrDefault(pageOf(seen.number()), Map.of()).get(seen.number());
            if (part == null
                    || seen.number() <= last
                    || !part.getV().equals(Wire.bytes(seen.v()))) {
                throw new Refused(
                        Refusal.INVALID_PART, "part " + seen.number() + " is not as it was seen");
            }
            last = seen.number();
            size = size.plus(BodySize.of(part));
            pages.get(pageOf(seen.number())).addParts(part);
        }
        if (last == 0) {
            throw new Refused(Refusal.INVALID_PART, "no part is named");
        }
        if (size.segments() > MetadataService.MAX_SEGMENTS) {
            throw new Refused(
                    Refusal.TOO_MANY_SEGMENTS, size.segments() + " segments are too many");
        }
        return new Chosen(pages, size, present == command.parts().size());
    }

    private MetadataProto.BodyRow becomeLayout(V upload, Chosen chosen) {
        chosen.pages()
                .forEach(
                        (page, row) -> {
                            byte[] key = rows.keys.of(RowKeys.Kind.PART_PAGE, upload, page);
                            if (row.getPartsCount() == 0) {
                                rows.delete(key);
                            } else {
                                rows.put(key, row.build());
                            }
                        });
        rows.put(
                rows.keys.of(RowKeys.Kind.LAYOUT, upload),
                MetadataProto.LayoutRow.newBuilder()
                        .setUses(1)
                        .setKind(MetadataProto.LayoutRow.Kind.PARTS)
                        .build());
        if (!chosen.all()) {
            entry.discard(
                    MetadataProto.GarbageRow.newBuilder()
                            .setUnusedParts(
                                    MetadataProto.Walk.newBuilder().setV(Wire.bytes(upload)))
                            .build());
        }
        return MetadataProto.BodyRow.newBuilder()
                .setLayout(Wire.bytes(upload))
                .setSize(chosen.size().bytes())
                .setInlineBytes(chosen.size().inlineBytes())
                .setChunks(chosen.size().chunks())
                .setSegments(chosen.size().segments())
                .build();
    }

    private void remember(MetadataCommand.CompleteUpload command) {
        MetadataProto.@Nullable ObjectRow now = rows.object(command.bucket(), command.key());
        if (now == null) {
            throw new IllegalStateException("a version that was just made is not there");
        }
        rows.put(
                rows.keys.of(RowKeys.Kind.COMPLETED, command.upload()),
                MetadataProto.CompletedRow.newBuilder()
                        .setBucket(command.bucket().value())
                        .setVersion(now.getVersion().toBuilder().setKey(Wire.bytes(command.key())))
                        .build());
        rows.put(
                rows.keys.completedByTime(entry.nowMicros(), command.upload()),
                MetadataProto.MarkRow.getDefaultInstance());
        if (entry.shard().getOldestCompletionMicros() == 0) {
            entry.shard().setOldestCompletionMicros(entry.nowMicros());
        }
    }

    Reply abort(MetadataCommand.AbortUpload command) {
        MetadataProto.UploadRow upload = open(command.bucket(), command.key(), command.upload());
        giveUp(command.bucket(), command.key(), command.upload(), upload);
        return Replies.ok();
    }

    /** Ends an upload without a version; its parts go by the garbage queue. */
    void giveUp(BucketId bucket, ObjectKey key, V upload, MetadataProto.UploadRow row) {
        close(bucket, key, upload);
        entry.countBody(bucket, sizeOf(row).negated());
        entry.discard(
                MetadataProto.GarbageRow.newBuilder()
                        .setParts(MetadataProto.Walk.newBuilder().setV(Wire.bytes(upload)))
                        .build());
    }

    private void close(BucketId bucket, ObjectKey key, V upload) {
        rows.delete(rows.keys.upload(bucket, key, upload));
        entry.countUploads(bucket, -1);
    }

    private static BodySize sizeOf(MetadataProto.UploadRow upload) {
        return new BodySize(upload.getSize(), upload.getInlineBytes(), upload.getChunks(), 0);
    }
}
