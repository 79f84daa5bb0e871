package io.dedupstore.core.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Parser;
import io.dedupstore.core.kv.KvReader;
import io.dedupstore.core.kv.Table;
import io.dedupstore.core.model.V;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * Counts from all rows of a shard who uses which holder and layout, and compares with the counts
 * kept.
 */
final class UseCounts {
    private final KvReader rows;
    private final RowKeys keys = new RowKeys(TestStore.SHARD);
    private final Map<V, Integer> holders = new TreeMap<>();
    private final Map<V, Integer> layouts = new TreeMap<>();

    private UseCounts(KvReader rows) {
        this.rows = rows;
    }

    static void check(KvReader rows, String what) {
        UseCounts counts = new UseCounts(rows);
        counts.count();
        Map<V, Integer> holders = new TreeMap<>();
        counts.each(
                RowKeys.Kind.HOLDER,
                MetadataProto.HolderRow.parser(),
                (key, row) -> {
                    if (row.getUses() > 0) {
                        holders.put(RowKeys.vOf(key), row.getUses());
                    }
                });
        Map<V, Integer> layouts = new TreeMap<>();
        counts.each(
                RowKeys.Kind.LAYOUT,
                MetadataProto.LayoutRow.parser(),
                (key, row) -> layouts.put(RowKeys.vOf(key), row.getUses()));
        assertThat(holders).as(what).isEqualTo(counts.holders);
        assertThat(layouts).as(what).isEqualTo(counts.layouts);
    }

    private void count() {
        for (Scans.Row row :
                Scans.first(rows, RowKeys.OBJECTS, new byte[] {0, 3}, Integer.MAX_VALUE)) {
            body(
                    RowReader.parse(RowKeys.OBJECTS, MetadataProto.ObjectRow.parser(), row.value())
                            .getBody());
        }
        each(
                RowKeys.Kind.VERSION,
                MetadataProto.ObjectRow.parser(),
                (k, row) -> body(row.getBody()));
        each(RowKeys.Kind.PART, MetadataProto.PartRow.parser(), (k, row) -> body(row.getBody()));
        each(
                RowKeys.Kind.LAYOUT_PAGE,
                MetadataProto.LayoutPageRow.parser(),
                (k, row) -> row.getPiecesList().forEach(this::piece));
        each(
                RowKeys.Kind.INVISIBLE,
                MetadataProto.InvisibleRow.parser(),
                (key, row) -> row.getHoldersList().forEach(v -> add(holders, Wire.v(v))));
        each(RowKeys.Kind.GARBAGE, MetadataProto.GarbageRow.parser(), (k, row) -> garbage(row));
    }

    private void garbage(MetadataProto.GarbageRow row) {
        row.getUses().getHoldersList().forEach(v -> add(holders, Wire.v(v)));
        ByteString layout = row.getLayoutUse();
        if (!layout.isEmpty()) {
            add(layouts, Wire.v(layout));
        }
    }

    private void body(MetadataProto.BodyRow body) {
        body.getPiecesList().forEach(this::piece);
        if (!body.getLayout().isEmpty()) {
            add(layouts, Wire.v(body.getLayout()));
        }
    }

    private void piece(MetadataProto.Piece piece) {
        if (piece.hasRange()) {
            add(holders, Wire.v(piece.getRange().getHolder()));
        }
    }

    private static void add(Map<V, Integer> counts, V v) {
        counts.merge(v, 1, Integer::sum);
    }

    private <T> void each(RowKeys.Kind kind, Parser<T> parser, BiConsumer<byte[], T> use) {
        Table table = RowKeys.ROWS;
        for (Scans.Row row : Scans.first(rows, table, keys.all(kind), Integer.MAX_VALUE)) {
            use.accept(row.key(), RowReader.parse(table, parser, row.value()));
        }
    }
}
