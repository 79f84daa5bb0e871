package io.dedupstore.client.estimate;

/**
 * How far an estimate is.
 *
 * @param listedItems seen in the listing that decides what is read
 * @param listedBytes of them
 * @param listed whether the listing has ended
 * @param wantedBytes chosen to be read so far; all of them when {@code listed}
 * @param readBytes read so far
 * @param planning whether this is still the listing that a limit of bytes needs first
 */
public record Progress(
        long listedItems,
        long listedBytes,
        boolean listed,
        long wantedBytes,
        long readBytes,
        boolean planning) {}
