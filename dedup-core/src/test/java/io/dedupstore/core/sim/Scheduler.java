package io.dedupstore.core.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Runs many straight-line, blocking activities as if on one thread: exactly one of them runs at a
 * time, and it hands over only where it calls {@link #pause}. Which one goes on is chosen by the
 * seed, so a run can be repeated. An activity that is killed finds out at its next pause, by a
 * {@link Crash} that no production code catches.
 */
final class Scheduler {
    private final Random random;
    private final List<Activity> activities = new ArrayList<>();
    private @Nullable Activity running;

    /** The process of the activity is gone. */
    static final class Crash extends Error {
        private static final long serialVersionUID = 1L;

        Crash() {
            super("crashed", null, false, false);
        }
    }

    private static final class Activity {
        private final Object owner;
        private final Semaphore resume = new Semaphore(0);
        private final Semaphore handedOver = new Semaphore(0);
        private boolean killed;
        private boolean ended;
        private @Nullable Throwable failure;

        Activity(Object owner) {
            this.owner = owner;
        }
    }

    Scheduler(Random random) {
        this.random = random;
    }

    void start(Object owner, Runnable body) {
        Activity activity = new Activity(owner);
        activities.add(activity);
        Thread.ofVirtual()
                .start(
                        () -> {
                            activity.resume.acquireUninterruptibly();
                            try {
                                if (!activity.killed) {
                                    body.run();
                                }
                            } catch (Crash e) {
                                activity.killed = true;
                            } catch (Throwable e) {
                                activity.failure = e;
                            } finally {
                                activity.ended = true;
                                activity.handedOver.release();
                            }
                        });
    }

    int count(Object owner) {
        return (int) activities.stream().filter(a -> a.owner == owner).count();
    }

    boolean isIdle() {
        return activities.isEmpty();
    }

    /** Lets one activity go on until its next pause. */
    void step() {
        if (!activities.isEmpty()) {
            goOn(activities.get(random.nextInt(activities.size())));
        }
    }

    private void goOn(Activity activity) {
        running = activity;
        activity.resume.release();
        activity.handedOver.acquireUninterruptibly();
        running = null;
        if (activity.ended) {
            activities.remove(activity);
            if (activity.failure != null) {
                throw new AssertionError("an activity failed", activity.failure);
            }
        }
    }

    /** Called by activities; without effect outside of them. */
    void pause() {
        Activity self = running;
        if (self == null) {
            return;
        }
        if (self.killed) {
            throw new Crash();
        }
        self.handedOver.release();
        self.resume.acquireUninterruptibly();
        if (self.killed) {
            throw new Crash();
        }
    }

    /** Ends all activities of an owner where they are. */
    void kill(Object owner) {
        for (Activity activity : List.copyOf(activities)) {
            if (activity.owner == owner) {
                activity.killed = true;
                while (!activity.ended) {
                    goOn(activity);
                }
            }
        }
    }
}
