package io.dedupstore.core.state;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.ChunkReference;
import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.model.IndexMessage;
import io.dedupstore.core.model.ReferenceSum;
import io.dedupstore.core.model.Retained;
import io.dedupstore.core.model.StorageMessage;
import io.dedupstore.core.model.V;
import io.dedupstore.core.state.proto.IndexItem;
import io.dedupstore.core.state.proto.StorageItem;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Outbox items to bytes and back; {@code docs/formats/state.md}. Equal messages have equal bytes,
 * on every replica. Reading refuses, with {@link IllegalArgumentException}, what it does not know.
 */
public final class MessageCodec {
    private static final int REFERENCE_BYTES = Fingerprint.BYTES + ChunkAddress.BYTES;

    private MessageCodec() {}

    public static byte[] encode(IndexMessage message) {
        IndexItem.Builder item = IndexItem.newBuilder();
        switch (message) {
            case IndexMessage.Confirm(V v, Retained retained) ->
                    item.setConfirm(confirm(v, retained));
            case IndexMessage.Audit(ReferenceSum sum) ->
                    item.setAudit(
                            IndexItem.Audit.newBuilder()
                                    .setSumHigh(sum.high())
                                    .setSumLow(sum.low()));
            case IndexMessage.Abort(V v) ->
                    item.setAbort(IndexItem.Abort.newBuilder().setV(bytes(v)));
            case IndexMessage.Release(V holder, List<ChunkReference> references) ->
                    item.setRelease(
                            IndexItem.Release.newBuilder()
                                    .setHolder(bytes(holder))
                                    .setReferences(bytes(references)));
        }
        return item.build().toByteArray();
    }

    private static IndexItem.Confirm confirm(V v, Retained retained) {
        IndexItem.Confirm.Builder confirm = IndexItem.Confirm.newBuilder().setV(bytes(v));
        confirm.setSumHigh(retained.sum().high()).setSumLow(retained.sum().low());
        switch (retained) {
            case Retained.All(ReferenceSum sum) -> confirm.setAll(true);
            case Retained.None() -> confirm.setNone(true);
            case Retained.AllBut(Set<Fingerprint> dropped, ReferenceSum sum) -> {
                ByteBuffer out = ByteBuffer.allocate(dropped.size() * Fingerprint.BYTES);
                new TreeSet<>(dropped).forEach(fingerprint -> fingerprint.write(out));
                confirm.setAllBut(ByteString.copyFrom(out.flip()));
            }
        }
        return confirm.build();
    }

    public static byte[] encode(StorageMessage message) {
        StorageItem.Builder item = StorageItem.newBuilder();
        switch (message) {
            case StorageMessage.Adopt adopt -> item.setAdopt(encodeSlots(adopt.slots()));
            case StorageMessage.Free free -> item.setFree(encodeSlots(free.slots()));
            case StorageMessage.Closed(int epoch) ->
                    item.setClosed(StorageItem.Closed.newBuilder().setEpoch(epoch));
        }
        return item.build().toByteArray();
    }

    private static StorageItem.Slots encodeSlots(int[] slots) {
        StorageItem.Slots.Builder builder = StorageItem.Slots.newBuilder();
        for (int slot : slots) {
            builder.addSlot(slot);
        }
        return builder.build();
    }

    public static IndexMessage decodeIndex(byte[] bytes) {
        try {
            IndexItem item = IndexItem.parseFrom(bytes);
            return switch (item.getItemCase()) {
                case CONFIRM ->
                        new IndexMessage.Confirm(
                                v(item.getConfirm().getV()), retained(item.getConfirm()));
                case AUDIT ->
                        new IndexMessage.Audit(
                                new ReferenceSum(
                                        item.getAudit().getSumHigh(), item.getAudit().getSumLow()));
                case ABORT -> new IndexMessage.Abort(v(item.getAbort().getV()));
                case RELEASE ->
                        new IndexMessage.Release(
                                v(item.getRelease().getHolder()),
                                references(item.getRelease().getReferences()));
                case ITEM_NOT_SET -> throw unknown("an item for an index shard");
            };
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalArgumentException("not an item for an index shard", e);
        }
    }

    /** Whether an item for an index shard gives references up. */
    public static boolean isRelease(byte[] bytes) {
        try {
            return IndexItem.parseFrom(bytes).hasRelease();
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalArgumentException("not an item for an index shard", e);
        }
    }

    private static Retained retained(IndexItem.Confirm confirm) {
        ReferenceSum sum = new ReferenceSum(confirm.getSumHigh(), confirm.getSumLow());
        return switch (confirm.getRetainedCase()) {
            case ALL -> new Retained.All(sum);
            case NONE -> new Retained.None();
            case ALL_BUT -> {
                ByteBuffer in = whole(confirm.getAllBut(), Fingerprint.BYTES);
                Set<Fingerprint> dropped = new TreeSet<>();
                while (in.hasRemaining()) {
                    dropped.add(Fingerprint.read(in));
                }
                yield new Retained.AllBut(dropped, sum);
            }
            case RETAINED_NOT_SET -> throw unknown("what a CONFIRM retains");
        };
    }

    private static List<ChunkReference> references(ByteString bytes) {
        ByteBuffer in = whole(bytes, REFERENCE_BYTES);
        List<ChunkReference> references = new ArrayList<>(in.remaining() / REFERENCE_BYTES);
        while (in.hasRemaining()) {
            references.add(new ChunkReference(Fingerprint.read(in), ChunkAddress.read(in)));
        }
        return references;
    }

    public static StorageMessage decodeStorage(byte[] bytes) {
        try {
            StorageItem item = StorageItem.parseFrom(bytes);
            return switch (item.getItemCase()) {
                case ADOPT -> new StorageMessage.Adopt(slots(item.getAdopt()));
                case FREE -> new StorageMessage.Free(slots(item.getFree()));
                case CLOSED -> new StorageMessage.Closed(item.getClosed().getEpoch());
                case ITEM_NOT_SET -> throw unknown("an item for a container");
            };
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalArgumentException("not an item for a container", e);
        }
    }

    private static int[] slots(StorageItem.Slots slots) {
        return slots.getSlotList().stream().mapToInt(Integer::intValue).toArray();
    }

    private static V v(ByteString bytes) {
        return V.of(bytes.toByteArray());
    }

    private static ByteString bytes(V v) {
        return ByteString.copyFrom(v.toBytes());
    }

    private static ByteString bytes(List<ChunkReference> references) {
        ByteBuffer out = ByteBuffer.allocate(references.size() * REFERENCE_BYTES);
        for (ChunkReference reference : references) {
            reference.fingerprint().write(out);
            reference.address().write(out);
        }
        return ByteString.copyFrom(out.flip());
    }

    private static ByteBuffer whole(ByteString bytes, int recordBytes) {
        if (bytes.size() % recordBytes != 0) {
            throw new IllegalArgumentException(
                    bytes.size() + " bytes are not a number of records of " + recordBytes);
        }
        return bytes.asReadOnlyByteBuffer();
    }

    private static IllegalArgumentException unknown(String what) {
        return new IllegalArgumentException(
                what + " is of a kind that this release does not know: a newer one wrote it");
    }
}
