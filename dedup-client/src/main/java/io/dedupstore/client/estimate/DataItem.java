package io.dedupstore.client.estimate;

/**
 * A file or an object.
 *
 * @param name for people, and for choosing by chance
 * @param handle by which the data set finds it again; nobody else looks at it
 */
public record DataItem(String name, long size, Object handle) {
    public DataItem {
        if (size < 0) {
            throw new IllegalArgumentException(name + " of " + size + " bytes");
        }
    }
}
