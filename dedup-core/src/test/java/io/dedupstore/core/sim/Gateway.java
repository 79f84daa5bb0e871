package io.dedupstore.core.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.core.chunking.ChunkingSpec;
import io.dedupstore.core.compression.ChunkCodec;
import io.dedupstore.core.control.Session;
import io.dedupstore.core.fingerprint.HashDriver;
import io.dedupstore.core.fingerprint.HashEngine;
import io.dedupstore.core.fingerprint.HashSettings;
import io.dedupstore.core.io.ByteSource;
import io.dedupstore.core.metadata.Keeping;
import io.dedupstore.core.metadata.MetadataClient;
import io.dedupstore.core.metadata.MetadataException;
import io.dedupstore.core.metadata.MetadataService;
import io.dedupstore.core.metadata.MetadataService.SeenPart;
import io.dedupstore.core.metadata.MetadataService.Stored;
import io.dedupstore.core.metadata.MetadataService.VersionSpec;
import io.dedupstore.core.metadata.ObjectAttributes;
import io.dedupstore.core.metadata.ObjectVersion;
import io.dedupstore.core.metadata.PartInfo;
import io.dedupstore.core.metadata.Precondition;
import io.dedupstore.core.metadata.Upload;
import io.dedupstore.core.metadata.VersionId;
import io.dedupstore.core.model.DomainId;
import io.dedupstore.core.model.ObjectKey;
import io.dedupstore.core.model.V;
import io.dedupstore.core.object.BufferBudget;
import io.dedupstore.core.object.DomainKeys;
import io.dedupstore.core.object.ObjectReader;
import io.dedupstore.core.object.ObjectStoreException;
import io.dedupstore.core.object.ObjectWriter;
import io.dedupstore.core.object.WriteTarget;
import io.dedupstore.core.object.WrittenBody;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * A gateway process: the production writer and reader under a session, and clients that use it. The
 * content of an object is a list of chunk names, which is also its ETag, so that whoever reads it
 * knows what it must be.
 */
final class Gateway {
    private static final int CHUNK = 8 << 10;
    private static final int CONTENTS = 6;
    private static final char FIRST = 'p';
    private static final byte[][] CHUNKS = chunks();
    private static final ChunkingSpec CHUNKING = ChunkingSpec.parse("fixed:8k");

    private static final HashEngine ENGINE = HashEngine.start(new HashSettings(HashDriver.AUTO, 1));

    /** Of all worlds: deriving them costs more than a world. */
    private static final DomainKeys DOMAINS = new DomainKeys(ENGINE, domain -> new byte[32]);

    /** By the clock of writers, so that a holder's hour passes within a long write. */
    private static final long NANOS_PER_MILLI = 1_000_000_000L;

    private static final int WINDOW_CHUNKS = 32;

    final String node;
    private final Cluster cluster;
    private final Random random;
    private final Session session;
    private final MetadataClient metadata;
    private final ObjectWriter writer;
    private final ObjectReader reader;
    private long counter;
    long done;

    Gateway(Cluster cluster, String node) {
        this.cluster = cluster;
        this.node = node;
        this.random = cluster.random;
        this.session = cluster.control.openSession(node);
        this.metadata = cluster.metadata();
        BufferBudget budget = new BufferBudget(64 << 20, Duration.ofSeconds(1));
        this.writer =
                new ObjectWriter(
                        cluster.index(),
                        cluster.mutant.store(cluster.storage),
                        metadata,
                        this::v,
                        DOMAINS,
                        ENGINE,
                        cluster.pool,
                        budget,
                        () -> cluster.millis * NANOS_PER_MILLI);
        this.reader = new ObjectReader(cluster.storage, metadata, budget);
    }

    Session session() {
        return session;
    }

    private V v() {
        return new V(session.epoch(), session.session(), counter++);
    }

    // ---- what clients do ----

    void startClient() {
        ObjectKey key = anyKey();
        if (random.nextInt(64) == 0) {
            start(() -> put(key, hugeContent(), new Precondition.None()));
            return;
        }
        Runnable call =
                switch (random.nextInt(16)) {
                    case 0, 1, 2, 3 -> () -> put(key, anyContent(), new Precondition.None());
                    case 4 -> () -> put(key, anyContent(), new Precondition.Absent());
                    case 5 -> () -> replace(key);
                    case 6 -> () -> put(key, longContent(), new Precondition.None());
                    case 7, 8 -> () -> delete(key);
                    case 9 -> () -> deleteVersions(key);
                    case 10, 11 -> () -> copy(anyKey(), key);
                    case 12, 13 -> () -> multipart(key);
                    default -> () -> get(key);
                };
        start(call);
    }

    private void start(Runnable call) {
        cluster.scheduler.start(
                this,
                () -> {
                    call.run();
                    done++;
                });
    }

