package io.dedupstore.core.sigv4;

import io.dedupstore.core.sigv4.SigV4Exception.Reason;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Verifies the chain of chunk signatures. Chunks that lie whole in the reader's buffer are digested
 * together when the buffer is handed over, so that an engine with several lanes can use them; one
 * that straddles buffers is digested piece by piece. Signatures are then checked in their order.
 */
final class ChunkChain {
    private record Pending(String signature, @Nullable ByteBuffer whole, byte[] digest) {}

    private static final byte[] NOT_YET = new byte[0];

    private final SigningContext signing;
    private final PayloadHasher hasher;
    private final List<Pending> pending = new ArrayList<>();
    private PayloadHasher.@Nullable Running straddling;
    private String previous;

    ChunkChain(SigningContext signing, PayloadHasher hasher) {
        this.signing = signing;
        this.hasher = hasher;
        this.previous = signing.seed();
    }

    /** The piece of an unfinished chunk that is about to leave with the buffer. */
    void piece(ByteBuffer piece) {
        if (straddling == null) {
            straddling = hasher.start();
        }
        straddling.update(piece);
    }

    /** The last piece of a chunk, still in the buffer, and what the client signed it with. */
    void chunkEnd(ByteBuffer lastPiece, String signature) {
        if (straddling == null) {
            pending.add(new Pending(signature, lastPiece, NOT_YET));
        } else {
            straddling.update(lastPiece);
            pending.add(new Pending(signature, null, straddling.digest()));
            straddling = null;
        }
    }

    /** Checks every chunk that has ended. */
    void settle() {
        List<ByteBuffer> messages = new ArrayList<>();
        for (Pending chunk : pending) {
            if (chunk.whole() != null) {
                messages.add(chunk.whole());
            }
        }
        List<byte[]> digests = messages.isEmpty() ? List.of() : hasher.digestAll(messages);
        int next = 0;
        for (Pending chunk : pending) {
            byte[] digest = chunk.whole() == null ? chunk.digest() : digests.get(next++);
            link(SigningContext.hex(digest), chunk.signature());
        }
        pending.clear();
    }

    /** Checks the empty chunk that ends the payload; everything before must be settled. */
    void lastChunk(String signature) {
        link(PayloadMode.EMPTY_SHA256, signature);
    }

    void trailer(String canonicalTrailers, String signature) {
        String hash = Hmac.sha256Hex(canonicalTrailers);
        if (!Hmac.matches(signing.trailerSignature(previous, hash), signature)) {
            throw mismatch(signing.trailerStringToSign(previous, hash), signature);
        }
    }

    private void link(String sha256, String signature) {
        if (!Hmac.matches(signing.chunkSignature(previous, sha256), signature)) {
            throw mismatch(signing.chunkStringToSign(previous, sha256), signature);
        }
        previous = signature;
    }

    private static SigV4Exception mismatch(String stringToSign, String provided) {
        return new SigV4Exception(
                Reason.SIGNATURE_MISMATCH,
                "The chunk or trailer signature we calculated does not match the signature you"
                        + " provided.",
                Map.of("StringToSign", stringToSign, "SignatureProvided", provided));
    }
}
