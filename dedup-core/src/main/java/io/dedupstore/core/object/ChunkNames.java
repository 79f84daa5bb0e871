package io.dedupstore.core.object;

import io.dedupstore.core.cipher.RootKey;
import io.dedupstore.core.fingerprint.Fingerprinter;
import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.model.V;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** What the chunks of one write are called. One request's own; for virtual threads. */
interface ChunkNames {
    /** One for each chunk, in order. */
    List<Fingerprint> of(List<ByteBuffer> chunks);

    /** By their content. */
    static ChunkNames ofContent(Fingerprinter fingerprinter) {
        return fingerprinter::fingerprints;
    }

    /**
     * By where they are in the write, under a key that the server does not keep: no other chunk
     * anywhere is called the same, and the name tells nothing of the content.
     *
     * @param first attempt of the write
     */
    static ChunkNames ofPlace(RootKey key, V first) {
        return new ChunkNames() {
            private long next;

            @Override
            public List<Fingerprint> of(List<ByteBuffer> chunks) {
                List<Fingerprint> names = new ArrayList<>(chunks.size());
                for (int i = 0; i < chunks.size(); i++) {
                    ByteBuffer place = ByteBuffer.allocate(V.BYTES + Long.BYTES);
                    first.write(place);
                    place.putLong(next++);
                    names.add(Fingerprint.of(key.derive("chunk-name", place.array())));
                }
                return names;
            }
        };
    }
}
