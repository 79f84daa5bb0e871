package io.dedupstore.core.sim;

import io.dedupstore.core.control.Bootstrap;
import io.dedupstore.core.control.ClusterLayout;
import io.dedupstore.core.control.Session;
import io.dedupstore.core.index.IndexShardClient;
import io.dedupstore.core.io.WorkerPool;
import io.dedupstore.core.kv.KvReader;
import io.dedupstore.core.metadata.Precondition;
import io.dedupstore.core.metadata.Versioning;
import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.sim.Actor.Answer;
import io.dedupstore.core.sim.Actor.Next;
import io.dedupstore.core.sim.Actor.Outcome;
import io.dedupstore.core.state.ReplicatedGroup;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The production machines, gateways and closer of a scenario as a table of states and what can
 * happen in each. A state is a row of numbers: those of the machines' rows, of storage, of what
 * each request has been answered so far, of requests still in the network, and what may yet go
 * wrong. Equal numbers are equal states, exactly. Whatever happens is done by production code, the
 * first time it happens to that part of the state.
 */
final class SmallWorld {
    private static final ShardId INDEX = ShardId.index(0);
    private static final int SEED_CONTAINER = 1;
    private static final int FIRST_CONTAINER = 2;
    private static final int MAX_LATE = 5;
    private static final int MAX_REST = 500;
    private static final int DEAD = -1;

    // Places in a state.
    private static final int META = Machines.META;
    private static final int IDX = Machines.IDX;
    private static final int STORE = Machines.STORE;
    private static final int CONTROL = Machines.CONTROL;
    private static final int FAULTS = 4;
    private static final int CRASHES = 5;
    private static final int PRUNES = 6;
    private static final int LIMITS = 7;
    private static final int EFFECTS = 8;
    private static final int STOPPED = 9;
    private static final int LATE = 10;
    private static final int ACTORS = LATE + MAX_LATE;

    /** What can happen. */
    enum Kind {
        /** A request arrives and is answered. */
        ANSWER,
        /** The same, and it will arrive again. */
        REPEAT,
        /** No answer comes; the request arrives later or never. */
        LOSE,
        /** It arrives when nobody waits any more. */
        ARRIVE,
        /** The gateway dies, and its session with it. */
        CRASH,
        /** The gateway has nothing left to do and ends its session. */
        STOP,
        /** A step of background work. */
        METADATA_WORK,
        INDEX_WORK,
        /** An item goes from a metadata shard to an index shard. */
        TO_INDEX,
        /** All items there are go, but the sender does not hear of it. */
        TO_INDEX_UNHEARD,
        /** Items go to a container. */
        METADATA_TO_STORAGE,
        INDEX_TO_STORAGE,
        PRUNE,
        LIMIT,
        /** A step of closing an epoch. */
        CLOSE
    }

    /**
     * @param subject a request, gateway, command or container, by its number
     */
    record Action(Kind kind, int subject) {}

    private final Scenario scenario;
    private final Machines machines;
    private final Numbered<ByteBuffer> commands;
    private final Machine metadata;
    private final Machine index;
    private final List<Actor> actors = new ArrayList<>();
    private final List<Integer> gatewayOf = new ArrayList<>();
    private final List<Session> sessions = new ArrayList<>();
    private final Histories histories = new Histories();
    private final Set<Integer> indexCommands = new HashSet<>();
    private final Map<Integer, Integer> senders = new HashMap<>();
    private final Map<Integer, Integer> mirrorCommands = new HashMap<>();
    private final Map<List<Integer>, int[]> known = new HashMap<>();
    private final int prune;
    private final int limit;
    private final int unlimit;
    private final int[] start;
    private boolean begun;

