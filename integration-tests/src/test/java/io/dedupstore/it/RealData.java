package io.dedupstore.it;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Files that really exist: what is in the jars of Maven's local repository, unpacked one folder a
 * jar, until there are enough bytes; and tarballs of these folders.
 */
final class RealData {
    private static final int TAR_RECORD = 512;
    private static final int MIN_JAR_BYTES = 1_500_000;

    private final Path root;
    private final Map<String, Long> libraries = new TreeMap<>();
    private long bytes;

    private RealData(Path root) {
        this.root = root;
    }

    /** Unpacks at least this many bytes, if the repository has them. */
    static RealData unpack(Path root, long wantedBytes) throws IOException {
        RealData data = new RealData(root);
        for (Path jar : jars()) {
            if (data.bytes >= wantedBytes) {
                break;
            }
            data.unpackJar(jar);
        }
        return data;
    }

    Path root() {
        return root;
    }

    long bytes() {
        return bytes;
    }

    List<Path> files() throws IOException {
        try (Stream<Path> walk = Files.walk(root)) {
            return walk.filter(Files::isRegularFile).sorted().toList();
        }
    }

    /** Files, tarballs among them, of so many libraries that they have about half of the bytes. */
    List<Path> half() throws IOException {
        Set<String> chosen = new TreeSet<>();
        long chosenBytes = 0;
        List<Map.Entry<String, Long>> largestFirst = new ArrayList<>(libraries.entrySet());
        largestFirst.sort(Map.Entry.<String, Long>comparingByValue().reversed());
        for (Map.Entry<String, Long> library : largestFirst) {
            if (chosenBytes + library.getValue() <= bytes / 2) {
                chosen.add(library.getKey());
                chosenBytes += library.getValue();
            }
        }
        return files().stream().filter(file -> chosen.contains(libraryOf(file))).toList();
    }

    private String libraryOf(Path file) {
        String name = root.relativize(file).getName(1).toString();
        return name.endsWith(".tar") ? name.substring(0, name.length() - 4) : name;
    }

    private static List<Path> jars() throws IOException {
        Path repository = Path.of(System.getProperty("user.home"), ".m2", "repository");
        try (Stream<Path> walk = Files.walk(repository)) {
            List<Path> jars = new ArrayList<>();
            for (Path path : walk.filter(p -> p.toString().endsWith(".jar")).sorted().toList()) {
                if (Files.size(path) >= MIN_JAR_BYTES) {
                    jars.add(path);
                }
            }
            return jars;
        }
    }

    private void unpackJar(Path jar) throws IOException {
        String name = jar.getFileName().toString().replace(".jar", "");
        long before = bytes;
        Path folder = Files.createDirectories(root.resolve("files").resolve(name));
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            for (ZipEntry entry : zip.stream().toList()) {
                Path target = folder.resolve(entry.getName()).normalize();
                if (entry.isDirectory() || !target.startsWith(folder) || Files.exists(target)) {
                    continue;
                }
                Files.createDirectories(target.getParent());
                try (InputStream in = zip.getInputStream(entry)) {
                    bytes += Files.copy(in, target);
                }
            }
        }
        Path tarballs = Files.createDirectories(root.resolve("tarballs"));
        Path tarball = tarballs.resolve(name + ".tar");
        writeTar(folder, tarball);
        bytes += Files.size(tarball);
        libraries.merge(name, bytes - before, Long::sum);
    }

    List<Path> tarballs() throws IOException {
        try (Stream<Path> list = Files.list(root.resolve("tarballs"))) {
            return list.sorted().toList();
        }
    }

    /** Copies a file behind one byte that shifts everything. */
    static Path shift(Path file, Path target) throws IOException {
        try (OutputStream out = Files.newOutputStream(target)) {
            out.write('x');
            Files.copy(file, out);
        }
        return target;
    }

    private static void writeTar(Path folder, Path target) throws IOException {
        List<Path> files;
        try (Stream<Path> walk = Files.walk(folder)) {
            files = walk.filter(Files::isRegularFile).sorted().toList();
        }
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(target))) {
            for (Path file : files) {
                long size = Files.size(file);
                out.write(header(folder.relativize(file).toString(), size));
                Files.copy(file, out);
                out.write(new byte[(int) (-size & (TAR_RECORD - 1))]);
            }
            out.write(new byte[2 * TAR_RECORD]);
        }
    }

    /** The old tar header: name, mode, sizes and time in octal, checksum. */
    private static byte[] header(String name, long size) {
        byte[] header = new byte[TAR_RECORD];
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        System.arraycopy(
                bytes, Math.max(0, bytes.length - 100), header, 0, Math.min(100, bytes.length));
        put(header, 100, "0000644\0");
        put(header, 124, "%011o\0".formatted(size));
        put(header, 136, "00000000000\0");
        put(header, 148, "        ");
        header[156] = '0';
        int sum = 0;
        for (byte b : header) {
            sum += b & 0xff;
        }
        put(header, 148, "%06o\0 ".formatted(sum));
        return header;
    }

    private static void put(byte[] header, int offset, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(bytes, 0, header, offset, bytes.length);
    }
}
