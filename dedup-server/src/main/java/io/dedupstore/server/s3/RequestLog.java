package io.dedupstore.server.s3;

/** Hears of every request when it has been answered; must not block. */
@FunctionalInterface
public interface RequestLog {
    RequestLog NONE = request -> {};

    void record(LoggedRequest request);
}
