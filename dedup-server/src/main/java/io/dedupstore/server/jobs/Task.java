package io.dedupstore.server.jobs;

/** What a job does, on a platform thread of its own. */
@FunctionalInterface
public interface Task {
    /**
     * Ends early, with what it has done so far, when {@link Progress#cancelled} says so.
     *
     * @return what came of it
     */
    Object run(Progress progress) throws Exception;
}
