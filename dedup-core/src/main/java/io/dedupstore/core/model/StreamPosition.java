package io.dedupstore.core.model;

/**
 * How far a stream has been applied by its receiver.
 *
 * @param upTo number of the last item; {@code Long.MAX_VALUE} when the receiver is gone for good
 */
public record StreamPosition(Destination stream, long upTo) {
    /** The most streams that one command acknowledges. */
    public static final int MAX_STREAMS = 500;

    public StreamPosition {
        if (upTo < 0) {
            throw new IllegalArgumentException("item number " + upTo);
        }
    }
}
