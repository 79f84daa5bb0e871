package io.dedupstore.client.estimate;

import java.io.IOException;
import java.io.InputStream;

/** What is estimated. {@link #list} is called by one thread, {@link #open} by any number. */
public interface DataSet extends AutoCloseable {
    /** Takes items one by one, so that no listing has to fit in memory. */
    @FunctionalInterface
    interface ItemSink {
        /**
         * @return whether more is wanted
         */
        boolean accept(DataItem item) throws IOException;

        /** Something that can't be listed is left out. */
        default void skipped(String why) {}
    }

    /** For people. */
    String describe();

    /** Shows all items, each once; where called again, the same ones if nothing changed. */
    void list(ItemSink sink) throws IOException;

    /** The bytes from (inclusive) to (exclusive) of an item. */
    InputStream open(DataItem item, long from, long to) throws IOException;

    @Override
    void close();
}
