package io.dedupstore.core.sigv4;

import io.dedupstore.core.io.ByteSource;
import io.dedupstore.core.sigv4.SigV4Exception.Reason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Takes the {@code aws-chunked} framing off a payload and verifies what the client signed.
 *
 * <pre>
 *   signed     SIZE;chunk-signature=HEX CRLF data CRLF ... 0;chunk-signature=HEX CRLF [trailers] CRLF
 *   unsigned   SIZE CRLF data CRLF ... 0 CRLF [trailers] CRLF
 *   trailers   (name:value EOL)* [x-amz-trailer-signature:HEX EOL]
 * </pre>
 *
 * Payload goes into the reader's buffer before its chunk's signature can be checked, and chunks are
 * checked before the call that completes them returns. So what a call returned may still prove
 * forged in a later call: a reader shows nothing to anybody before it has seen -1. The whole
 * payload, its length, its trailers and the end of the underlying body have been verified then.
 * Blocking; one reader; no state is usable after an exception.
 */
public final class ChunkedBodyDecoder {
    /** Signed chunks but the last are at least this long, as on AWS. */
    static final int MIN_SIGNED_CHUNK_BYTES = 8 * 1024;

    private final FramedInput in;
    private final boolean trailing;
    private final OptionalLong decodedLength;
    private final Set<String> declaredTrailers;
    private final @Nullable ChunkChain chain;
    private Map<String, String> trailers = Map.of();
    private boolean inChunk;
    private boolean finished;
    private long chunkNumber;
    private long chunkRemaining;
    private long lastChunkSize = MIN_SIGNED_CHUNK_BYTES;
    private String chunkSignature = "";
    private long decoded;

    /**
     * @param mode one of the framed modes
     * @param signing the head's signature; null for (and only for) the unsigned mode
     * @param decodedLength what {@code x-amz-decoded-content-length} says
     * @param declaredTrailers what {@code x-amz-trailer} says, lower case
     */
    public ChunkedBodyDecoder(
            ByteSource source,
            PayloadMode mode,
            @Nullable SigningContext signing,
            OptionalLong decodedLength,
            Set<String> declaredTrailers,
            PayloadHasher hasher) {
        boolean signed = !(mode instanceof PayloadMode.StreamingUnsignedTrailer);
        if (!mode.framed() || signed != (signing != null)) {
            throw new IllegalArgumentException(
                    "mode " + mode + " and signing context do not go together");
        }
        this.in = new FramedInput(source);
        this.trailing = !(mode instanceof PayloadMode.StreamingSigned);
        this.decodedLength = decodedLength;
        this.declaredTrailers = Set.copyOf(declaredTrailers);
        this.chain = signing == null ? null : new ChunkChain(signing, hasher);
    }

    /**
     * Fills {@code dst} as far as the payload goes, waiting for bytes as long as there is room.
     *
     * @return payload bytes put into {@code dst}; -1 after the end of a payload that was found
     *     whole and genuine; 0 only if {@code dst} has no room
     * @throws SigV4Exception if the payload is malformed, incomplete or not what was signed
     * @throws IOException if the source fails
     */
    public int read(ByteBuffer dst) throws IOException {
        if (finished) {
            return -1;
        }
        int start = dst.position();
        int pieceStart = start;
        while (dst.hasRemaining() && !finished) {
            if (!inChunk) {
                nextChunk();
                pieceStart = dst.position();
            } else {
                transfer(dst, pieceStart);
            }
        }
        if (chain != null) {
            if (inChunk && dst.position() > pieceStart) {
                chain.piece(dst.slice(pieceStart, dst.position() - pieceStart));
            }
            chain.settle();
        }
        int produced = dst.position() - start;
        return produced == 0 && finished ? -1 : produced;
    }

    /** Names in lower case; to be asked for after {@link #read} has returned -1. */
    public Map<String, String> trailers() {
        if (!finished) {
            throw new IllegalStateException("trailers are known at the end of the payload only");
        }
        return trailers;
    }

    private void nextChunk() throws IOException {
        ChunkHeader header = ChunkHeader.parse(in.line(ChunkHeader.MAX_LINE_BYTES), chain != null);
        if (header.size() == 0) {
            finish(header);
            return;
        }
        chunkNumber++;
        if (chain != null && lastChunkSize < MIN_SIGNED_CHUNK_BYTES) {
            throw new SigV4Exception(
                    Reason.INVALID_CHUNK_SIZE,
                    "Only the last chunk is allowed to have a size less than 8192 bytes",
                    Map.of(
                            "Chunk", Long.toString(chunkNumber),
                            "BadChunkSize", Long.toString(lastChunkSize)));
        }
        if (decodedLength.isPresent() && header.size() > decodedLength.getAsLong() - decoded) {
            throw FramedInput.incomplete();
        }
        lastChunkSize = header.size();
        chunkRemaining = header.size();
        chunkSignature = header.signature();
        inChunk = true;
    }

    private void transfer(ByteBuffer dst, int pieceStart) throws IOException {
        int count = in.payload(dst, (int) Math.min(chunkRemaining, Integer.MAX_VALUE));
        decoded += count;
        chunkRemaining -= count;
        if (chunkRemaining > 0) {
            return;
        }
        in.expectLineEnd();
        if (chain != null) {
            chain.chunkEnd(dst.slice(pieceStart, dst.position() - pieceStart), chunkSignature);
        }
        inChunk = false;
    }

    private void finish(ChunkHeader header) throws IOException {
        if (decodedLength.isPresent() && decodedLength.getAsLong() != decoded) {
            throw FramedInput.incomplete();
        }
        if (chain != null) {
            chain.settle();
            chain.lastChunk(header.signature());
        }
        if (trailing) {
            TrailerReader.Trailers read =
                    new TrailerReader(in, chain != null).read(declaredTrailers);
            if (chain != null) {
                chain.trailer(read.canonical(), read.signature().orElseThrow());
            }
            trailers = Map.copyOf(read.fields());
        } else {
            in.expectLineEnd();
        }
        if (!in.atEnd()) {
            throw FramedInput.malformed("bytes follow the last chunk");
        }
        finished = true;
    }
}
