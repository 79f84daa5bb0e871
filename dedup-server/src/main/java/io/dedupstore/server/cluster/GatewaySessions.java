package io.dedupstore.server.cluster;

import io.dedupstore.core.control.ControlService;
import io.dedupstore.core.control.Session;
import io.dedupstore.core.model.V;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sessions of this gateway and the V's made under them: a new V at each call, never the same
 * again, because every session is new.
 *
 * <p>What an attempt leaves behind when it is given up without a word expires with its epoch, and
 * an epoch can close only after its sessions have ended. So a gateway that runs for months takes a
 * new session from time to time. The one before is kept for as long as an attempt may take, then
 * ended, whatever still runs under it: such an attempt is refused as stale by every shard and by
 * storage, and fails.
 *
 * <p>{@link #get} and {@link #current} from any thread; the rest is serialized here.
 */
public final class GatewaySessions implements Supplier<V>, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(GatewaySessions.class);

    private final ControlService control;
    private final String node;
    private final Duration renewAfter;
    private final Duration keepFor;
    private final LongSupplier nanoClock;
    private final Deque<Retired> retired = new ArrayDeque<>();
    private volatile Attempts attempts;

    private record Attempts(Session session, AtomicLong counter, long since) {}

    private record Retired(Session session, long since) {}

    /**
     * Opens the first session; those of an earlier process of this node end.
     *
     * @param renewAfter age at which a session that was used is replaced
     * @param keepFor how long a replaced session may still be used: longer than any attempt takes
     */
    public GatewaySessions(
            ControlService control,
            String node,
            Duration renewAfter,
            Duration keepFor,
            LongSupplier nanoClock) {
        this.control = control;
        this.node = node;
        this.renewAfter = renewAfter;
        this.keepFor = keepFor;
        this.nanoClock = nanoClock;
        this.attempts = begin(control.openSession(node));
    }

    private Attempts begin(Session session) {
        LOG.info("session {} in epoch {}", session.session(), session.epoch());
        return new Attempts(session, new AtomicLong(), nanoClock.getAsLong());
    }

    @Override
    public V get() {
        Attempts now = attempts;
        Session session = now.session();
        return new V(session.epoch(), session.session(), now.counter().getAndIncrement());
    }

    /** The session that new attempts belong to. */
    public Session current() {
        return attempts.session();
    }

    /**
     * Renews the session when it is due and ends those that have been kept long enough.
     *
     * @return false: there is nothing to be looked at sooner than the next time
     */
    public synchronized boolean step() {
        long now = nanoClock.getAsLong();
        boolean used = attempts.counter().get() > 0;
        if (used && now - attempts.since() >= renewAfter.toNanos()) {
            renew();
        }
        while (!retired.isEmpty() && now - retired.getFirst().since() >= keepFor.toNanos()) {
            endOldest();
        }
        return false;
    }

    /** From now on attempts belong to a new session in a new epoch; earlier ones live on. */
    public synchronized Session renew() {
        Attempts before = attempts;
        attempts = begin(control.renewSession(node));
        retired.addLast(new Retired(before.session(), nanoClock.getAsLong()));
        return attempts.session();
    }

    /**
     * Renews the session behind a change that takes back what attempts were answered so far. In
     * this order: an attempt of the new session would otherwise commit what it was answered before
     * the change.
     *
     * @return the epoch up to which attempts may have such answers
     */
    public synchronized int renewBehind(Runnable change) {
        change.run();
        return renew().epoch() - 1;
    }

    /** Ends all sessions but the current one; what still runs under them fails. */
    public synchronized void endEarlier() {
        while (!retired.isEmpty()) {
            endOldest();
        }
    }

    private void endOldest() {
        control.endSession(retired.getFirst().session());
        Retired ended = retired.removeFirst();
        LOG.info("session {} has ended", ended.session().session());
    }

    /** Ends all. */
    @Override
    public synchronized void close() {
        endEarlier();
        control.endSession(attempts.session());
    }
}