    SmallWorld(Scenario scenario, Mutant mutant, WorkerPool pool) {
        this.scenario = scenario;
        this.machines = new Machines(mutant);
        this.commands = machines.commands;
        this.metadata = machines.metadata;
        this.index = machines.index;
        int[] state = new int[ACTORS + 1];
        Arrays.fill(state, LATE, ACTORS, Machine.NONE);
        new StateView(machines, state)
                .control()
                .bootstrap(new Bootstrap(new ClusterLayout(1, 1), "KEY", "secret"));
        state = serveBefore(state, pool);
        Fingerprint content = fingerprint(pool);
        this.prune =
                recorded(
                        group ->
                                new IndexShardClient(INDEX, group)
                                        .prune(Actor.SECONDS, List.of(content)));
        this.limit =
                recorded(
                        group ->
                                new IndexShardClient(INDEX, group)
                                        .setEntryLimit(OptionalLong.of(0)));
        this.unlimit =
                recorded(
                        group ->
                                new IndexShardClient(INDEX, group)
                                        .setEntryLimit(OptionalLong.empty()));
        this.start = begin(state, mutant, pool);
    }

    // ---- the first state ----

    /** Of the one content there is: what a writer appends when the index does not know it. */
    private Fingerprint fingerprint(WorkerPool pool) {
        Actor.Request put =
                new Actor.Request.Put("k", "p", new Precondition.None(), Versioning.NEVER);
        Actor writer = new Actor(new Session(1, 1), 0, Actor.SECONDS, Mutant.NONE, pool, put);
        List<Answer> answers = new ArrayList<>();
        Next next = writer.next(answers);
        while (next instanceof Next.Read read) {
            answers.add(new Answer(Optional.of(read.query().apply(Rows.NONE))));
            next = writer.next(answers);
        }
        if (next instanceof Next.Append append) {
            return append.fingerprints().getFirst();
        }
        throw new AssertionError("a writer appends what is not known");
    }

    /** Each has a gateway of its own, which ends; the world comes to rest behind it. */
    private int[] serveBefore(int[] first, WorkerPool pool) {
        int[] state = first;
        for (Actor.Request request : scenario.before()) {
            Session session = new StateView(machines, state).control().openSession("before");
            actors.add(new Actor(session, 0, Actor.SECONDS - 10, Mutant.NONE, pool, request));
            gatewayOf.add(0);
            sessions.add(session);
            state[ACTORS] = histories.root(0);
            state[EFFECTS] = 0;
            while (outcome(0, state[ACTORS]).isEmpty()) {
                state = apply(state, new Action(Kind.ANSWER, 0));
            }
            state[ACTORS] = DEAD;
            new StateView(machines, state).control().endSession(session);
            state = rest(state);
            actors.clear();
            gatewayOf.clear();
            sessions.clear();
            histories.forget();
        }
        return state;
    }

    private int[] begin(int[] before, Mutant mutant, WorkerPool pool) {
        begun = true;
        int count = scenario.gateways().stream().mapToInt(List::size).sum();
        int[] state = Arrays.copyOf(before, ACTORS + count);
        for (int gateway = 0; gateway < scenario.gateways().size(); gateway++) {
            Session session =
                    new StateView(machines, state).control().openSession("gateway-" + gateway);
            sessions.add(session);
            for (Actor.Request request : scenario.gateways().get(gateway)) {
                int actor = actors.size();
                actors.add(new Actor(session, 100L * actor, Actor.SECONDS, mutant, pool, request));
                gatewayOf.add(gateway);
                state[ACTORS + actor] = histories.root(actor);
            }
        }
        state[FAULTS] = scenario.faults();
        state[CRASHES] = scenario.crashes();
        state[PRUNES] = scenario.prunes();
        state[LIMITS] = scenario.limits();
        state[EFFECTS] = 0;
        return state;
    }

    int[] start() {
        return start.clone();
    }

    /** What a client makes of a call on a group: the number of the command. */
    private int recorded(Consumer<ReplicatedGroup> call) {
        int[] sent = {Machine.NONE};
        try {
            call.accept(
                    new ReplicatedGroup() {
                        @Override
                        public byte[] submit(byte[] command) {
                            sent[0] = commands.of(ByteBuffer.wrap(command));
                            throw new Recorded();
                        }

                        @Override
                        public <T> T read(Function<KvReader, T> query) {
                            throw new UnsupportedOperationException();
                        }

                        @Override
                        public <T> T readLocal(Function<KvReader, T> query) {
                            throw new UnsupportedOperationException();
                        }
                    });
        } catch (Recorded e) {
            return sent[0];
        }
        throw new AssertionError("no command was sent");
    }

