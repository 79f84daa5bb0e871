package io.dedupstore.core.container;

import io.dedupstore.core.io.Disk;
import io.dedupstore.core.io.DiskFile;
import io.dedupstore.core.model.ContainerId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Names of container files. */
public final class ContainerFiles {
    private static final String UNFINISHED = ".tmp";
    private static final Pattern NAME =
            Pattern.compile("([0-9a-f]{16})\\.([1-9][0-9]{0,9})\\.container");

    /** What a file's name says. */
    public record Named(ContainerId id, int generation, Path path) {}

    private ContainerFiles() {}

    /** The file of a container below the folder of all containers. */
    public static Path path(Path containers, ContainerId id, int generation) {
        String name = id.toString();
        return containers
                .resolve(name.substring(name.length() - 2))
                .resolve(name + "." + generation + ".container");
    }

    public static Optional<Named> parse(Path path) {
        Matcher matcher = NAME.matcher(fileName(path));
        if (!matcher.matches()) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    new Named(
                            new ContainerId(Long.parseUnsignedLong(matcher.group(1), 16)),
                            Integer.parseInt(matcher.group(2)),
                            path));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    public static boolean isUnfinished(Path path) {
        return fileName(path).endsWith(UNFINISHED);
    }

    static Path unfinished(Path path) {
        return path.resolveSibling(fileName(path) + UNFINISHED);
    }

    /** The folder a file stands in. */
    public static Path folder(Path path) {
        Path parent = path.getParent();
        if (parent == null) {
            throw new IllegalArgumentException("a container stands in a folder: " + path);
        }
        return parent;
    }

    private static String fileName(Path path) {
        Path name = path.getFileName();
        return name == null ? "" : name.toString();
    }

    static void closeQuietly(DiskFile file, Exception because) {
        try {
            file.close();
        } catch (IOException e) {
            because.addSuppressed(e);
        }
    }

    static void deleteQuietly(Disk disk, Path path, Exception because) {
        try {
            disk.delete(path);
        } catch (IOException e) {
            because.addSuppressed(e);
        }
    }
}
