package io.dedupstore.it;

import static org.junit.jupiter.api.Assumptions.abort;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The real clients. What is not on the machine is installed through its registry, once, into {@code
 * target/clients} (or DEDUP_CLIENTS_DIR): Python's with pip into an environment of their own, Go's
 * with go build, rclone and restic as Debian packages when the test runs as root. A client that
 * can't be installed makes its tests skipped, and the skip says why.
 */
final class Clients {
    private static final Path SOURCES = Path.of("src/test/clients").toAbsolutePath();
    private static final Duration INSTALL_DEADLINE = Duration.ofMinutes(10);
    private static final Map<String, Installed> INSTALLED = new ConcurrentHashMap<>();

    private sealed interface Installed {
        record At(Path program) implements Installed {}

        record Missing(String reason) implements Installed {}
    }

    private Clients() {}

    static String aws() {
        return require("aws", Clients::python);
    }

    static String s3cmd() {
        return require("s3cmd", Clients::python);
    }

    /** A Python that has boto3. */
    static String python() {
        return require("python3", Clients::python);
    }

    static String rclone() {
        return require("rclone", Clients::debianPackage);
    }

    static String restic() {
        return require("restic", Clients::debianPackage);
    }

    static String s5cmd() {
        return require("s5cmd", Clients::goProgram);
    }

    static String curl() {
        return require("curl", Clients::debianPackage);
    }

    private interface Installer {
        Installed install(String name) throws IOException;
    }

    private static String require(String name, Installer installer) {
        Installed installed =
                INSTALLED.computeIfAbsent(
                        name,
                        key -> {
                            try {
                                return installer.install(key);
                            } catch (IOException e) {
                                return new Installed.Missing(e.toString());
                            }
                        });
        return switch (installed) {
            case Installed.At at -> at.program().toString();
            case Installed.Missing missing ->
                    abort("client " + name + " could not be installed: " + missing.reason());
        };
    }

    private static Path home() throws IOException {
        String chosen = System.getenv("DEDUP_CLIENTS_DIR");
        Path home =
                Path.of(chosen == null ? System.getProperty("dedup.test.clients", "") : chosen)
                        .toAbsolutePath();
        return Files.createDirectories(home);
    }

    private static synchronized Installed python(String name) throws IOException {
        Path environment = home().resolve("python");
        Path done = environment.resolve("requirements.txt");
        Path wanted = SOURCES.resolve("requirements.txt");
        if (!Files.exists(done) || Files.mismatch(done, wanted) >= 0) {
            ServerProcess.deleteTree(environment);
            Command command = new Command(home()).within(INSTALL_DEADLINE);
            Command.Result made = newEnvironment(command, environment);
            if (made.exit() != 0 && mayInstall()) {
                // A bare Debian has no Python, or one without what makes environments.
                aptInstall("python3", "python3-venv");
                made = newEnvironment(command, environment);
            }
            if (made.exit() != 0) {
                return failed(made, "python3 -m venv (Debian package python3-venv)");
            }
            Command.Result installed =
                    command.tryRun(
                            environment.resolve("bin/pip").toString(),
                            "install",
                            "--quiet",
                            "--requirement",
                            wanted.toString());
            if (installed.exit() != 0) {
                return failed(installed, "pip install");
            }
            Files.copy(wanted, done, StandardCopyOption.REPLACE_EXISTING);
        }
        return new Installed.At(environment.resolve("bin").resolve(name));
    }

    private static Command.Result newEnvironment(Command command, Path environment)
            throws IOException {
        return onPath("python3").isEmpty()
                ? new Command.Result(List.of("python3"), 127, "there is no python3 on the path")
                : command.tryRun("python3", "-m", "venv", "--clear", environment.toString());
    }

    private static synchronized Installed debianPackage(String name) throws IOException {
        Optional<Path> there = onPath(name);
        if (there.isPresent()) {
            return new Installed.At(there.get());
        }
        if (!mayInstall()) {
            return new Installed.Missing(
                    "it is not on the path, and only root on Debian or Ubuntu can install it");
        }
        Command.Result last = aptInstall(name);
        return onPath(name)
                .<Installed>map(Installed.At::new)
                .orElseGet(() -> failed(last, "apt-get install"));
    }

    private static boolean mayInstall() {
        return onPath("apt-get").isPresent() && "root".equals(System.getProperty("user.name"));
    }

    private static Command.Result aptInstall(String... packages) throws IOException {
        Command command =
                new Command(home())
                        .within(INSTALL_DEADLINE)
                        .with("DEBIAN_FRONTEND", "noninteractive");
        List<String> install =
                new ArrayList<>(List.of("apt-get", "install", "-y", "--no-install-recommends"));
        install.addAll(List.of(packages));
        Command.Result result = command.tryRun(install.toArray(String[]::new));
        if (result.exit() != 0) {
            command.tryRun("apt-get", "update");
            result = command.tryRun(install.toArray(String[]::new));
        }
        return result;
    }

    /** Built as a dependency of a module of our own, so that go.sum pins what comes. */
    private static synchronized Installed goProgram(String name) throws IOException {
        Path program = home().resolve("bin").resolve(name);
        if (Files.isExecutable(program)) {
            return new Installed.At(program);
        }
        Optional<Path> go = go();
        if (go.isEmpty() && mayInstall()) {
            aptInstall("golang-go", "ca-certificates");
            go = go();
        }
        if (go.isEmpty()) {
            return new Installed.Missing("there is no go on the path (Debian package golang)");
        }
        Path module = Files.createDirectories(home().resolve("go-" + name));
        for (String file : new String[] {"go.mod", "go.sum"}) {
            Files.copy(
                    SOURCES.resolve(name).resolve(file),
                    module.resolve(file),
                    StandardCopyOption.REPLACE_EXISTING);
        }
        String mainPackage =
                Files.readAllLines(module.resolve("go.mod")).stream()
                        .filter(line -> line.startsWith("require "))
                        .map(line -> line.split(" ")[1])
                        .findFirst()
                        .orElseThrow();
        Command.Result built =
                new Command(module)
                        .within(INSTALL_DEADLINE)
                        .with("GOFLAGS", "-mod=mod")
                        .tryRun(
                                go.get().toString(),
                                "build",
                                "-o",
                                program.toString(),
                                mainPackage);
        return built.exit() == 0 ? new Installed.At(program) : failed(built, "go build");
    }

    private static Optional<Path> go() {
        Path usual = Path.of("/usr/local/go/bin/go");
        return onPath("go").or(() -> Optional.of(usual).filter(Files::exists));
    }

    private static Installed failed(Command.Result result, String step) {
        String[] lines = result.output().strip().split("\n");
        return new Installed.Missing(step + ": " + lines[lines.length - 1]);
    }

    private static Optional<Path> onPath(String program) {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .map(folder -> Path.of(folder, program))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