    private ObjectKey anyKey() {
        return ObjectKey.of(Cluster.KEYS.get(random.nextInt(Cluster.KEYS.size())));
    }

    private String anyContent() {
        StringBuilder content = new StringBuilder();
        int chunks = 1 + random.nextInt(3);
        for (int i = 0; i < chunks; i++) {
            content.append((char) (FIRST + random.nextInt(CONTENTS)));
        }
        return content.toString();
    }

    /** More than a window holds: the writer may go on under another V in the middle of it. */
    private String longContent() {
        StringBuilder content = new StringBuilder();
        while (content.length() <= WINDOW_CHUNKS) {
            content.repeat(anyContent(), 1 + random.nextInt(20));
        }
        return content.toString();
    }

    /** Of more chunks than one command brings: rows of its manifest go ahead. */
    private String hugeContent() {
        StringBuilder content = new StringBuilder();
        while (content.length() <= MetadataService.MANIFEST_ROW_ENTRIES) {
            content.repeat(anyContent(), 1 + random.nextInt(100));
        }
        return content.toString();
    }

    private static byte[] bytes(String content) {
        byte[] bytes = new byte[content.length() * CHUNK];
        for (int i = 0; i < content.length(); i++) {
            System.arraycopy(CHUNKS[content.charAt(i) - FIRST], 0, bytes, i * CHUNK, CHUNK);
        }
        return bytes;
    }

    private static byte[][] chunks() {
        byte[][] chunks = new byte[CONTENTS][CHUNK];
        for (int i = 0; i < CONTENTS; i++) {
            Arrays.fill(chunks[i], (byte) (FIRST + i));
        }
        return chunks;
    }

    private History history(ObjectKey key) {
        return cluster.histories.get(key.text());
    }

    private VersionSpec spec(String content) {
        Keeping keeping = Keeping.of(cluster.versioning);
        return new VersionSpec(content, ObjectAttributes.NONE, List.of(), keeping);
    }

    private static WriteTarget target(ObjectKey key) {
        return new WriteTarget(Cluster.BUCKET, key, new DomainId(1), CHUNKING, ChunkCodec.OFF);
    }

