package io.dedupstore.server.storage;

import io.dedupstore.core.container.ContainerHeader;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.DomainId;
import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.spi.ChunkStoreException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

/**
 * A storage node as the writer and the readers of its containers see it. Blocks on the disk, so
 * only platform threads call it. Failures are {@link ChunkStoreException}, thrown or as the cause
 * of a failed future.
 */
public interface ContainerReplica {
    /** Creates a container that this caller alone will append to; durable on return. */
    void open(ContainerHeader header);

    /**
     * Appends encoded records behind what was appended before.
     *
     * @param offset where the writer believes the file ends; anything else is refused
     * @param records whole records, position to limit; the caller's again on return
     * @return completed when the records are durable. When it fails, what was appended since the
     *     last success is lost and the container takes no more: seal it and go on with another
     */
    CompletableFuture<Void> append(ContainerId container, long offset, ByteBuffer records);

    /**
     * Makes a container immutable. What was appended behind the last acknowledged record goes.
     *
     * @param slots how many slots were acknowledged by every replica
     */
    void seal(ContainerId container, int slots);

    /**
     * Reads whole records as they are stored, neighbours with one read. Nothing is verified: that
     * is the reader's work.
     *
     * @param sink called once for each slot, in an order of the node's choice
     * @throws ChunkStoreException GONE when a slot was freed and its bytes are no longer there
     */
    void read(ContainerId container, int[] slots, RecordSink sink);

    /**
     * A chunk as it is stored somewhere else.
     *
     * @param stored position to limit
     */
    record Whole(
            DomainId domain,
            Fingerprint fingerprint,
            int codec,
            int cipher,
            int keyVersion,
            int length,
            ByteBuffer stored) {}

    /**
     * Makes a slot whole again when its record does not verify; otherwise it stays as it is.
     *
     * @return false when the slot was freed
     */
    boolean heal(ContainerId container, int slot, Whole whole);

    /** Takes one record. */
    interface RecordSink {
        /**
         * @param index which of the wanted slots
         * @param record direct, valid during the call only
         */
        void accept(int index, ByteBuffer record);
    }
}