    private static final class Recorded extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    // ---- requests ----

    private Next next(int actor, int history) {
        return histories.next(actors.get(actor), history);
    }

    private Optional<Outcome> outcome(int actor, int history) {
        return history != DEAD && next(actor, history) instanceof Next.Ended(Outcome outcome)
                ? Optional.of(outcome)
                : Optional.empty();
    }

    // ---- what can happen ----

    List<Action> actions(int[] state) {
        List<Action> actions = new ArrayList<>();
        for (int actor = 0; actor < actors.size(); actor++) {
            addRequest(state, actor, actions);
        }
        for (int i = LATE; i < LATE + MAX_LATE && state[i] != Machine.NONE; i++) {
            actions.add(new Action(Kind.ARRIVE, state[i]));
        }
        for (int gateway = 0; gateway < sessions.size(); gateway++) {
            addGateway(state, gateway, actions);
        }
        if (state[PRUNES] > 0) {
            actions.add(new Action(Kind.PRUNE, 0));
        }
        if (state[LIMITS] > 0) {
            actions.add(new Action(Kind.LIMIT, 0));
        }
        addBackground(state, actions);
        return actions;
    }

    private void addRequest(int[] state, int actor, List<Action> actions) {
        int history = state[ACTORS + actor];
        if (history == DEAD) {
            return;
        }
        switch (next(actor, history)) {
            case Next.Ended ended -> {}
            case Next.Read read -> actions.add(new Action(Kind.ANSWER, actor));
            case Next.Append append -> {
                actions.add(new Action(Kind.ANSWER, actor));
                if (state[FAULTS] > 0) {
                    actions.add(new Action(Kind.LOSE, actor));
                }
            }
            case Next.Submit submit -> {
                actions.add(new Action(Kind.ANSWER, actor));
                boolean isLate = isLate(state, command(submit));
                if (state[FAULTS] > 0 && !isLate) {
                    actions.add(new Action(Kind.REPEAT, actor));
                }
                if (state[FAULTS] > 0 || isLate) {
                    actions.add(new Action(Kind.LOSE, actor));
                }
            }
        }
    }

    private void addGateway(int[] state, int gateway, List<Action> actions) {
        if ((state[STOPPED] >> gateway & 1) != 0) {
            return;
        }
        boolean ended = true;
        for (int actor = 0; actor < actors.size(); actor++) {
            if (gatewayOf.get(actor) == gateway) {
                ended &= outcome(actor, state[ACTORS + actor]).isPresent();
            }
        }
        if (ended) {
            actions.add(new Action(Kind.STOP, gateway));
        } else if (state[CRASHES] > 0) {
            actions.add(new Action(Kind.CRASH, gateway));
        }
    }

    private void addBackground(int[] state, List<Action> actions) {
        if (metadata.pendingWork(state[META]) != Machine.NONE) {
            actions.add(new Action(Kind.METADATA_WORK, 0));
        }
        if (index.pendingWork(state[IDX]) != Machine.NONE) {
            actions.add(new Action(Kind.INDEX_WORK, 0));
        }
        if (machines.hasItemsForIndex(state)) {
            actions.add(new Action(Kind.TO_INDEX, 0));
            if (state[FAULTS] > 0) {
                actions.add(new Action(Kind.TO_INDEX_UNHEARD, 0));
            }
        }
        for (ContainerId id : machines.fromMetadata(state)) {
            actions.add(new Action(Kind.METADATA_TO_STORAGE, (int) id.value()));
        }
        for (ContainerId id : machines.fromIndex(state)) {
            actions.add(new Action(Kind.INDEX_TO_STORAGE, (int) id.value()));
        }
        actions.add(new Action(Kind.CLOSE, 0));
    }