    /** Null when nothing was written. */
    private Optional<WrittenBody> write(ObjectKey key, String content) {
        ByteBuffer data = ByteBuffer.wrap(bytes(content));
        ByteSource source =
                into -> {
                    if (!data.hasRemaining()) {
                        return -1;
                    }
                    int count = Math.min(data.remaining(), into.remaining());
                    into.put(data.slice(data.position(), count));
                    data.position(data.position() + count);
                    return count;
                };
        // In small windows, where that makes several.
        boolean huge = content.length() > MetadataService.MANIFEST_ROW_ENTRIES;
        long declared = huge ? data.remaining() : 1;
        try {
            return Optional.of(writer.write(target(key), source, declared, Set.of()));
        } catch (ObjectStoreException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** If the object is still what was seen. */
    private void replace(ObjectKey key) {
        Precondition precondition =
                metadata.openObject(Cluster.BUCKET, key)
                        .<Precondition>map(
                                stored -> new Precondition.EtagIs(stored.version().etag()))
                        .orElse(new Precondition.Present());
        put(key, anyContent(), precondition);
    }

    private void put(ObjectKey key, String content, Precondition precondition) {
        History.Write write = history(key).begin(Optional.of(content), cluster.millis);
        Optional<WrittenBody> written = write(key, content);
        if (written.isEmpty()) {
            write.failed(cluster.millis);
            return;
        }
        if (random.nextInt(16) == 0) {
            // The client went away with the last byte.
            writer.abandon(target(key), written.get());
            write.failed(cluster.millis);
            return;
        }
        settle(
                write,
                () ->
                        metadata.putObject(
                                Cluster.BUCKET,
                                key,
                                written.get().body(),
                                spec(content),
                                precondition));
    }

    private void settle(History.Write write, Runnable commit) {
        try {
            commit.run();
            write.succeeded(cluster.millis);
        } catch (MetadataException e) {
            if (e.code() != MetadataException.Code.UNKNOWN) {
                write.failed(cluster.millis);
            }
        }
    }

    private void delete(ObjectKey key) {
        History.Write write = history(key).begin(Optional.empty(), cluster.millis);
        settle(
                write,
                () ->
                        metadata.deleteObject(
                                v(),
                                Cluster.BUCKET,
                                key,
                                cluster.versioning,
                                new Precondition.None()));
    }

    /** Some version that is there, or was a moment ago. */
    private Optional<VersionId> anyVersion(ObjectKey key) {
        List<ObjectVersion> versions = cluster.versions(key);
        return versions.isEmpty()
                ? Optional.empty()
                : Optional.of(versions.get(random.nextInt(versions.size())).id());
    }

    private void deleteVersion(ObjectKey key) {
        Optional<VersionId> version = anyVersion(key);
        if (version.isPresent()) {
            History.Write write = history(key).beginRemoval(cluster.millis);
            settle(
                    write,
                    () ->
                            metadata.deleteVersion(
                                    v(),
                                    Cluster.BUCKET,
                                    key,
                                    version.get(),
                                    false,
                                    new Precondition.None()));
        }
    }

    private void deleteVersions(ObjectKey key) {
        int count = random.nextInt(4);
        for (int i = 0; i < count; i++) {
            deleteVersion(key);
        }
    }

    private Optional<Stored> openAny(ObjectKey key) {
        Optional<VersionId> version = anyVersion(key);
        return version.flatMap(id -> metadata.openVersion(Cluster.BUCKET, key, version))
                .filter(stored -> !stored.version().deleteMarker());
    }

    private void copy(ObjectKey from, ObjectKey to) {
        Optional<Stored> stored = openAny(from);
        if (stored.isEmpty()) {
            return;
        }
        String content = stored.get().version().etag();
        History.Write write = history(to).begin(Optional.of(content), cluster.millis);
        settle(
                write,
                () ->
                        metadata.copyObject(
                                v(),
                                Cluster.BUCKET,
                                stored.get().version(),
                                Cluster.BUCKET,
                                to,
                                spec(content),
                                new Precondition.None()));
    }

    private void multipart(ObjectKey key) {
        try {
            Upload upload =
                    metadata.createUpload(
                            v(),
                            Cluster.BUCKET,
                            key,
                            ObjectAttributes.NONE,
                            Optional.empty(),
                            false);
            StringBuilder content = new StringBuilder();
            List<SeenPart> parts = new ArrayList<>();
            for (int number = 1; number <= 2; number++) {
                Optional<PartInfo> part =
                        random.nextInt(3) == 0
                                ? copyPart(key, upload, number)
                                : putPart(key, upload, number);
                if (part.isPresent()) {
                    parts.add(new SeenPart(number, part.get().v()));
                    content.append(part.get().etag());
                }
            }
            if (parts.isEmpty() || random.nextInt(4) == 0) {
                metadata.abortUpload(v(), Cluster.BUCKET, key, upload.id());
                return;
            }
            String whole = content.toString();
            History.Write write = history(key).begin(Optional.of(whole), cluster.millis);
            settle(
                    write,
                    () ->
                            metadata.completeUpload(
                                    v(),
                                    Cluster.BUCKET,
                                    key,
                                    upload.id(),
                                    parts,
                                    spec(whole),
                                    new Precondition.None()));
        } catch (MetadataException e) {
            // The upload stays unfinished, as clients leave them.
            return;
        }
    }

    private Optional<PartInfo> putPart(ObjectKey key, Upload upload, int number) {
        String some = anyContent();
        return write(key, some)
                .map(
                        written ->
                                metadata.putPart(
                                        Cluster.BUCKET,
                                        key,
                                        upload.id(),
                                        number,
                                        written.body(),
                                        some,
                                        List.of()));
    }

    private Optional<PartInfo> copyPart(ObjectKey key, Upload upload, int number) {
        ObjectKey from = anyKey();
        return openAny(from)
                .map(
                        stored ->
                                metadata.copyPart(
                                        v(),
                                        Cluster.BUCKET,
                                        stored.version(),
                                        Cluster.BUCKET,
                                        key,
                                        upload.id(),
                                        number,
                                        stored.body(),
                                        stored.version().etag(),
                                        List.of()));
    }

    private void get(ObjectKey key) {
        read(key, "a running read");
    }

    /** Reads whole and compares with what may be there. */
    void read(ObjectKey key, String where) {
        long from = cluster.millis;
        Optional<Stored> stored = metadata.openObject(Cluster.BUCKET, key);
        cluster.millis++;
        Optional<String> seen = stored.map(s -> s.version().etag());
        assertThat(history(key).mayBe(seen, from, cluster.millis))
                .as("%s: %s has %s%s", where, key, seen, history(key))
                .isTrue();
        stored.ifPresent(one -> readBytes(key, one, where));
    }

    /** Every version has the bytes that its ETag says. */
    void readVersions(ObjectKey key, String where) {
        for (ObjectVersion version : cluster.versions(key)) {
            if (!version.deleteMarker()) {
                metadata.openVersion(Cluster.BUCKET, key, Optional.of(version.id()))
                        .ifPresent(stored -> readBytes(key, stored, where));
            }
        }
    }

    private void readBytes(ObjectKey key, Stored stored, String where) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            reader.read(
                    Cluster.BUCKET,
                    key,
                    stored.body(),
                    0,
                    stored.version().size(),
                    bytes -> {
                        byte[] some = new byte[bytes.remaining()];
                        bytes.get(some);
                        out.write(some);
                    });
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        assertThat(out.toByteArray())
                .as("%s: bytes of %s", where, key)
                .isEqualTo(bytes(stored.version().etag()));
    }
}
