package io.dedupstore.bench.index;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Linux' memory of files: forgotten, so that reads are cold, and looked at. */
final class PageCache {
    private static final int DONT_NEED = 4;
    private static final long CACHESTAT = 451;
    private static final long PAGE_BYTES = 4096;
    private static final int WORDS_OF_CACHESTAT = 5;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final MethodHandle OPEN =
            LINKER.downcallHandle(
                    LINKER.defaultLookup().findOrThrow("open"),
                    FunctionDescriptor.of(
                            ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT),
                    Linker.Option.firstVariadicArg(2));
    private static final MethodHandle CLOSE =
            LINKER.downcallHandle(
                    LINKER.defaultLookup().findOrThrow("close"),
                    FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
    private static final MethodHandle ADVISE =
            LINKER.downcallHandle(
                    LINKER.defaultLookup().findOrThrow("posix_fadvise"),
                    FunctionDescriptor.of(
                            ValueLayout.JAVA_INT,
                            ValueLayout.JAVA_INT,
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_INT));
    private static final MethodHandle SYSCALL =
            LINKER.downcallHandle(
                    LINKER.defaultLookup().findOrThrow("syscall"),
                    FunctionDescriptor.of(
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_INT,
                            ValueLayout.ADDRESS,
                            ValueLayout.ADDRESS,
                            ValueLayout.JAVA_INT),
                    Linker.Option.firstVariadicArg(1));

    private PageCache() {}

    private interface Use {
        long of(int descriptor) throws Throwable;
    }

    private static long with(Path file, Use use) {
        try (Arena arena = Arena.ofConfined()) {
            int descriptor = (int) OPEN.invokeExact(arena.allocateFrom(file.toString()), 0);
            if (descriptor < 0) {
                // Removed meanwhile.
                return 0;
            }
            try {
                return use.of(descriptor);
            } finally {
                int closed = (int) CLOSE.invokeExact(descriptor);
                assert closed == 0;
            }
        } catch (Throwable e) {
            throw new IllegalStateException("asking the page cache failed", e);
        }
    }

    /** Files in a directory and below it. */
    static List<Path> files(Path directory) {
        try (Stream<Path> all = Files.walk(directory)) {
            return all.filter(Files::isRegularFile).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Forgets what is cached of files; what is not yet on the device stays. */
    static void forget(List<Path> files) {
        for (Path file : files) {
            with(file, fd -> (int) ADVISE.invokeExact(fd, 0L, 0L, DONT_NEED));
        }
    }

    /** Bytes of files that are cached; -1 where the kernel does not tell (before Linux 6.5). */
    static long cachedBytes(List<Path> files) {
        long bytes = 0;
        for (Path file : files) {
            long pages = with(file, PageCache::cachedPages);
            if (pages < 0) {
                return -1;
            }
            bytes += pages * PAGE_BYTES;
        }
        return bytes;
    }

    private static long cachedPages(int descriptor) throws Throwable {
        try (Arena arena = Arena.ofConfined()) {
            // Offset and length, 0 for all; then pages cached, dirty, written back and two more.
            MemorySegment range = arena.allocate(ValueLayout.JAVA_LONG, 2);
            MemorySegment found = arena.allocate(ValueLayout.JAVA_LONG, WORDS_OF_CACHESTAT);
            long result = (long) SYSCALL.invokeExact(CACHESTAT, descriptor, range, found, 0);
            return result == 0 ? found.get(ValueLayout.JAVA_LONG, 0) : -1;
        }
    }
}
