package io.dedupstore.server;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What has been started, to be closed in the opposite order; a failure does not keep the rest open.
 */
final class Closing implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Closing.class);

    private final Deque<AutoCloseable> started = new ArrayDeque<>();

    <T extends AutoCloseable> T add(T part) {
        started.push(part);
        return part;
    }

    @Override
    public void close() {
        while (!started.isEmpty()) {
            AutoCloseable part = started.pop();
            try {
                part.close();
            } catch (Exception e) {
                LOG.error("closing {} failed", part.getClass().getSimpleName(), e);
            }
        }
    }
}
