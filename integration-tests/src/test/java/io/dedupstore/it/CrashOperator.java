package io.dedupstore.it;

import io.dedupstore.client.admin.AdminClient;
import io.dedupstore.client.admin.AdminClientException;
import java.util.Random;

/** Prunes, shrinks, preloads, compacts and verifies again and again until the server is gone. */
final class CrashOperator {
    private final Random random;
    private long acknowledged;

    CrashOperator(long seed) {
        this.random = new Random(~seed);
    }

    /** Jobs and compactions that the server took on. */
    long acknowledged() {
        return acknowledged;
    }

    void workUntilItFails(AdminClient admin) {
        while (true) {
            try {
                step(admin);
                acknowledged++;
            } catch (AdminClientException e) {
                if (e.code().equals(AdminClientException.UNREACHABLE)) {
                    return;
                }
                // One of its kind runs already.
            }
        }
    }

    private void step(AdminClient admin) {
        switch (random.nextInt(6)) {
            case 0, 1 -> admin.pruneIndex("percent", String.valueOf(5 + random.nextInt(60)), false);
            case 2 -> admin.shrinkIndex();
            case 3 -> admin.preloadIndex(random.nextBoolean() ? "all" : "filters");
            case 4 -> admin.verifyIndex(10);
            default -> admin.compact();
        }
    }
}
