package io.dedupstore.client.admin;

import java.util.List;

/** Sessions that the control group knows, newest first. */
public record SessionList(List<Session> sessions) {
    public SessionList {
        sessions = List.copyOf(sessions);
    }

    /**
     * One session.
     *
     * @param state open, closing or closed
     * @param openIntents intents of its epoch that are not decided yet
     */
    public record Session(int epoch, int session, String state, long openIntents) {}
}
