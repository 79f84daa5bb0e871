package io.dedupstore.core.sim;

import io.dedupstore.core.metadata.Precondition;
import io.dedupstore.core.metadata.Versioning;
import io.dedupstore.core.sim.Actor.Request;
import java.util.List;

/**
 * What a small world begins with, who is in it and what may go wrong.
 *
 * @param before requests that are served, one after the other, and come to rest before it begins
 * @param gateways the requests under way in each; those of one gateway have one session and die
 *     together
 * @param mirrored whether the first two requests are alike and of one gateway, so that a state in
 *     which they have changed places need not be looked at again
 * @param faults how often in all a request or its answer is lost, late or repeated
 * @param crashes how many gateways may die
 * @param prunes how often the entries may be pruned
 * @param limits how often the index may be filled up, and emptied again
 * @param lazyStorage whether storage hears of what it must do at any later time, not at once
 */
record Scenario(
        String name,
        List<Request> before,
        List<List<Request>> gateways,
        boolean mirrored,
        int faults,
        int crashes,
        int prunes,
        int limits,
        boolean lazyStorage) {
    private static final Request PUT = put("k", new Precondition.None(), Versioning.NEVER);
    private static final Request PUT_NEW = put("k", new Precondition.Absent(), Versioning.NEVER);
    private static final Request PUT_OTHER = put("l", new Precondition.None(), Versioning.NEVER);
    private static final Request PUT_VERSION =
            put("k", new Precondition.None(), Versioning.ENABLED);
    private static final Request DELETE = new Request.Delete("k", Versioning.NEVER);
    private static final Request DELETE_NULL = new Request.Delete("k", Versioning.SUSPENDED);
    private static final Request REMOVE = new Request.Remove("k");

    private static Request put(String key, Precondition precondition, Versioning versioning) {
        return new Request.Put(key, "p", precondition, versioning);
    }

    private static Scenario two(
            String name, Request writer, List<Request> before, List<Request> other) {
        return new Scenario(
                name, before, List.of(List.of(writer, writer), other), true, 1, 1, 1, 0, false);
    }

    /** Two writers of one content and a deleter: all that the protocol is about. */
    static final Scenario CONTENTION = two("contention", PUT, List.of(), List.of(DELETE));

    /** The content is there already, and goes. */
    static final Scenario REPLACEMENT = two("replacement", PUT, List.of(PUT), List.of(DELETE));

    /** Only one of the writers can win. */
    static final Scenario CONDITION = two("condition", PUT_NEW, List.of(PUT), List.of(DELETE));

    /** A writer that dies beside one that goes on. */
    static final Scenario SURVIVOR =
            new Scenario(
                    "survivor",
                    List.of(PUT_OTHER),
                    List.of(List.of(PUT), List.of(PUT), List.of(DELETE)),
                    false,
                    1,
                    1,
                    1,
                    0,
                    false);

    /** The index fills up and empties while it is asked. */
    static final Scenario FULL =
            new Scenario(
                    "full",
                    List.of(),
                    List.of(List.of(PUT, PUT), List.of(DELETE)),
                    true,
                    1,
                    1,
                    0,
                    2,
                    false);

    /** One writer, to the end of all that can happen. */
    static final Scenario SOLITARY =
            new Scenario("solitary", List.of(), List.of(List.of(PUT)), false, 1, 1, 1, 1, true);

    /** Storage hears of everything late. */
    static final Scenario RECLAIM =
            new Scenario(
                    "reclaim",
                    List.of(),
                    List.of(List.of(PUT), List.of(PUT_OTHER)),
                    false,
                    1,
                    1,
                    0,
                    1,
                    true);

    /** Holders are shared by copies. */
    static final Scenario COPIES =
            new Scenario(
                    "copies",
                    List.of(PUT),
                    List.of(List.of(new Request.Copy("k", "l")), List.of(PUT), List.of(DELETE)),
                    false,
                    1,
                    1,
                    1,
                    0,
                    false);

    /** Versions come and go, and a null version with them. */
    static final Scenario VERSIONS =
            new Scenario(
                    "versions",
                    List.of(PUT),
                    List.of(
                            List.of(PUT_VERSION, PUT_VERSION),
                            List.of(REMOVE),
                            List.of(DELETE_NULL)),
                    false,
                    1,
                    1,
                    1,
                    0,
                    false);

    static final List<Scenario> ALL =
            List.of(
                    CONTENTION,
                    REPLACEMENT,
                    CONDITION,
                    SURVIVOR,
                    FULL,
                    COPIES,
                    VERSIONS,
                    SOLITARY,
                    RECLAIM);

    @Override
    public String toString() {
        return name;
    }
}
