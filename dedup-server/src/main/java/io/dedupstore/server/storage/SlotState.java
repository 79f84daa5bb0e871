package io.dedupstore.server.storage;

/** What becomes of a slot. Only forwards; {@code FREED} is terminal. The ordinal is persistent. */
enum SlotState {
    WRITTEN,
    ADOPTED,
    FREED
}
