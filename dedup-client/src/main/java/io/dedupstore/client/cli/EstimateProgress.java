package io.dedupstore.client.cli;

import io.dedupstore.client.estimate.Estimation;
import io.dedupstore.client.estimate.Progress;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Shows how far an estimate is: on a terminal in one line that changes every second, elsewhere a
 * line every half minute.
 */
final class EstimateProgress implements AutoCloseable {
    private static final Duration ON_TERMINAL = Duration.ofSeconds(1);
    private static final Duration ELSEWHERE = Duration.ofSeconds(30);

    private final Estimation estimation;
    private final PrintWriter err;
    private final boolean quiet;
    private final boolean terminal;
    private final long begin = System.nanoTime();
    private @Nullable Thread thread;
    private String shown = "";

    EstimateProgress(Estimation estimation, PrintWriter err, boolean quiet) {
        this.estimation = estimation;
        this.err = err;
        this.quiet = quiet;
        this.terminal = System.console() != null && System.console().isTerminal();
    }

    void begin() {
        if (!quiet) {
            thread = Thread.ofPlatform().daemon().name("progress").start(this::show);
        }
    }

    private void show() {
        try {
            while (true) {
                Thread.sleep(terminal ? ON_TERMINAL : ELSEWHERE);
                long seconds = Duration.ofNanos(System.nanoTime() - begin).toSeconds();
                String line = line(estimation.progress(), Math.max(1, seconds));
                String rest = " ".repeat(Math.max(0, shown.length() - line.length()));
                err.print(terminal ? "\r" + line + rest : line + System.lineSeparator());
                err.flush();
                shown = line;
            }
        } catch (InterruptedException e) {
            // The estimate has ended.
        }
    }

    /** {@code 1204 objects of 8.10 GiB listed; read 2.00 GiB, 40 %, 210.00 MiB/s, 15s left}. */
    static String line(Progress progress, long seconds) {
        StringBuilder line = new StringBuilder();
        line.append(HumanUnits.count(progress.listedItems()))
                .append(" objects of ")
                .append(HumanUnits.bytes(progress.listedBytes()))
                .append(progress.planning() || !progress.listed() ? " listed so far" : " listed");
        if (progress.planning()) {
            return line.toString();
        }
        long rate = progress.readBytes() / seconds;
        line.append("; read ").append(HumanUnits.bytes(progress.readBytes()));
        if (progress.listed() && progress.wantedBytes() > 0) {
            double share = Math.min(1, (double) progress.readBytes() / progress.wantedBytes());
            line.append(String.format(Locale.ROOT, ", %.0f %%", 100 * share));
        }
        line.append(", ").append(HumanUnits.bytes(rate)).append("/s");
        if (progress.listed() && rate > 0) {
            long left = Math.max(0, progress.wantedBytes() - progress.readBytes()) / rate;
            line.append(", ").append(JobLine.duration(left)).append(" left");
        }
        return line.toString();
    }

    @Override
    public void close() {
        Thread running = thread;
        if (running == null) {
            return;
        }
        running.interrupt();
        try {
            running.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (terminal && !shown.isEmpty()) {
            err.println();
        }
    }
}
