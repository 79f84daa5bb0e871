package io.dedupstore.core.metadata;

import io.dedupstore.core.kv.KvCursor;
import io.dedupstore.core.model.Bytes;
import io.dedupstore.core.model.V;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Bodies of versions, put together from their rows. */
final class BodyReader {
    private final RowReader reader;

    BodyReader(RowReader reader) {
        this.reader = reader;
    }

    /**
     * @param parts of a completed upload, else empty
     */
    record Opened(Body body, List<PartInfo> parts) {}

    Opened open(MetadataProto.BodyRow body) {
        if (body.getLayout().isEmpty()) {
            return new Opened(Piece.toBody(Wire.pieces(body.getPiecesList())), List.of());
        }
        V layout = Wire.v(body.getLayout());
        MetadataProto.LayoutRow row = reader.layout(layout);
        if (row == null) {
            throw new IllegalStateException("layout " + layout + " is missing");
        }
        return switch (row.getKind()) {
            case PIECES -> new Opened(Piece.toBody(pages(layout)), List.of());
            case PARTS -> parts(layout);
            case UNRECOGNIZED -> throw new IllegalStateException("layout of an unknown kind");
        };
    }

    private List<Piece> pages(V layout) {
        List<Piece> pieces = new ArrayList<>();
        byte[] prefix = reader.keys.of(RowKeys.Kind.LAYOUT_PAGE, layout);
        try (KvCursor cursor =
                reader.rows().scan(RowKeys.ROWS, prefix, Bytes.successorOfPrefix(prefix))) {
            while (cursor.next()) {
                MetadataProto.LayoutPageRow page =
                        RowReader.parse(
                                RowKeys.ROWS, MetadataProto.LayoutPageRow.parser(), cursor.value());
                pieces.addAll(Wire.pieces(page.getPiecesList()));
            }
        }
        return pieces;
    }

    private Opened parts(V upload) {
        Map<Integer, V> named = named(upload);
        List<Body> bodies = new ArrayList<>();
        List<PartInfo> parts = new ArrayList<>();
        byte[] prefix = reader.keys.of(RowKeys.Kind.PART, upload);
        try (KvCursor cursor =
                reader.rows().scan(RowKeys.ROWS, prefix, Bytes.successorOfPrefix(prefix))) {
            while (cursor.next()) {
                int number = RowKeys.numberOf(cursor.key());
                if (named.containsKey(number)) {
                    MetadataProto.PartRow part =
                            RowReader.parse(
                                    RowKeys.ROWS, MetadataProto.PartRow.parser(), cursor.value());
                    parts.add(partInfo(number, part));
                    add(open(part.getBody()).body(), bodies);
                }
            }
        }
        if (parts.size() != named.size()) {
            throw new IllegalStateException(
                    "%d of %d parts of %s are there".formatted(parts.size(), named.size(), upload));
        }
        return new Opened(new Body.Parts(bodies), parts);
    }

    private static void add(Body part, List<Body> bodies) {
        switch (part) {
            case Body.Inline inline -> bodies.add(inline);
            case Body.Segments segments -> bodies.add(segments);
            case Body.Parts(List<Body> pieces) -> bodies.addAll(pieces);
        }
    }

    private Map<Integer, V> named(V upload) {
        Map<Integer, V> named = new HashMap<>();
        for (int page = 0; page <= UploadOperations.pageOf(PartInfo.MAX_NUMBER); page++) {
            reader.partPage(upload, page)
                    .getPartsList()
                    .forEach(part -> named.put(part.getNumber(), Wire.v(part.getV())));
        }
        return named;
    }

    static PartInfo partInfo(int number, MetadataProto.PartRow row) {
        return new PartInfo(
                number,
                Wire.v(row.getV()),
                row.getSize(),
                row.getEtag(),
                row.getModifiedMillis(),
                Wire.checksums(row.getChecksumsList()));
    }
}
