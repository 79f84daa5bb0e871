package io.dedupstore.core.sim;

import io.dedupstore.core.chunking.ChunkingSpec;
import io.dedupstore.core.compression.ChunkCodec;
import io.dedupstore.core.control.Session;
import io.dedupstore.core.fingerprint.HashDriver;
import io.dedupstore.core.fingerprint.HashEngine;
import io.dedupstore.core.fingerprint.HashSettings;
import io.dedupstore.core.index.IndexClient;
import io.dedupstore.core.io.ByteSource;
import io.dedupstore.core.io.WorkerPool;
import io.dedupstore.core.kv.KvReader;
import io.dedupstore.core.metadata.Keeping;
import io.dedupstore.core.metadata.MetadataClient;
import io.dedupstore.core.metadata.MetadataException;
import io.dedupstore.core.metadata.MetadataService.Stored;
import io.dedupstore.core.metadata.MetadataService.VersionSpec;
import io.dedupstore.core.metadata.ObjectAttributes;
import io.dedupstore.core.metadata.ObjectVersion;
import io.dedupstore.core.metadata.Precondition;
import io.dedupstore.core.metadata.ShardMap;
import io.dedupstore.core.metadata.Versioning;
import io.dedupstore.core.model.BucketId;
import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.DomainId;
import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.model.ObjectKey;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.V;
import io.dedupstore.core.object.BufferBudget;
import io.dedupstore.core.object.DomainKeys;
import io.dedupstore.core.object.ObjectStoreException;
import io.dedupstore.core.object.ObjectWriter;
import io.dedupstore.core.object.WriteTarget;
import io.dedupstore.core.object.WrittenBody;
import io.dedupstore.core.spi.ChunkOpener;
import io.dedupstore.core.spi.ChunkStore;
import io.dedupstore.core.spi.ChunkStoreException;
import io.dedupstore.core.state.ReplicatedGroup;
import io.dedupstore.core.state.ReplicationException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * One request in a gateway: the production writer and clients, driven by the answers they were
 * given so far. From the same answers the same code comes to the same next question, so it is run
 * from its start each time, up to the first question that has no answer yet. That makes of blocking
 * code a state that can be kept, compared and taken up again in another way.
 */
final class Actor {
    static final BucketId BUCKET = new BucketId(1);
    static final ShardId HOME = ShardId.metadata(0);
    static final long SECONDS = 1_700_000_000L;

    private static final HashEngine ENGINE = HashEngine.start(new HashSettings(HashDriver.AUTO, 1));
    private static final DomainKeys DOMAINS = new DomainKeys(ENGINE, domain -> new byte[32]);
    private static final BufferBudget BUDGET = new BufferBudget(16 << 20, Duration.ofSeconds(1));
    private static final ChunkingSpec CHUNKING = ChunkingSpec.parse("fixed:8k");
    private static final int CHUNK = 8 << 10;

    private final Session session;
    private final long counter;
    private final long seconds;
    private final Mutant mutant;
    private final WorkerPool pool;
    private final Request request;

    /** What a client asks for. */
    sealed interface Request {
        /** Of one chunk for each letter. */
        record Put(String key, String content, Precondition precondition, Versioning versioning)
                implements Request {}

        record Delete(String key, Versioning versioning) implements Request {}

        /** Of the newest version, for good. */
        record Remove(String key) implements Request {}

        record Copy(String from, String to) implements Request {}
    }

    /** What a request waits for. */
    sealed interface Next {
        record Submit(boolean toIndex, ByteBuffer command) implements Next {}

        record Read(boolean fromIndex, Function<KvReader, ?> query) implements Next {}

        record Append(V v, List<Fingerprint> fingerprints) implements Next {}

        /** Nothing more: the client has been answered. */
        record Ended(Outcome outcome) implements Next {}
    }

    /** What the client was told. */
    enum Outcome {
        SUCCEEDED,
        FAILED,
        UNKNOWN
    }

    /** What came of a question; empty when no answer came. */
    record Answer(Optional<Object> value) {
        static final Answer NONE = new Answer(Optional.empty());
    }

    /** The next question has no answer yet. */
    private static final class Unanswered extends Error {
        private static final long serialVersionUID = 1L;
        private final transient Next question;

        Unanswered(Next question) {
            super("unanswered", null, false, false);
            this.question = question;
        }
    }

    /**
     * @param counter of the first attempt; later ones count on
     * @param seconds what the clock says, always
     */
    Actor(
            Session session,
            long counter,
            long seconds,
            Mutant mutant,
            WorkerPool pool,
            Request request) {
        this.session = session;
        this.counter = counter;
        this.seconds = seconds;
        this.mutant = mutant;
        this.pool = pool;
        this.request = request;
    }

    Next next(List<Answer> answers) {
        try {
            return new Next.Ended(new Run(answers).run());
        } catch (Unanswered e) {
            return e.question;
        }
    }

    /** One run through the code. */
    private final class Run {
        private final List<Answer> answers;
        private final MetadataClient metadata;
        private final ObjectWriter writer;
        private int taken;
        private long counted = counter;
        private long millis = seconds * 1000;

