package io.dedupstore.core.sim;

import io.dedupstore.core.sim.Actor.Answer;
import io.dedupstore.core.sim.Actor.Next;
import java.util.ArrayList;
import java.util.List;

/** What each request was answered, as a tree: a history is its parent and one answer more. */
final class Histories {
    private static final int ROOT = -1;

    private final Numbered<Answer> answers = new Numbered<>();
    private final Numbered<List<Integer>> numbers = new Numbered<>();
    private final List<Next> next = new ArrayList<>();

    int root(int actor) {
        return numbers.of(List.of(ROOT, actor));
    }

    int with(int history, Answer answer) {
        return numbers.of(List.of(history, answers.of(answer)));
    }

    Next next(Actor actor, int history) {
        while (next.size() <= history) {
            next.add(null);
        }
        Next known = next.get(history);
        if (known == null) {
            known = actor.next(answers(history));
            next.set(history, known);
        }
        return known;
    }

    private List<Answer> answers(int history) {
        List<Answer> all = new ArrayList<>();
        List<Integer> one = numbers.get(history);
        while (one.getFirst() != ROOT) {
            all.addFirst(answers.get(one.getLast()));
            one = numbers.get(one.getFirst());
        }
        return all;
    }

    void forget() {
        next.clear();
    }
}
