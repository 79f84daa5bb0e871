package io.dedupstore.server.cluster;

import io.dedupstore.core.control.Session;
import io.dedupstore.core.model.V;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * A new V at each call, never the same again: the session is new at every start. Any number of
 * threads.
 */
public final class SessionAttempts implements Supplier<V> {
    private final Session session;
    private final AtomicLong counter = new AtomicLong();

    public SessionAttempts(Session session) {
        this.session = session;
    }

    @Override
    public V get() {
        return new V(session.epoch(), session.session(), counter.getAndIncrement());
    }
}
