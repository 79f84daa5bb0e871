package io.dedupstore.core.model;

/** What an index shard says to one item of a CLAIM. */
public sealed interface ClaimAnswer {
    /** The offered address became the entry's. */
    record Own(ChunkAddress address) implements ClaimAnswer {}

    /** The entry was there; its address is to be used. */
    record Use(ChunkAddress address) implements ClaimAnswer {}

    /** No entry may be made: the chunk is the holder's own, at an address this V appended. */
    record Unindexed() implements ClaimAnswer {}

    /** Not there and nothing offered: append and claim again. */
    record Miss() implements ClaimAnswer {}
}
