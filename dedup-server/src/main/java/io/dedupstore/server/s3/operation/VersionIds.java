package io.dedupstore.server.s3.operation;

import io.dedupstore.core.metadata.VersionId;
import io.dedupstore.core.model.V;
import io.dedupstore.server.http.ResponseHeaders;
import io.dedupstore.server.s3.S3Exception;
import io.dedupstore.server.s3.S3Request;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Optional;

/**
 * Ids of versions as clients see them: the place of a version among those of its key and the
 * attempt that made it, in 32 characters that need no escaping anywhere.
 */
final class VersionIds {
    static final String HEADER = "x-amz-version-id";
    static final String NULL = "null";

    private static final String PARAMETER = "versionId";
    private static final int BYTES = 8 + V.BYTES;
    private static final int CHARACTERS = 32;

    private VersionIds() {}

    static String format(VersionId id) {
        return switch (id) {
            case VersionId.Null() -> NULL;
            case VersionId.Named(long order, V v) -> {
                ByteBuffer bytes = ByteBuffer.allocate(BYTES).putLong(order);
                v.write(bytes);
                yield Base64.getUrlEncoder().encodeToString(bytes.array());
            }
        };
    }

    /** Of answers to writes: they tell of versions with names alone. */
    static void addNamed(ResponseHeaders headers, VersionId id) {
        if (id instanceof VersionId.Named) {
            headers.add(HEADER, format(id));
        }
    }

    /**
     * The version that a query names.
     *
     * @throws S3Exception InvalidArgument: no version of this store can have that id
     */
    static Optional<VersionId> of(S3Request request) {
        return request.query().first(PARAMETER).map(text -> parse(PARAMETER, text));
    }

    static VersionId parse(String parameter, String text) {
        if (text.isEmpty()) {
            throw S3Exception.invalidArgument(
                    "Version id cannot be the empty string", parameter, text);
        }
        if (text.equals(NULL)) {
            return VersionId.NULL;
        }
        if (text.length() == CHARACTERS) {
            try {
                ByteBuffer bytes = ByteBuffer.wrap(Base64.getUrlDecoder().decode(text));
                if (bytes.remaining() == BYTES) {
                    return new VersionId.Named(bytes.getLong(), V.read(bytes));
                }
            } catch (IllegalArgumentException e) {
                throw invalid(parameter, text);
            }
        }
        throw invalid(parameter, text);
    }

    private static S3Exception invalid(String parameter, String text) {
        return S3Exception.invalidArgument("Invalid version id specified", parameter, text);
    }
}
