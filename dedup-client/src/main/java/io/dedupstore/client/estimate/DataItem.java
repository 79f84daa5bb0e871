package io.dedupstore.client.estimate;

/**
 * A file or an object.
 *
 * @param version tells a later content apart; empty where nothing does
 */
public record DataItem(String name, long size, String version) {
    public DataItem {
        if (size < 0) {
            throw new IllegalArgumentException(name + " of " + size + " bytes");
        }
    }
}