    /** The same with the two writers exchanged. */
    Action mirror(Action action) {
        int subject = action.subject();
        return switch (action.kind()) {
            case ANSWER, REPEAT, LOSE -> new Action(action.kind(), mirrorActor(subject));
            case METADATA_TO_STORAGE, INDEX_TO_STORAGE ->
                    subject == SEED_CONTAINER
                            ? action
                            : new Action(
                                    action.kind(),
                                    mirrorActor(subject - FIRST_CONTAINER) + FIRST_CONTAINER);
            case ARRIVE -> {
                Integer mirrored = mirrorCommands.get(subject);
                if (mirrored == null) {
                    throw new AssertionError("a command without its mirror image");
                }
                yield new Action(Kind.ARRIVE, mirrored);
            }
            case CRASH,
                    STOP,
                    METADATA_WORK,
                    INDEX_WORK,
                    TO_INDEX,
                    TO_INDEX_UNHEARD,
                    PRUNE,
                    LIMIT,
                    CLOSE ->
                    action;
        };
    }

    /**
     * Whether what happened is not the same with the two writers exchanged: RESOLVE asks for one
     * after the other.
     */
    boolean tellsApart(Action action, int[] before, int[] after) {
        return action.kind() == Kind.CLOSE
                && before[META] != after[META]
                && machines.invariants.openIntents(index, before[IDX]).size() > 1;
    }

    private static int mirrorActor(int actor) {
        return actor < 2 ? 1 - actor : actor;
    }

    /** Notes which commands of a state and its mirror image are the same. */
    void match(int[] state, int[] mirror) {
        for (int actor = 0; actor < actors.size(); actor++) {
            int other = mirrorActor(actor);
            int here = state[ACTORS + actor];
            int there = mirror[ACTORS + other];
            if (here != DEAD
                    && there != DEAD
                    && next(actor, here) instanceof Next.Submit one
                    && next(other, there) instanceof Next.Submit two) {
                mirrorCommands.put(command(one), command(two));
                mirrorCommands.put(command(two), command(one));
            }
        }
    }

    private int command(Next.Submit submit) {
        int command = commands.of(submit.command());
        if (submit.toIndex()) {
            indexCommands.add(command);
        }
        return command;
    }

    private static boolean isLate(int[] state, int command) {
        for (int i = LATE; i < LATE + MAX_LATE; i++) {
            if (state[i] == command) {
                return true;
            }
        }
        return false;
    }

    // ---- what happens ----

    /** The state behind an action, another array. What must never be is thrown. */
    int[] apply(int[] before, Action action) {
        int[] state = before.clone();
        int subject = action.subject();
        switch (action.kind()) {
            case ANSWER -> answer(state, subject);
            case REPEAT -> {
                state[FAULTS]--;
                sendLate(state, subject);
                answer(state, subject);
            }
            case LOSE -> lose(state, subject);
            case ARRIVE -> {
                removeLate(state, subject);
                submit(state, subject, senders.get(subject));
            }
            case CRASH -> {
                state[CRASHES]--;
                for (int actor = 0; actor < actors.size(); actor++) {
                    if (gatewayOf.get(actor) == subject) {
                        die(state, actor);
                    }
                }
                stop(state, subject);
            }
            case STOP -> stop(state, subject);
            case METADATA_WORK -> state[META] = metadata.work(state[META]);
            case INDEX_WORK -> state[IDX] = index.work(state[IDX]);
            case TO_INDEX -> once(state, Kind.TO_INDEX, 0, view -> view.deliverToIndex(true));
            case TO_INDEX_UNHEARD -> {
                state[FAULTS]--;
                once(state, Kind.TO_INDEX_UNHEARD, 0, view -> view.deliverToIndex(false));
            }
            case METADATA_TO_STORAGE ->
                    once(
                            state,
                            Kind.METADATA_TO_STORAGE,
                            subject,
                            view -> view.deliver(view.home(), new ContainerId(subject)));
            case INDEX_TO_STORAGE ->
                    once(
                            state,
                            Kind.INDEX_TO_STORAGE,
                            subject,
                            view -> view.deliver(view.indexShard(), new ContainerId(subject)));
            case PRUNE -> {
                state[PRUNES]--;
                state[IDX] = (int) (index.apply(state[IDX], prune) >>> 32);
            }
            case LIMIT -> {
                boolean full = (scenario.limits() - state[LIMITS]) % 2 == 0;
                state[LIMITS]--;
                state[IDX] = (int) (index.apply(state[IDX], full ? limit : unlimit) >>> 32);
            }
            case CLOSE -> once(state, Kind.CLOSE, 0, StateView::closeStep);
        }
        if (!scenario.lazyStorage() && hasItemsForStorage(state)) {
            once(state, Kind.INDEX_TO_STORAGE, DEAD, StateView::deliverAllToStorage);
        }
        Arrays.sort(state, LATE, LATE + MAX_LATE);
        reverse(state);
        return state;
    }

