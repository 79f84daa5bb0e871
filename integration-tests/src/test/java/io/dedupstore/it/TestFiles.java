package io.dedupstore.it;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Files with content from a seed, and what they hash to. */
final class TestFiles {
    private TestFiles() {}

    static byte[] bytes(long seed, int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    static Path write(Path file, long seed, int length) throws IOException {
        Files.createDirectories(file.getParent());
        return Files.write(file, bytes(seed, length));
    }

    /** A small tree with the names and sizes that clients stumble over. */
    static Path tree(Path root) throws IOException {
        write(root.resolve("empty"), 1, 0);
        write(root.resolve("inline"), 2, 100);
        write(root.resolve("limit"), 3, 4096);
        write(root.resolve("behind-the-limit"), 4, 4097);
        write(root.resolve("folder/with space & ünïcode.txt"), 5, 10_000);
        write(root.resolve("folder/deeper/one.bin"), 6, 300_000);
        write(root.resolve("folder/deeper/plus+and=signs"), 7, 50);
        write(root.resolve("large.bin"), 8, 20 << 20);
        return root;
    }

    static String sha256(byte[] bytes) {
        return HexFormat.of().formatHex(digest().digest(bytes));
    }

    static String sha256(InputStream in) throws IOException {
        try (DigestInputStream digesting = new DigestInputStream(in, digest())) {
            digesting.transferTo(OutputStream.nullOutputStream());
            return HexFormat.of().formatHex(digesting.getMessageDigest().digest());
        }
    }

    static String sha256(Path file) throws IOException {
        return sha256(Files.newInputStream(file));
    }

    /** Relative path to hash of every file below. */
    static Map<String, String> hashes(Path root) throws IOException {
        Map<String, String> hashes = new TreeMap<>();
        try (Stream<Path> walk = Files.walk(root)) {
            for (Path file : walk.filter(Files::isRegularFile).toList()) {
                hashes.put(root.relativize(file).toString(), sha256(file));
            }
        }
        return hashes;
    }

    private static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }
}
