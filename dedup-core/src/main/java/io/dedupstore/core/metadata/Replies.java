package io.dedupstore.core.metadata;

import io.dedupstore.core.metadata.MetadataProto.Reply;
import io.dedupstore.core.metadata.MetadataProto.Reply.Status;

/** Replies of the state machine: format version, then protobuf. */
final class Replies {
    private static final byte FORMAT = 1;

    private Replies() {}

    static Reply ok() {
        return Reply.getDefaultInstance();
    }

    /** Success, and which version it was about, where that has a name. */
    static Reply about(VersionId id) {
        return id instanceof VersionId.Named
                ? Reply.newBuilder().setSubject(Wire.name(id)).build()
                : ok();
    }

    static Reply refused(MetadataProto.Refusal refusal, String message) {
        return Reply.newBuilder()
                .setStatus(Status.REFUSED)
                .setRefusal(refusal)
                .setMessage(message)
                .build();
    }

    static Reply of(Status status, String message) {
        return Reply.newBuilder().setStatus(status).setMessage(message).build();
    }

    static byte[] encode(Reply reply) {
        return Format.prefix(FORMAT, reply);
    }

    static Reply decode(byte[] bytes) {
        return Format.parse("a reply of a metadata shard", FORMAT, Reply.parser(), bytes);
    }

    /**
     * The reply, if it tells of success.
     *
     * @throws MetadataException otherwise
     */
    static Reply expectOk(Reply reply) {
        return switch (reply.getStatus()) {
            case OK -> reply;
            case REFUSED ->
                    throw new MetadataException(code(reply.getRefusal()), reply.getMessage());
            case STALE, NOT_HOSTED ->
                    throw new MetadataException(MetadataException.Code.UNKNOWN, reply.getMessage());
            case OUT_OF_TURN -> throw new IllegalStateException(reply.getMessage());
            case UNRECOGNIZED ->
                    throw new MetadataException(
                            MetadataException.Code.UNKNOWN, "a reply of a newer release");
        };
    }

    private static MetadataException.Code code(MetadataProto.Refusal refusal) {
        return switch (refusal) {
            case PRECONDITION_FAILED -> MetadataException.Code.PRECONDITION_FAILED;
            case NO_SUCH_KEY -> MetadataException.Code.NO_SUCH_KEY;
            case NO_SUCH_VERSION -> MetadataException.Code.NO_SUCH_VERSION;
            case IS_DELETE_MARKER -> MetadataException.Code.IS_DELETE_MARKER;
            case LOCKED -> MetadataException.Code.LOCKED;
            case NO_SUCH_BUCKET -> MetadataException.Code.NO_SUCH_BUCKET;
            case NO_SUCH_UPLOAD -> MetadataException.Code.NO_SUCH_UPLOAD;
            case INVALID_PART -> MetadataException.Code.INVALID_PART;
            case BUCKET_NOT_EMPTY -> MetadataException.Code.BUCKET_NOT_EMPTY;
            case SOURCE_CHANGED -> MetadataException.Code.SOURCE_CHANGED;
            case TOO_MANY_SEGMENTS -> MetadataException.Code.TOO_MANY_SEGMENTS;
            case ABORTED, REFUSAL_UNSPECIFIED, UNRECOGNIZED -> MetadataException.Code.ABORTED;
        };
    }
}
