package io.dedupstore.core.jni;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The native library, loaded at first use and for the life of the process.
 *
 * <p>It travels as a resource and is copied to a private temporary file, which is deleted as soon
 * as it is mapped. Where it can't be loaded, the reason is kept and everything runs on the Java
 * twins. {@code -Ddedup.native=off}, or {@code DEDUP_NATIVE=off} in the environment, does the same
 * on purpose.
 *
 * <p>{@code -Ddedup.native.cpu=...}, or {@code DEDUP_NATIVE_CPU} in the environment, takes features
 * of the processor away, so that the library behaves as on a lesser one: words separated by commas
 * of {@code portable}, {@code sse}, {@code avx2}, {@code -sha}, {@code -pclmul}, {@code -avx2},
 * {@code -gfni}, {@code -avx512}, {@code -vpclmul}, as {@code dedup_cpu.h} explains. With any other
 * word the library is not used, rather than used otherwise than was asked.
 */
public final class NativeLibrary {

    /** Of the functions the library exports; changed together with {@code dedup_jni.c}. */
    private static final int INTERFACE = 3;

    private static final Pattern CPU_LIMIT = cpuLimitPattern();

    /** What takes the place of property and environment; written before the library is loaded. */
    private static volatile @Nullable String asked;

    /** Loads the library when its fields are first looked at, after {@link #limitTo}. */
    private static final class Loaded {
        static final String LIMIT = limit();
        static final Optional<String> PROBLEM = load(LIMIT);

        private static String limit() {
            String instead = asked;
            return instead != null ? instead : setting("dedup.native.cpu", "DEDUP_NATIVE_CPU");
        }
    }

    private NativeLibrary() {}

    private static Pattern cpuLimitPattern() {
        String word = "(portable|sse|avx2|-sha|-pclmul|-avx2|-gfni|-avx512|-vpclmul)";
        return Pattern.compile(word + "(," + word + ")*");
    }

    /** Whether the text takes features away. */
    public static boolean isCpuLimit(String text) {
        return CPU_LIMIT.matcher(text).matches();
    }

    /**
     * Takes features of the processor away, in place of what property and environment say, and
     * loads the library. To be called before anything else that might use it.
     *
     * @throws IllegalStateException it has been loaded with another limit
     */
    public static void limitTo(String limit) {
        asked = limit;
        if (!Loaded.LIMIT.equals(limit)) {
            throw new IllegalStateException(
                    "the native library has been loaded without the limit " + limit);
        }
    }

    /** Whether native methods may be called. */
    public static boolean available() {
        return Loaded.PROBLEM.isEmpty();
    }

    /** Why there is no native library; empty when there is one. */
    public static Optional<String> problem() {
        return Loaded.PROBLEM;
    }

    /** Features of the processor that were taken away; empty when it is used as it is. */
    public static String cpuLimit() {
        return Loaded.LIMIT;
    }

    /** The gear scan in use: {@code gfni}, {@code avx2}, {@code scalar} or {@code java}. */
    public static String gearDriver() {
        return available() ? NativeGear.drivers().getFirst() : "java";
    }

    /** The SHA-256 kernels in use, joined by plus signs; {@code portable} is plain C. */
    public static String sha256Driver() {
        return available() ? NativeDigest.SHA256.drivers().getFirst() : "jdk";
    }

    /**
     * The CRC-64/NVME kernel in use: {@code vpclmul}, {@code pclmul}, {@code table}, {@code java}.
     */
    public static String crc64Driver() {
        return available() ? NativeCrc64.drivers().getFirst() : "java";
    }

    /** The MD5 kernels in use; {@code portable} is plain C, {@code jdk} none of ours. */
    public static String md5Driver() {
        return available() ? NativeDigest.MD5.drivers().getFirst() : "jdk";
    }

    /**
     * The Reed-Solomon kernels in use: {@code isal}, one of its kernels by name, or {@code java}.
     */
    public static String parityDriver() {
        return NativeParity.drivers().isEmpty() ? "java" : NativeParity.drivers().getFirst();
    }

    private static native int interface0();

    private static native boolean limit0(String limit);

    private static Optional<String> load(String limit) {
        if (setting("dedup.native", "DEDUP_NATIVE").equalsIgnoreCase("off")) {
            return Optional.of("switched off by dedup.native=off");
        }
        String resource = "/io/dedupstore/native/" + platform() + "/libdedup_native.so";
        try (InputStream in = NativeLibrary.class.getResourceAsStream(resource)) {
            if (in == null) {
                return Optional.of("no native library for " + platform() + " in this build");
            }
            loadCopy(in);
            if (interface0() != INTERFACE) {
                return Optional.of(
                        "the native library is of another build: interface %d, not %d"
                                .formatted(interface0(), INTERFACE));
            }
            if (!limit0(limit)) {
                return Optional.of("unknown processor features in '%s'".formatted(limit));
            }
        } catch (IOException e) {
            return Optional.of("native library could not be unpacked: " + e);
        } catch (UnsatisfiedLinkError | SecurityException e) {
            return Optional.of("native library could not be loaded: " + e.getMessage());
        }
        return Optional.empty();
    }

    private static void loadCopy(InputStream in) throws IOException {
        // Both are created readable by their owner alone.
        Path directory = Files.createTempDirectory("dedup-native-");
        Path copy = directory.resolve("libdedup_native.so");
        try {
            Files.copy(in, copy);
            System.load(copy.toString());
        } finally {
            Files.deleteIfExists(copy);
            Files.deleteIfExists(directory);
        }
    }

    private static String setting(String property, String variable) {
        String value = System.getProperty(property, "");
        return (value.isEmpty() ? System.getenv().getOrDefault(variable, "") : value).strip();
    }

    private static String platform() {
        String os = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        String arch = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
        return (os.startsWith("linux") ? "linux" : os.replace(' ', '-'))
                + "-"
                + (arch.equals("amd64") ? "x86_64" : arch);
    }
}
