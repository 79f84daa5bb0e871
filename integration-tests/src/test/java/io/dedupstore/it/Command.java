package io.dedupstore.it;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs a program to its end, with a deadline, and keeps what it said. */
final class Command {
    private final Map<String, String> environment = new HashMap<>();
    private final Path directory;
    private Duration deadline = Duration.ofMinutes(3);

    /** How it ended. */
    record Result(List<String> command, int exit, String output) {
        Result requireSuccess() {
            if (exit != 0) {
                throw new AssertionError(
                        String.join(" ", command) + "\nended with " + exit + ":\n" + output);
            }
            return this;
        }
    }

    Command(Path directory) {
        this.directory = directory;
    }

    Command with(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    Command within(Duration deadline) {
        this.deadline = deadline;
        return this;
    }

    /** Runs it and fails the test when it fails. */
    String run(String... command) throws IOException {
        return tryRun(command).requireSuccess().output();
    }

    Result tryRun(String... command) throws IOException {
        Path output = Files.createTempFile("command", ".out");
        try {
            ProcessBuilder builder =
                    new ProcessBuilder(command)
                            .directory(directory.toFile())
                            .redirectErrorStream(true)
                            .redirectInput(
                                    ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                            .redirectOutput(output.toFile());
            builder.environment().keySet().removeIf(Command::steersClients);
            builder.environment().putAll(environment);
            Process process = builder.start();
            boolean ended = waitFor(process);
            String text = new String(Files.readAllBytes(output), StandardCharsets.UTF_8);
            if (!ended) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
                return new Result(List.of(command), -1, "no end within " + deadline + "\n" + text);
            }
            return new Result(List.of(command), process.exitValue(), text);
        } finally {
            Files.deleteIfExists(output);
        }
    }

    /** What is set on the machine for its own use of these clients is not meant for the tests. */
    private static boolean steersClients(String variable) {
        return Stream.of("AWS_", "RCLONE_", "RESTIC_", "S3_", "DEDUP_")
                .anyMatch(variable::startsWith);
    }

    private boolean waitFor(Process process) {
        try {
            return process.waitFor(deadline.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
