package io.dedupstore.core.control;

/** A session, the node it belongs to, and whether it has ended. */
public record SessionRecord(Session session, String node, long openedMillis, boolean ended) {}
