package io.dedupstore.core.fingerprint;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that go through one digest, in segments. The engine's lock guards it while it waits, and
 * the one primary that has taken it owns it while it runs.
 */
final class DigestJob {
    /** Where a job is. */
    enum State {
        /** Waits, but nobody waits for it. */
        PUT_OFF,
        WANTED,
        /** In the hands of a primary, or at its end. */
        TAKEN
    }

    /** Up to here a job is short: it goes first, and its class has calls of its own. */
    static final int SHORT_BYTES = 16 << 10;

    private final Ticket ticket;
    private final ByteBuffer bytes;
    private final int length;
    private final @Nullable RunningDigest stream;
    private final int digestAt;
    private final JobQueue queue;

    State state = State.PUT_OFF;
    long wantedAt;
    boolean begun;

    private DigestJob(
            Ticket ticket,
            ByteBuffer bytes,
            @Nullable RunningDigest stream,
            int digestAt,
            JobQueue queue) {
        this.ticket = ticket;
        this.bytes = bytes;
        this.length = bytes.remaining();
        this.stream = stream;
        this.digestAt = digestAt;
        this.queue = queue;
    }

    /**
     * @param bytes the job's own view
     */
    static DigestJob update(Ticket ticket, RunningDigest stream, ByteBuffer bytes, JobQueue queue) {
        return new DigestJob(ticket, bytes, stream, -1, queue);
    }

    /**
     * A message whose digest goes to the ticket.
     *
     * @param stream a new one for this message; null for a kernel that takes whole messages
     */
    static DigestJob message(
            Ticket ticket,
            @Nullable RunningDigest stream,
            ByteBuffer bytes,
            int digestAt,
            JobQueue queue) {
        return new DigestJob(ticket, bytes, stream, digestAt, queue);
    }

    Ticket ticket() {
        return ticket;
    }

    /** Where it waits. */
    JobQueue queue() {
        return queue;
    }

    /** From its position on: what has not been run. */
    ByteBuffer bytes() {
        return bytes;
    }

    int length() {
        return length;
    }

    boolean isShort() {
        return length <= SHORT_BYTES;
    }

    RunningDigest stream() {
        if (stream == null) {
            throw new IllegalStateException("a whole message has no stream");
        }
        return stream;
    }

    /** All bytes have been run. */
    boolean isRun() {
        return !bytes.hasRemaining();
    }

    /** After the last byte: a message's digest goes where it is wanted. */
    void end() {
        if (stream != null && digestAt >= 0) {
            putDigest(stream.digest(), 0);
        }
    }

    /** Of a whole message, from packed ones. */
    void putDigest(byte[] packed, int from) {
        System.arraycopy(packed, from, ticket.digests(), digestAt, HashEngine.SHA256_LENGTH);
    }
}