    private boolean hasItemsForStorage(int[] state) {
        return !machines.fromMetadata(state).isEmpty() || !machines.fromIndex(state).isEmpty();
    }

    /** Those there are come first. */
    private static void reverse(int[] state) {
        for (int i = LATE, j = LATE + MAX_LATE - 1; i < j; i++, j--) {
            int swapped = state[i];
            state[i] = state[j];
            state[j] = swapped;
        }
    }

    private void answer(int[] state, int actor) {
        int history = state[ACTORS + actor];
        Object value =
                switch (next(actor, history)) {
                    case Next.Submit submit -> {
                        int command = command(submit);
                        senders.putIfAbsent(command, actor);
                        yield commands.get(submit(state, command, actor));
                    }
                    case Next.Read(boolean fromIndex, Function<KvReader, ?> query) ->
                            query.apply(
                                    fromIndex
                                            ? index.rows(state[IDX])
                                            : metadata.rows(state[META]));
                    case Next.Append append -> append(state, actor, append);
                    case Next.Ended ended -> throw new AssertionError("nothing to answer");
                };
        state[ACTORS + actor] = histories.with(history, new Answer(Optional.of(value)));
    }

    private List<ChunkAddress> append(int[] state, int actor, Next.Append append) {
        ContainerId container = containerOf(actor);
        Slots slots = machines.slots(state);
        List<ChunkAddress> addresses = new ArrayList<>();
        for (Fingerprint one : append.fingerprints()) {
            addresses.add(new ChunkAddress(container, slots.count(container)));
            slots = slots.append(container, one, append.v());
        }
        state[STORE] = machines.storage.of(slots);
        return addresses;
    }

    private ContainerId containerOf(int actor) {
        return new ContainerId(begun ? FIRST_CONTAINER + actor : SEED_CONTAINER);
    }

    private void lose(int[] state, int actor) {
        int history = state[ACTORS + actor];
        switch (next(actor, history)) {
            case Next.Submit submit -> {
                if (!isLate(state, command(submit))) {
                    state[FAULTS]--;
                    sendLate(state, actor);
                }
            }
            case Next.Append append -> {
                state[FAULTS]--;
                append(state, actor, append);
            }
            case Next.Read read -> throw new AssertionError("reads are answered");
            case Next.Ended ended -> throw new AssertionError("nothing to lose");
        }
        state[ACTORS + actor] = histories.with(history, Answer.NONE);
    }

    private void sendLate(int[] state, int actor) {
        if (next(actor, state[ACTORS + actor]) instanceof Next.Submit submit) {
            int command = command(submit);
            senders.putIfAbsent(command, actor);
            if (isLate(state, command)) {
                return;
            }
            for (int i = LATE; i < LATE + MAX_LATE; i++) {
                if (state[i] == Machine.NONE) {
                    state[i] = command;
                    return;
                }
            }
            throw new AssertionError("too many requests are late");
        }
    }

    private static void removeLate(int[] state, int command) {
        for (int i = LATE; i < LATE + MAX_LATE; i++) {
            if (state[i] == command) {
                state[i] = Machine.NONE;
            }
        }
    }

