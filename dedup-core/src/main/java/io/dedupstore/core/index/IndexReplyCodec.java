package io.dedupstore.core.index;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.dedupstore.core.index.proto.ReplyMessage;
import io.dedupstore.core.model.ClaimAnswer;
import java.nio.BufferUnderflowException;
import java.util.List;

/** Replies to bytes and back; {@code docs/formats/index.md}. */
public final class IndexReplyCodec {
    private IndexReplyCodec() {}

    public static byte[] encode(IndexReply reply) {
        ReplyMessage.Builder out = ReplyMessage.newBuilder();
        switch (reply) {
            case IndexReply.Claimed(List<ClaimAnswer> answers) ->
                    out.setClaimed(ByteString.copyFrom(Answers.toBytes(answers)));
            case IndexReply.Refused(IndexReply.Refused.Code code, String reason) ->
                    out.setRefused(
                            ReplyMessage.Refused.newBuilder()
                                    .setCode(code.number())
                                    .setReason(reason));
            case IndexReply.Delivered(long lastApplied) -> out.setDelivered(lastApplied);
            case IndexReply.Gap(long lastApplied) -> out.setGap(lastApplied);
            case IndexReply.Pruned(int entries, long chunkBytes) ->
                    out.setPruned(
                            ReplyMessage.Pruned.newBuilder()
                                    .setEntries(entries)
                                    .setBytes(chunkBytes));
            case IndexReply.Done() -> out.setDone(ReplyMessage.Done.getDefaultInstance());
        }
        return out.build().toByteArray();
    }

    /**
     * @throws IllegalArgumentException not a reply that this release knows
     */
    public static IndexReply decode(byte[] bytes) {
        try {
            ReplyMessage in = ReplyMessage.parseFrom(bytes);
            return switch (in.getReplyCase()) {
                case CLAIMED ->
                        new IndexReply.Claimed(
                                Answers.read(in.getClaimed().asReadOnlyByteBuffer()));
                case REFUSED ->
                        new IndexReply.Refused(
                                IndexReply.Refused.Code.ofNumber(in.getRefused().getCode()),
                                in.getRefused().getReason());
                case DELIVERED -> new IndexReply.Delivered(in.getDelivered());
                case GAP -> new IndexReply.Gap(in.getGap());
                case PRUNED ->
                        new IndexReply.Pruned(
                                in.getPruned().getEntries(), in.getPruned().getBytes());
                case DONE -> new IndexReply.Done();
                case REPLY_NOT_SET ->
                        throw new IllegalArgumentException(
                                "a reply of the index that this release does not know");
            };
        } catch (InvalidProtocolBufferException | BufferUnderflowException e) {
            throw new IllegalArgumentException("not a reply of the index", e);
        }
    }
}
