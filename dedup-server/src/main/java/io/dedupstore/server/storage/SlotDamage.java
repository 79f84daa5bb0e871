package io.dedupstore.server.storage;

import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.Fingerprint;
import java.util.Optional;

/** Told of chunks that somebody owns and whose bytes are not what was stored. */
@FunctionalInterface
public interface SlotDamage {
    /**
     * Called on the maintenance thread, once in each scrub that finds it; may block for a short
     * while. A failure is logged, and the slot told again by the next scrub.
     *
     * @param fingerprint what the record says of itself, unproven; empty when not even its header
     *     can be read
     */
    void onDamage(ContainerId container, int slot, Optional<Fingerprint> fingerprint);
}
