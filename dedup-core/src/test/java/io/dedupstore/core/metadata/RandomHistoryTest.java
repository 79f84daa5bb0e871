package io.dedupstore.core.metadata;

import static io.dedupstore.core.metadata.TestStore.BUCKET;
import static io.dedupstore.core.metadata.TestStore.key;
import static io.dedupstore.core.metadata.TestStore.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.core.kv.KvTransaction;
import io.dedupstore.core.kv.MemoryKvStore;
import io.dedupstore.core.metadata.MetadataService.Listed;
import io.dedupstore.core.metadata.MetadataService.SeenPart;
import io.dedupstore.core.model.ChunkReference;
import io.dedupstore.core.model.IndexMessage;
import io.dedupstore.core.model.ManifestEntry;
import io.dedupstore.core.model.ObjectKey;
import io.dedupstore.core.model.Segment;
import io.dedupstore.core.model.V;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Random operations, repeated and refused ones among them, against a map: the same objects, parts
 * and sums; use counts that match the references at every moment; nothing left at the end; the same
 * rows from the same log.
 */
class RandomHistoryTest {
    private static final int SEEDS = 12;
    private static final int STEPS = 200;
    private static final String[] NAMES = {"a", "a/1", "a/2", "b", "b/x/y", "c"};

    @Test
    void everyHistoryMatchesItsModel() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            new History(seed).run();
        }
    }

    /** What an object or part is made of; what is not in segments is inline. */
    private record Content(List<Segment> segments, long size) {}

    private record ModelObject(ObjectVersion version, Content content) {}

    private record ModelPart(PartInfo info, Content content) {}

    private record ModelUpload(String name, TreeMap<Integer, ModelPart> parts) {}

    private static final class History {
        private final long seed;
        private final Random random;
        private final TestStore store = new TestStore();
        private final TreeMap<ObjectKey, ModelObject> objects = new TreeMap<>();
        private final Map<V, ModelUpload> uploads = new TreeMap<>();
        private final Map<V, Set<ChunkReference>> references = new HashMap<>();
        private long nextChunk = 1;

        History(long seed) {
            this.seed = seed;
            this.random = new Random(seed);
        }

        void run() {
            for (int step = 0; step < STEPS; step++) {
                String what = "seed " + seed + ", step " + step;
                try {
                    step();
                } catch (RuntimeException e) {
                    throw new AssertionError(what, e);
                }
                if (step % 5 == 0) {
                    UseCounts.check(store.group.store(), what);
                    compare(what);
                }
            }
            end();
            replay();
        }

        private void step() {
            switch (random.nextInt(14)) {
                case 0, 1, 2 -> put();
                case 3 -> conditionalPut();
                case 4 -> delete();
                case 5, 6 -> copy();
                case 7 -> createUpload();
                case 8, 9 -> putPart();
                case 10 -> copyPart();
                case 11 -> complete();
                case 12 -> abortOrWork();
                default -> repeat();
            }
        }

        private String anyName() {
            return NAMES[random.nextInt(NAMES.length)];
        }

        // ---- bodies ----

        private record New(NewBody body, Content content) {}

        private New newBody() {
            V v = store.v();
            if (random.nextInt(4) == 0) {
                int size = random.nextInt(50);
                return new New(TestStore.inline(v, size), new Content(List.of(), size));
            }
            List<V> earlier = new ArrayList<>();
            List<Segment> segments = new ArrayList<>();
            long bytes = 0;
            while (random.nextInt(6) == 0) {
                V one = store.v();
                List<ManifestEntry> entries = entries(one);
                store.client.commitEarlier(
                        BUCKET, key("x"), store.holder(one, earlier, bytes, entries, Map.of()));
                earlier.add(one);
                long size = size(entries);
                segments.add(new Segment(one, 0, size));
                bytes += size;
            }
            List<ManifestEntry> entries = entries(v);
            segments.add(new Segment(v, 0, size(entries)));
            NewBody body = store.holder(v, earlier, bytes, entries, Map.of());
            return new New(body, new Content(segments, bytes + size(entries)));
        }

        private static long size(List<ManifestEntry> entries) {
            return entries.stream().mapToLong(ManifestEntry::length).sum();
        }

        private List<ManifestEntry> entries(V v) {
            int count =
                    random.nextInt(20) == 0 ? 500 + random.nextInt(1200) : 1 + random.nextInt(5);
            List<ManifestEntry> entries = new ArrayList<>();
            Set<ChunkReference> held = new HashSet<>();
            for (int i = 0; i < count; i++) {
                ManifestEntry entry =
                        switch (random.nextInt(5)) {
                            case 0 -> TestStore.zero(1 + random.nextInt(3));
                            case 1 -> TestStore.unindexed(nextChunk, 70, (int) nextChunk++);
                            case 2 -> TestStore.indexed(nextChunk++);
                            default -> TestStore.indexed(1 + random.nextInt(40));
                        };
                entries.add(entry);
                if (entry.kind() == ManifestEntry.Kind.INDEXED) {
                    held.add(entry.reference());
                }
            }
            references.put(v, held);
            return entries;
        }

        // ---- operations ----

        private void put() {
            New made = newBody();
            ObjectKey key = key(anyName());
            ObjectVersion version =
                    store.client.putObject(
                            BUCKET, key, made.body(), spec("e" + made.body().v()), none());
            objects.put(key, new ModelObject(version, made.content()));
        }

        private static Precondition none() {
            return new Precondition.None();
        }

        private void conditionalPut() {
            V v = store.v();
            ObjectKey key = key(anyName());
            boolean there = objects.containsKey(key);
            NewBody body = TestStore.inline(v, 9);
            try {
                ObjectVersion version =
                        store.client.putObject(
                                BUCKET, key, body, spec("e" + v), new Precondition.Absent());
                assertThat(there).as("seed " + seed).isFalse();
                objects.put(key, new ModelObject(version, new Content(List.of(), 9)));
            } catch (MetadataException e) {
                assertThat(there).as("seed " + seed).isTrue();
            }
        }

        private void delete() {
            ObjectKey key = key(anyName());
            assertThat(store.delete(key.text())).isEqualTo(objects.remove(key) != null);
        }

        private Optional<ModelObject> anyObject() {
            return Optional.ofNullable(objects.get(key(anyName())));
        }

        private void copy() {
            anyObject()
                    .ifPresent(
                            source -> {
                                ObjectKey to = key(anyName());
                                ObjectVersion made = store.copy(source.version(), to.text());
                                objects.put(to, new ModelObject(made, source.content()));
                            });
        }

        private void createUpload() {
            String name = anyName();
            uploads.put(store.upload(name), new ModelUpload(name, new TreeMap<>()));
        }

        private Optional<Map.Entry<V, ModelUpload>> anyUpload() {
            List<Map.Entry<V, ModelUpload>> all = List.copyOf(uploads.entrySet());
            return all.isEmpty()
                    ? Optional.empty()
                    : Optional.of(all.get(random.nextInt(all.size())));
        }

        private void putPart() {
            anyUpload()
                    .ifPresent(
                            upload -> {
                                New made = newBody();
                                int number = number();
                                PartInfo info =
                                        store.part(
                                                upload.getValue().name(),
                                                upload.getKey(),
                                                number,
                                                made.body());
                                upload.getValue()
                                        .parts()
                                        .put(number, new ModelPart(info, made.content()));
                            });
        }

        private int number() {
            return random.nextInt(4) == 0 ? 1 + random.nextInt(10_000) : 1 + random.nextInt(4);
        }

        private void copyPart() {
            Optional<Map.Entry<V, ModelUpload>> upload = anyUpload();
            Optional<ModelObject> source = anyObject();
            if (upload.isEmpty() || source.isEmpty()) {
                return;
            }
            List<Segment> pieces = new ArrayList<>();
            int times = random.nextInt(10) == 0 ? 80 : 1;
            for (Segment segment : source.get().content().segments()) {
                for (int i = 0; i < times && pieces.size() < 2000; i++) {
                    long length = 1 + random.nextLong(segment.length());
                    long from = random.nextLong(segment.length() - length + 1);
                    pieces.add(new Segment(segment.holder(), from, length));
                }
            }
            long size = pieces.stream().mapToLong(Segment::length).sum();
            int number = number();
            PartInfo info =
                    store.client.copyPart(
                            store.v(),
                            BUCKET,
                            source.get().version(),
                            BUCKET,
                            key(upload.get().getValue().name()),
                            upload.get().getKey(),
                            number,
                            new Body.Segments(pieces),
                            "c",
                            List.of());
            upload.get()
                    .getValue()
                    .parts()
                    .put(number, new ModelPart(info, new Content(pieces, size)));
        }

        private void complete() {
            Optional<Map.Entry<V, ModelUpload>> any = anyUpload();
            if (any.isEmpty()) {
                return;
            }
            ModelUpload upload = any.get().getValue();
            List<ModelPart> chosen =
                    upload.parts().values().stream().filter(part -> random.nextBoolean()).toList();
            if (chosen.isEmpty()) {
                return;
            }
            ObjectVersion version =
                    store.client.completeUpload(
                            store.v(),
                            BUCKET,
                            key(upload.name()),
                            any.get().getKey(),
                            chosen.stream()
                                    .map(p -> new SeenPart(p.info().number(), p.info().v()))
                                    .toList(),
                            spec("m"),
                            none());
            List<Segment> segments = new ArrayList<>();
            chosen.forEach(part -> segments.addAll(part.content().segments()));
            long size = chosen.stream().mapToLong(part -> part.content().size()).sum();
            objects.put(key(upload.name()), new ModelObject(version, new Content(segments, size)));
            uploads.remove(any.get().getKey());
        }

        private void abortOrWork() {
            if (random.nextBoolean()) {
                store.group.work();
                return;
            }
            anyUpload()
                    .ifPresent(
                            upload -> {
                                store.client.abortUpload(
                                        store.v(),
                                        BUCKET,
                                        key(upload.getValue().name()),
                                        upload.getKey());
                                uploads.remove(upload.getKey());
                            });
        }

        /** An old request arrives again: nothing changes. */
        private void repeat() {
            List<byte[]> log = store.group.log();
            if (log.isEmpty()) {
                return;
            }
            byte[] old = log.get(random.nextInt(log.size()));
            if (CommandDecoder.decode(old) instanceof MetadataCommand.Request) {
                Map<String, String> before = store.group.rows();
                store.group.submit(old);
                assertThat(store.group.rows()).as("seed " + seed).isEqualTo(before);
            }
        }

        // ---- checks ----

        private void compare(String what) {
            List<ObjectVersion> listed =
                    store
                            .client
                            .listObjects(BUCKET, "", Optional.empty(), Optional.empty(), 1000)
                            .lines()
                            .stream()
                            .map(line -> ((Listed.Key) line).version())
                            .toList();
            assertThat(listed)
                    .as(what)
                    .isEqualTo(objects.values().stream().map(ModelObject::version).toList());
            long logical = 0;
            for (ModelObject object : objects.values()) {
                MetadataService.Stored stored = store.open(object.version().key().text());
                assertThat(MetadataService.segmentsOf(stored.body()))
                        .as(what)
                        .isEqualTo(object.content().segments());
                assertThat(stored.body().length()).as(what).isEqualTo(object.version().size());
                assertThat(object.version().size()).as(what).isEqualTo(object.content().size());
                logical += object.version().size();
            }
            for (Map.Entry<V, ModelUpload> upload : uploads.entrySet()) {
                List<PartInfo> parts =
                        upload.getValue().parts().values().stream().map(ModelPart::info).toList();
                assertThat(
                                store.client.listParts(
                                        BUCKET,
                                        key(upload.getValue().name()),
                                        upload.getKey(),
                                        0,
                                        20_000))
                        .as(what)
                        .isEqualTo(parts);
                logical += parts.stream().mapToLong(PartInfo::size).sum();
            }
            MetadataService.BucketUsage usage = store.client.usage(BUCKET);
            assertThat(usage.objects()).as(what).isEqualTo(objects.size());
            assertThat(usage.uploads()).as(what).isEqualTo(uploads.size());
            assertThat(usage.logicalBytes()).as(what).isEqualTo(logical);
            assertThat(usage.inlineBytes() + usage.referencedChunkBytes()).isEqualTo(logical);
        }

        private void end() {
            String what = "seed " + seed;
            List.copyOf(objects.keySet()).forEach(key -> store.delete(key.text()));
            uploads.forEach(
                    (v, upload) ->
                            store.client.abortUpload(store.v(), BUCKET, key(upload.name()), v));
            store.close(1);
            store.rest();
            assertThat(store.leftRows()).as(what).isEmpty();
            assertThat(store.client.totals(TestStore.SHARD))
                    .as(what)
                    .isEqualTo(new ShardTotals(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
            Map<V, Set<ChunkReference>> released = new HashMap<>();
            for (IndexMessage.Release release : store.releases()) {
                for (ChunkReference reference : release.references()) {
                    assertThat(
                                    released.computeIfAbsent(release.holder(), v -> new HashSet<>())
                                            .add(reference))
                            .as(what + ": released once")
                            .isTrue();
                }
            }
            references.values().removeIf(Set::isEmpty);
            assertThat(released).as(what).isEqualTo(references);
        }

        private void replay() {
            MetadataStateMachine machine =
                    new MetadataStateMachine(List.of(TestStore.SHARD), TestStore.INDEX_SHARDS);
            TestGroup other = new TestGroup(machine);
            MemoryKvStore rows = other.store();
            // Several commands to an entry, as a leader merges them.
            List<byte[]> log = store.group.log();
            for (int from = 0; from < log.size(); from += 7) {
                KvTransaction entry = new KvTransaction(rows);
                log.subList(from, Math.min(log.size(), from + 7))
                        .forEach(command -> machine.apply(entry, command));
                rows.write(entry.toBatch());
            }
            assertThat(other.rows()).as("seed " + seed).isEqualTo(store.group.rows());
        }
    }
}
