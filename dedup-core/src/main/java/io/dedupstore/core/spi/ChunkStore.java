package io.dedupstore.core.spi;

import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.DomainId;
import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.model.V;
import java.nio.ByteBuffer;
import java.util.List;

/** Where chunk bytes live. Blocking; any number of threads, virtual ones too. */
public interface ChunkStore {
    /**
     * One chunk to store.
     *
     * @param codec id of the compression codec that {@code stored} was made with, 0 for none
     * @param cipher id of the cipher that it was encrypted with then, 0 for none
     * @param keyVersion of the cipher's key, 0 for none
     * @param length plain bytes
     * @param stored bytes to keep, position to limit; the caller's, unchanged until the call
     *     returns
     */
    record NewChunk(
            Fingerprint fingerprint,
            int codec,
            int cipher,
            int keyVersion,
            int length,
            ByteBuffer stored) {
        /** One that is not encrypted. */
        public NewChunk(Fingerprint fingerprint, int codec, int length, ByteBuffer stored) {
            this(fingerprint, codec, 0, 0, length, stored);
        }
    }

    /**
     * Appends chunks and returns when they are durable on all replicas.
     *
     * @return one address for each chunk, in order
     * @throws ChunkStoreException nothing of it may be referenced
     */
    List<ChunkAddress> append(V v, DomainId domain, List<NewChunk> chunks);

    /**
     * Copies chunks, as they are stored, to new slots of {@code v}; durable on return. How else
     * could a chunk get a second owner, when only the V that appended a slot may offer its address.
     *
     * @return one address for each chunk, in order
     * @throws ChunkStoreException nothing of it may be referenced; {@code GONE} when a slot was
     *     freed, {@code DAMAGED} when bytes do not verify
     */
    List<ChunkAddress> copy(V v, List<Wanted> chunks);

    /**
     * Makes a slot whole again whose record cannot be read or does not verify; one that is whole
     * stays as it is. Durable on return.
     *
     * @param whole the same chunk elsewhere
     * @return false when the slot was freed, so that there is nothing to heal
     * @throws ChunkStoreException nothing was changed
     */
    boolean heal(ChunkAddress damaged, Wanted whole);

    /**
     * One chunk to read.
     *
     * @param length plain bytes expected
     */
    record Wanted(ChunkAddress address, Fingerprint fingerprint, int length) {}

    /**
     * Reads chunks, verifies checksum, fingerprint field and length of each record, decrypts,
     * decompresses and writes the plain bytes one after another at the position of {@code target}.
     * Neighbours in one container are read with one call.
     *
     * @param opener for those that are encrypted
     * @param target direct, with room for all; its position ends behind the last byte
     * @throws ChunkStoreException with {@code GONE} when a slot was freed, {@code DAMAGED} when
     *     bytes do not verify
     */
    void read(List<Wanted> chunks, ByteBuffer target, ChunkOpener opener);
}