        Run(List<Answer> answers) {
            this.answers = answers;
            ReplicatedGroup home = new Group(false);
            ShardMap map =
                    new ShardMap() {
                        @Override
                        public ShardId homeOf(BucketId bucket) {
                            return HOME;
                        }

                        @Override
                        public ReplicatedGroup groupOf(ShardId shard) {
                            return home;
                        }
                    };
            // Asks twice.
            this.metadata =
                    new MetadataClient(
                            map,
                            () -> millis,
                            Duration.ofMillis(1),
                            pause -> {
                                millis += pause;
                                return true;
                            });
            this.writer =
                    new ObjectWriter(
                            new IndexClient(
                                    List.of(new Group(true)), () -> Instant.ofEpochSecond(seconds)),
                            mutant.store(new Store()),
                            metadata,
                            this::v,
                            DOMAINS,
                            ENGINE,
                            pool,
                            BUDGET,
                            () -> 0);
        }

        private V v() {
            return new V(session.epoch(), session.session(), counted++);
        }

        private Object ask(Next question) {
            if (taken == answers.size()) {
                throw new Unanswered(question);
            }
            return answers.get(taken++).value().orElse(null);
        }

        Outcome run() {
            try {
                return switch (request) {
                    case Request.Put put -> put(put);
                    case Request.Delete(String key, Versioning versioning) -> {
                        metadata.deleteObject(
                                v(),
                                BUCKET,
                                ObjectKey.of(key),
                                versioning,
                                new Precondition.None());
                        yield Outcome.SUCCEEDED;
                    }
                    case Request.Remove(String key) -> remove(ObjectKey.of(key));
                    case Request.Copy(String from, String to) ->
                            copy(ObjectKey.of(from), ObjectKey.of(to));
                };
            } catch (MetadataException e) {
                return e.code() == MetadataException.Code.UNKNOWN
                        ? Outcome.UNKNOWN
                        : Outcome.FAILED;
            } catch (ObjectStoreException e) {
                return Outcome.FAILED;
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }

        private Outcome remove(ObjectKey key) {
            Optional<ObjectVersion> newest = metadata.findVersion(BUCKET, key, Optional.empty());
            if (newest.isEmpty()) {
                return Outcome.FAILED;
            }
            metadata.deleteVersion(
                    v(), BUCKET, key, newest.get().id(), false, new Precondition.None());
            return Outcome.SUCCEEDED;
        }

        private Outcome put(Request.Put put) throws IOException {
            ObjectKey key = ObjectKey.of(put.key());
            WriteTarget target =
                    new WriteTarget(BUCKET, key, new DomainId(1), CHUNKING, ChunkCodec.OFF);
            ByteBuffer data = ByteBuffer.wrap(bytes(put.content()));
            ByteSource source =
                    into -> {
                        if (!data.hasRemaining()) {
                            return -1;
                        }
                        int count = data.remaining();
                        into.put(data);
                        return count;
                    };
            WrittenBody written = writer.write(target, source, data.remaining(), Set.of());
            metadata.putObject(
                    BUCKET,
                    key,
                    written.body(),
                    spec(put.content(), put.versioning()),
                    put.precondition());
            return Outcome.SUCCEEDED;
        }

        private Outcome copy(ObjectKey from, ObjectKey to) {
            Optional<Stored> stored = metadata.openObject(BUCKET, from);
            if (stored.isEmpty()) {
                return Outcome.FAILED;
            }
            metadata.copyObject(
                    v(),
                    BUCKET,
                    stored.get().version(),
                    BUCKET,
                    to,
                    spec(stored.get().version().etag(), Versioning.NEVER),
                    new Precondition.None());
            return Outcome.SUCCEEDED;
        }

        private static byte[] bytes(String content) {
            byte[] bytes = new byte[content.length() * CHUNK];
            for (int i = 0; i < content.length(); i++) {
                Arrays.fill(bytes, i * CHUNK, (i + 1) * CHUNK, (byte) content.charAt(i));
            }
            return bytes;
        }

        private static VersionSpec spec(String content, Versioning versioning) {
            return new VersionSpec(
                    content, ObjectAttributes.NONE, List.of(), Keeping.of(versioning));
        }

        private final class Group implements ReplicatedGroup {
            private final boolean index;

            Group(boolean index) {
                this.index = index;
            }

            @Override
            public byte[] submit(byte[] command) {
                Object reply = ask(new Next.Submit(index, ByteBuffer.wrap(command)));
                if (reply == null) {
                    throw new ReplicationException(ReplicationException.Code.UNKNOWN, "no answer");
                }
                return ((ByteBuffer) reply).array().clone();
            }

            @Override
            @SuppressWarnings("unchecked")
            public <T> T read(Function<KvReader, T> query) {
                return (T) ask(new Next.Read(index, query));
            }

            @Override
            public <T> T readLocal(Function<KvReader, T> query) {
                return read(query);
            }
        }

        private final class Store implements ChunkStore {
            @Override
            @SuppressWarnings("unchecked")
            public List<ChunkAddress> append(V v, DomainId domain, List<NewChunk> chunks) {
                Object addresses =
                        ask(
                                new Next.Append(
                                        v, chunks.stream().map(NewChunk::fingerprint).toList()));
                if (addresses == null) {
                    throw new ChunkStoreException(
                            ChunkStoreException.Code.UNAVAILABLE, "no answer");
                }
                return (List<ChunkAddress>) addresses;
            }

            @Override
            public List<ChunkAddress> copy(V v, List<Wanted> chunks) {
                throw new UnsupportedOperationException("nobody copies here");
            }

            @Override
            public boolean heal(ChunkAddress damaged, Wanted whole) {
                throw new UnsupportedOperationException("nothing is damaged here");
            }

            @Override
            public void read(List<Wanted> chunks, ByteBuffer target, ChunkOpener opener) {
                throw new UnsupportedOperationException("nobody reads here");
            }
        }
    }
}
