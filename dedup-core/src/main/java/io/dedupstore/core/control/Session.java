package io.dedupstore.core.control;

/** A gateway's lease: every V it makes carries both numbers. */
public record Session(int epoch, int session) {
    public Session {
        if (epoch < 1 || session < 1) {
            throw new IllegalArgumentException("not a session: " + epoch + "." + session);
        }
    }

    @Override
    public String toString() {
        return epoch + "." + session;
    }
}
