package io.dedupstore.core.maintenance;

import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.V;
import io.dedupstore.core.spi.IndexShard;
import io.dedupstore.core.spi.MetadataShard;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Asks for the verdict on attempts whose sessions have ended. The verdict comes back through the
 * ordered outbox of the metadata shard and nowhere else; asking again is harmless. One thread at a
 * time.
 */
final class Resolver {
    private static final int MAX_QUESTIONS_PER_STEP = 1000;

    /** Rounds without a new question after which all are asked again: one may have been lost. */
    private static final int PATIENCE_ROUNDS = 100;

    private final Map<ShardId, ? extends MetadataShard> coordinators;
    private final Set<Question> asked = new HashSet<>();
    private int quietRounds;

    private record Question(V v, ShardId asking) {}

    Resolver(Map<ShardId, ? extends MetadataShard> coordinators) {
        this.coordinators = Map.copyOf(coordinators);
    }

    /**
     * Asks about open intents of epochs up to this one. Returns whether there was a new question.
     */
    boolean step(IndexShard shard, int epoch) {
        boolean news = false;
        for (IndexShard.OpenIntent intent : shard.openIntents(epoch, MAX_QUESTIONS_PER_STEP)) {
            Question question = new Question(intent.v(), shard.id());
            if (!asked.contains(question)) {
                coordinator(intent.coordinator()).resolve(intent.v(), shard.id());
                // Only now: a question that failed is asked again at the next step.
                asked.add(question);
                news = true;
            }
        }
        quietRounds = news ? 0 : quietRounds + 1;
        if (quietRounds > PATIENCE_ROUNDS) {
            forget();
        }
        return news;
    }

    void forget() {
        asked.clear();
        quietRounds = 0;
    }

    private MetadataShard coordinator(ShardId id) {
        MetadataShard found = coordinators.get(id);
        if (found == null) {
            throw new IllegalStateException("no metadata shard " + id);
        }
        return found;
    }
}
