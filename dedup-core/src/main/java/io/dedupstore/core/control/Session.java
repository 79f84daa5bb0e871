package io.dedupstore.core.control;

/** A gateway's lease: every V it makes carries both numbers. */
public record Session(int epoch, int session) {}