    private void die(int[] state, int actor) {
        int history = state[ACTORS + actor];
        if (history != DEAD && outcome(actor, history).isEmpty()) {
            sendLate(state, actor);
            state[ACTORS + actor] = DEAD;
        }
    }

    private void stop(int[] state, int gateway) {
        state[STOPPED] |= 1 << gateway;
        new StateView(machines, state).control().endSession(sessions.get(gateway));
    }

    /** Has a command applied; the number of the reply. */
    private int submit(int[] state, int command, int actor) {
        boolean toIndex = indexCommands.contains(command);
        Machine machine = toIndex ? index : metadata;
        int place = toIndex ? IDX : META;
        int before = state[place];
        long result = machine.apply(before, command);
        state[place] = (int) (result >>> 32);
        if (!toIndex) {
            countEffect(state, actor, before, state[place]);
        }
        return (int) result;
    }

    /** I7: whatever a request changes, it changes once. */
    private void countEffect(int[] state, int actor, int before, int after) {
        if (!machines.invariants
                .versions(metadata, before)
                .equals(machines.invariants.versions(metadata, after))) {
            int shift = 2 * actor;
            if ((state[EFFECTS] >> shift & 3) != 0) {
                throw new AssertionError("request " + actor + " took effect twice");
            }
            state[EFFECTS] |= 1 << shift;
        }
    }

    /** What depends on the machines and storage alone is done by production code once. */
    private void once(int[] state, Kind kind, int subject, Consumer<StateView> work) {
        List<Integer> key =
                List.of(
                        kind.ordinal(),
                        subject,
                        state[META],
                        state[IDX],
                        state[STORE],
                        state[CONTROL]);
        int[] after = known.get(key);
        if (after == null) {
            work.accept(new StateView(machines, state));
            known.put(key, Arrays.copyOfRange(state, META, CONTROL + 1));
        } else {
            System.arraycopy(after, 0, state, META, after.length);
        }
    }

    // ---- what must hold ----

    /** I1, I2, I3, I6 and I7, of a state. */
    void check(int[] state) {
        machines.check(state);
        for (int actor = 0; actor < actors.size(); actor++) {
            int effects = state[EFFECTS] >> 2 * actor & 3;
            if (effects > 0
                    && outcome(actor, state[ACTORS + actor])
                            .filter(told -> told == Outcome.FAILED)
                            .isPresent()) {
                throw new AssertionError(
                        "request " + actor + " took effect, and its client was told it failed");
            }
        }
    }

    /** I5: gateways dead, requests lost, everything worked off and every epoch closed. */
    void checkRest(int[] before) {
        int[] state = before.clone();
        Arrays.fill(state, LATE, LATE + MAX_LATE, Machine.NONE);
        Arrays.fill(state, ACTORS, state.length, DEAD);
        for (int gateway = 0; gateway < sessions.size(); gateway++) {
            if ((state[STOPPED] >> gateway & 1) == 0) {
                stop(state, gateway);
            }
        }
        state = rest(state);
        check(state);
        machines.checkRest(state);
    }

    private int[] rest(int[] before) {
        int[] state = before;
        for (int i = 0; i < MAX_REST; i++) {
            int[] after = state;
            List<Action> actions = new ArrayList<>();
            addBackground(state, actions);
            for (Action action : actions) {
                if (action.kind() != Kind.TO_INDEX_UNHEARD) {
                    after = apply(state, action);
                    if (!Arrays.equals(after, state)) {
                        break;
                    }
                }
            }
            if (Arrays.equals(after, state)) {
                if (new StateView(machines, state).control().hasEpochsToClose()) {
                    throw new AssertionError("an epoch is never closed");
                }
                return state;
            }
            state = after;
        }
        throw new AssertionError("it never comes to rest");
    }

    // ---- words ----

    String describe(Action action) {
        return switch (action.kind()) {
            case ANSWER, REPEAT, LOSE -> "%s request %d".formatted(action.kind(), action.subject());
            case ARRIVE -> "ARRIVE late of request " + senders.get(action.subject());
            default -> action.kind() + " " + action.subject();
        };
    }

    String sizes() {
        return machines.toString();
    }
}
