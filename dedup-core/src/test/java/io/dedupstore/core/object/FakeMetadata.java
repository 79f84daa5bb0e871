package io.dedupstore.core.object;

import io.dedupstore.core.metadata.Body;
import io.dedupstore.core.metadata.MetadataService;
import io.dedupstore.core.metadata.NewBody;
import io.dedupstore.core.model.BucketId;
import io.dedupstore.core.model.ManifestEntry;
import io.dedupstore.core.model.ObjectKey;
import io.dedupstore.core.model.Retained;
import io.dedupstore.core.model.Segment;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.V;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Keeps manifests; whatever the straight line has no business to call fails. */
final class FakeMetadata {
    final Map<V, List<ManifestEntry>> manifests = new HashMap<>();
    final List<V> abandoned = new ArrayList<>();
    private final Map<V, List<ManifestEntry>> sent = new HashMap<>();

    MetadataService service() {
        return (MetadataService)
                Proxy.newProxyInstance(
                        MetadataService.class.getClassLoader(),
                        new Class<?>[] {MetadataService.class},
                        (proxy, method, arguments) -> {
                            switch (method.getName()) {
                                case "shardOf":
                                    return ShardId.metadata(0);
                                case "sendRow":
                                    sendRow(arguments);
                                    return null;
                                case "commitEarlier":
                                    commit((NewBody.Holder) arguments[2]);
                                    return null;
                                case "abandon":
                                    abandoned.add((V) arguments[2]);
                                    return null;
                                case "readManifest":
                                    return readManifest((V) arguments[2], (Long) arguments[3]);
                                default:
                                    throw new AssertionError("unexpected call of " + method);
                            }
                        });
    }

    @SuppressWarnings("unchecked")
    private void sendRow(Object[] arguments) {
        List<ManifestEntry> rows = sent.computeIfAbsent((V) arguments[2], v -> new ArrayList<>());
        if (rows.size() != (Integer) arguments[3] * MetadataService.MANIFEST_ROW_ENTRIES) {
            throw new AssertionError("row out of order");
        }
        rows.addAll((List<ManifestEntry>) arguments[4]);
    }

    /** Publishes a holder. */
    void commit(NewBody.Holder holder) {
        List<ManifestEntry> all = new ArrayList<>(sent.getOrDefault(holder.v(), List.of()));
        if (all.size() != holder.sentRows() * MetadataService.MANIFEST_ROW_ENTRIES) {
            throw new AssertionError("rows missing");
        }
        all.addAll(holder.tail());
        manifests.put(holder.v(), all);
    }

    /** What a committed write can be read by. */
    Body body(WrittenBody written) {
        return switch (written.body()) {
            case NewBody.Inline(V v, byte[] bytes, byte[] seal) -> new Body.Inline(bytes, seal);
            case NewBody.Holder holder -> {
                commit(holder);
                List<Segment> segments = new ArrayList<>();
                for (V earlier : holder.earlier()) {
                    segments.add(new Segment(earlier, 0, length(earlier)));
                }
                segments.add(new Segment(holder.v(), 0, length(holder.v())));
                yield new Body.Segments(segments);
            }
        };
    }

    private long length(V holder) {
        return manifests.get(holder).stream().mapToLong(ManifestEntry::length).sum();
    }

    private Optional<MetadataService.ManifestStretch> readManifest(V holder, long offset) {
        List<ManifestEntry> entries = manifests.getOrDefault(holder, List.of());
        long start = 0;
        for (int i = 0; i < entries.size(); i++) {
            long end = start + entries.get(i).length();
            if (offset < end) {
                int rowEnd =
                        (i / MetadataService.MANIFEST_ROW_ENTRIES + 1)
                                * MetadataService.MANIFEST_ROW_ENTRIES;
                return Optional.of(
                        new MetadataService.ManifestStretch(
                                start, entries.subList(i, Math.min(rowEnd, entries.size()))));
            }
            start = end;
        }
        return Optional.empty();
    }

    static Map<ShardId, Retained> claimedOf(WrittenBody written) {
        return ((NewBody.Holder) written.body()).claimed();
    }

    static final BucketId BUCKET = new BucketId(7);
    static final ObjectKey KEY = ObjectKey.of("key");
}
