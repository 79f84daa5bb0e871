package io.dedupstore.core.metadata;

import io.dedupstore.core.model.BucketId;
import io.dedupstore.core.model.Segment;
import io.dedupstore.core.model.V;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Bodies of versions and parts. Up to {@link #ROW_PIECES} pieces stand in the version's own row,
 * and the version has one use of each holder it names. More of them, or the parts of a completed
 * upload, are a layout: rows of their own that versions share by use count, so that a copy of any
 * object touches a handful of rows.
 */
final class Bodies {
    /** Pieces that stand in the row of a version or part. */
    static final int ROW_PIECES = 64;

    /** Pieces in a page of a layout. */
    static final int PAGE_PIECES = 512;

    /** Pieces that one command may bring. */
    static final int MAX_PIECES = 2048;

    /** Bytes of a body of pieces that may be inline. */
    static final int MAX_INLINE_BYTES = 64 << 10;

    private final ShardEntry entry;
    private final RowWriter rows;
    private final Holders holders;

    Bodies(ShardEntry entry) {
        this.entry = entry;
        this.rows = entry.rows();
        this.holders = new Holders(entry);
    }

    /** A body that was checked; {@link #install} makes it real. */
    interface Checked {
        /**
         * Writes it. To be called once.
         *
         * @return what the version's or part's row holds
         */
        MetadataProto.BodyRow install();
    }

    // ---- new bytes ----

    /** Checks new bytes; writes nothing. */
    Checked check(NewBody body, BucketId bucket) {
        return switch (body) {
            case NewBody.Inline inline -> {
                if (inline.bytes().length > Body.MAX_INLINE_BYTES) {
                    throw new Refused(
                            MetadataProto.Refusal.ABORTED,
                            inline.bytes().length + " bytes are too many to be inline");
                }
                if (inline.seal().length > NewBody.Inline.MAX_SEAL_BYTES) {
                    throw new Refused(
                            MetadataProto.Refusal.ABORTED,
                            "a seal of " + inline.seal().length + " bytes is none");
                }
                yield () -> inline(inline.bytes(), inline.seal());
            }
            case NewBody.Holder holder -> check(holder, bucket);
        };
    }

    private static MetadataProto.BodyRow inline(byte[] bytes, byte[] seal) {
        List<Piece> pieces = bytes.length == 0 ? List.of() : List.of(new Piece.Bytes(bytes, seal));
        return MetadataProto.BodyRow.newBuilder()
                .addAllPieces(Wire.toPieces(pieces))
                .setSize(bytes.length)
                .setInlineBytes(bytes.length)
                .build();
    }

    private Checked check(NewBody.Holder holder, BucketId bucket) {
        List<Piece> pieces = new ArrayList<>();
        BodySize size = earlier(holder, pieces);
        Holders.Checked last = holders.check(holder, bucket, holder.size() - size.bytes());
        long bytes = last.row().getSize();
        pieces.add(new Piece.Range(new Segment(holder.v(), 0, bytes)));
        BodySize all = size.plus(new BodySize(bytes, 0, last.row().getChunks(), 1));
        return () -> {
            holders.install(last);
            takeInvisible(holder);
            return store(holder.v(), pieces, all);
        };
    }

    /** From here on the earlier holders of a write are another row's, or visible. */
    void takeInvisible(NewBody.Holder holder) {
        if (!holder.earlier().isEmpty()) {
            rows.delete(rows.keys.of(RowKeys.Kind.INVISIBLE, holder.earlier().getLast()));
        }
    }

    /** Checks the invisible holders of the same write, and adds their ranges to {@code pieces}. */
    BodySize earlier(NewBody.Holder holder, List<Piece> pieces) {
        if (holder.earlier().size() > MetadataService.MAX_EARLIER_HOLDERS) {
            throw new Refused(
                    MetadataProto.Refusal.TOO_MANY_SEGMENTS,
                    holder.earlier().size() + " holders are too many for one write");
        }
        BodySize size = BodySize.ZERO;
        if (!holder.earlier().isEmpty()) {
            V last = holder.earlier().getLast();
            if (last.epoch() <= entry.shard().getRefusedEpoch()
                    || !rows.invisible(last).equals(holder.earlier())) {
                throw new Refused(
                        MetadataProto.Refusal.ABORTED,
                        "what this write committed up to " + last + " has been given up");
            }
        }
        for (V v : holder.earlier()) {
            MetadataProto.HolderRow row = holders.live(v);
            pieces.add(new Piece.Range(new Segment(v, 0, row.getSize())));
            size = size.plus(new BodySize(row.getSize(), 0, row.getChunks(), 1));
        }
        if (pieces.stream().distinct().count() != pieces.size()) {
            throw new Refused(MetadataProto.Refusal.ABORTED, "a holder is named twice");
        }
        return size;
    }

    // ---- bytes of others ----

    /** Checks ranges of existing holders; writes nothing. */
    Checked check(V owner, List<Piece> pieces) {
        if (pieces.size() > MAX_PIECES) {
            throw new Refused(
                    MetadataProto.Refusal.TOO_MANY_SEGMENTS,
                    pieces.size() + " pieces are too many, at most " + MAX_PIECES);
        }
        SortedMap<V, Integer> uses = new TreeMap<>();
        BodySize size = BodySize.ZERO;
        for (Piece piece : pieces) {
            size = size.plus(sizeOf(piece));
            if (piece instanceof Piece.Range(Segment segment)) {
                uses.merge(segment.holder(), 1, Integer::sum);
            }
        }
        if (size.inlineBytes() > MAX_INLINE_BYTES) {
            throw new Refused(
                    MetadataProto.Refusal.TOO_MANY_SEGMENTS,
                    size.inlineBytes() + " inline bytes are too many for one part");
        }
        BodySize all = size;
        return () -> {
            holders.use(uses);
            return store(owner, pieces, all);
        };
    }

    private BodySize sizeOf(Piece piece) {
        return switch (piece) {
            case Piece.Bytes bytes -> new BodySize(bytes.length(), (int) bytes.length(), 0, 0);
            case Piece.Range(Segment segment) -> {
                MetadataProto.HolderRow row = holders.live(segment.holder());
                if (segment.offset() + segment.length() > row.getSize()) {
                    throw new Refused(
                            MetadataProto.Refusal.SOURCE_CHANGED,
                            "a range goes beyond holder " + segment.holder());
                }
                yield new BodySize(segment.length(), 0, share(row, segment.length()), 1);
            }
        };
    }

    private static long share(MetadataProto.HolderRow row, long length) {
        // At most 65,536 chunks and 64 GiB: no overflow.
        return Math.ceilDiv(row.getChunks() * length, row.getSize());
    }

    /** Checks that a whole body can be shared; writes nothing. */
    Checked share(V owner, MetadataProto.BodyRow body) {
        if (body.getLayout().isEmpty()) {
            Checked pieces = check(owner, Wire.pieces(body.getPiecesList()));
            return () -> {
                pieces.install();
                return body;
            };
        }
        V layout = Wire.v(body.getLayout());
        return () -> {
            MetadataProto.LayoutRow row = layout(layout);
            int uses = Math.addExact(row.getUses(), 1);
            rows.put(
                    rows.keys.of(RowKeys.Kind.LAYOUT, layout),
                    row.toBuilder().setUses(uses).build());
            return body;
        };
    }

    private MetadataProto.LayoutRow layout(V v) {
        MetadataProto.LayoutRow row = rows.layout(v);
        if (row == null || row.getUses() == 0) {
            throw new IllegalStateException("layout " + v + " is named and not there");
        }
        return row;
    }

    private MetadataProto.BodyRow store(V owner, List<Piece> pieces, BodySize size) {
        MetadataProto.BodyRow.Builder body =
                MetadataProto.BodyRow.newBuilder()
                        .setSize(size.bytes())
                        .setInlineBytes(size.inlineBytes())
                        .setChunks(size.chunks())
                        .setSegments(size.segments());
        if (pieces.size() <= ROW_PIECES && size.inlineBytes() <= Body.MAX_INLINE_BYTES) {
            return body.addAllPieces(Wire.toPieces(pieces)).build();
        }
        rows.put(
                rows.keys.of(RowKeys.Kind.LAYOUT, owner),
                MetadataProto.LayoutRow.newBuilder()
                        .setUses(1)
                        .setKind(MetadataProto.LayoutRow.Kind.PIECES)
                        .build());
        for (int from = 0; from < pieces.size(); from += PAGE_PIECES) {
            int to = Math.min(pieces.size(), from + PAGE_PIECES);
            rows.putLayoutPage(
                    owner,
                    from / PAGE_PIECES,
                    null,
                    MetadataProto.LayoutPageRow.newBuilder()
                            .addAllPieces(Wire.toPieces(pieces.subList(from, to)))
                            .build());
        }
        return body.setLayout(Wire.bytes(owner)).build();
    }

    // ---- bodies no longer needed ----

    /** A version or part goes: what its body uses loses a use, by the garbage queue. */
    void discard(MetadataProto.BodyRow body) {
        if (!body.getLayout().isEmpty()) {
            entry.discard(
                    MetadataProto.GarbageRow.newBuilder().setLayoutUse(body.getLayout()).build());
            return;
        }
        MetadataProto.HolderUses.Builder uses = MetadataProto.HolderUses.newBuilder();
        for (MetadataProto.Piece piece : body.getPiecesList()) {
            if (piece.hasRange()) {
                uses.addHolders(piece.getRange().getHolder());
            }
        }
        if (uses.getHoldersCount() > 0) {
            entry.discard(MetadataProto.GarbageRow.newBuilder().setUses(uses).build());
        }
    }

    /** The same at once, for bodies that a step of the garbage queue comes upon. */
    void drop(MetadataProto.BodyRow body) {
        if (!body.getLayout().isEmpty()) {
            discard(body);
        } else {
            drop(body.getPiecesList());
        }
    }

    void drop(List<MetadataProto.Piece> pieces) {
        for (MetadataProto.Piece piece : pieces) {
            if (piece.hasRange()) {
                holders.unuse(Wire.v(piece.getRange().getHolder()));
            }
        }
    }
}
