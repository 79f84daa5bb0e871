package io.dedupstore.core.sim;

import io.dedupstore.core.io.WorkerPool;
import io.dedupstore.core.sim.SmallWorld.Action;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Goes through all states of a small world, nearest first, and checks each. The first violation
 * comes with the shortest way there.
 */
final class Exploration {
    /** One state in so many is brought to rest, on a copy. */
    private static final int REST_EVERY = 32;

    private final Scenario scenario;
    private final Mutant mutant;
    private final SmallWorld world;
    private final LongMap seen = new LongMap();
    private final Numbered<Action> actions = new Numbered<>();
    private int[] parents = new int[1 << 12];
    private int[] steps = new int[1 << 12];
    private int count;
    private long transitions;
    private int depth;
    private boolean complete;
    private Optional<String> violation = Optional.empty();
    private Duration time = Duration.ZERO;

    /**
     * @param mirror the same state with the two writers exchanged; null when there is none
     */
    private record Node(int number, int[] state, int @Nullable [] mirror) {}

    Exploration(Scenario scenario, Mutant mutant, WorkerPool pool) {
        this.scenario = scenario;
        this.mutant = mutant;
        this.world = new SmallWorld(scenario, mutant, pool);
    }

    int count() {
        return count;
    }

    /** Whether there are no other states. */
    boolean isComplete() {
        return complete;
    }

    Optional<String> violation() {
        return violation;
    }

    /** Until all states are seen, so many are, or one is wrong. */
    Exploration run(int maxStates) {
        long start = System.nanoTime();
        int[] first = world.start();
        List<Node> layer = new ArrayList<>();
        add(first, scenario.mirrored() ? first : null, 0, 0).ifPresent(layer::add);
        while (!layer.isEmpty() && violation.isEmpty() && count < maxStates) {
            List<Node> next = new ArrayList<>();
            for (Node node : layer) {
                if (violation.isPresent() || count >= maxStates) {
                    break;
                }
                goOn(node, next);
            }
            layer = next;
            depth += layer.isEmpty() ? 0 : 1;
        }
        complete = layer.isEmpty() && violation.isEmpty();
        time = Duration.ofNanos(System.nanoTime() - start);
        return this;
    }

    private void goOn(Node node, List<Node> next) {
        int[] mirror = node.mirror();
        if (mirror != null) {
            world.match(node.state(), mirror);
        }
        for (Action action : world.actions(node.state())) {
            transitions++;
            int step = actions.of(action);
            try {
                int[] state = world.apply(node.state(), action);
                if (Arrays.equals(state, node.state())) {
                    continue;
                }
                int[] mirrored =
                        mirror == null || world.tellsApart(action, node.state(), state)
                                ? null
                                : world.apply(mirror, world.mirror(action));
                Optional<Node> found = add(state, mirrored, node.number(), step);
                if (found.isPresent()) {
                    next.add(found.get());
                    check(found.get());
                }
            } catch (AssertionError | RuntimeException e) {
                violation = Optional.of(explain(e, node, action));
                return;
            }
        }
    }

    private void check(Node node) {
        world.check(node.state());
        if (node.number() % REST_EVERY == 0) {
            world.checkRest(node.state());
        }
    }

    /** Empty when it, or its mirror image, has been seen. */
    private Optional<Node> add(int[] state, int @Nullable [] mirror, int parent, int step) {
        long digest = digest(state);
        if (mirror != null) {
            digest = Math.min(digest, digest(mirror));
        }
        if (!seen.putIfAbsent(digest, count)) {
            return Optional.empty();
        }
        if (count == parents.length) {
            parents = Arrays.copyOf(parents, 2 * count);
            steps = Arrays.copyOf(steps, 2 * count);
        }
        parents[count] = parent;
        steps[count] = step;
        return Optional.of(new Node(count++, state, mirror));
    }

    /** 63 bits: two of a million states are taken for one once in ten million runs. */
    private static long digest(int[] state) {
        long one = 0x9E37_79B9_7F4A_7C15L;
        long two = 0xD6E8_FEB8_6659_FD93L;
        for (int number : state) {
            one = Long.rotateLeft((one ^ number) * 0xA076_1D64_78BD_642FL, 29);
            two = (two ^ Long.rotateLeft(one, 17)) * 0xE703_7ED1_A0B4_28DBL;
        }
        long mixed = one ^ (two >>> 32) ^ two;
        mixed = (mixed ^ (mixed >>> 31)) * 0x8EBC_6AF0_9C88_C6E3L;
        return (mixed ^ (mixed >>> 29)) >>> 1;
    }

    private String explain(Throwable e, Node node, Action last) {
        List<String> words = new ArrayList<>();
        words.add(world.describe(last));
        for (int at = node.number(); at != 0; at = parents[at]) {
            words.addFirst(world.describe(actions.get(steps[at])));
        }
        Throwable cause = e.getCause() == null ? e : e.getCause();
        return cause.getMessage() + System.lineSeparator() + "  " + String.join(", ", words);
    }

    @Override
    public String toString() {
        return "%s, %s: %,d states, %,d transitions, depth %d%s, %.1f s, %,d states a second; %s%s"
                .formatted(
                        scenario,
                        mutant,
                        count,
                        transitions,
                        depth,
                        complete ? " (all)" : "",
                        time.toMillis() / 1000.0,
                        count * 1000L / Math.max(1, time.toMillis()),
                        world.sizes(),
                        violation.map(v -> System.lineSeparator() + "  " + v).orElse(""));
    }
}
