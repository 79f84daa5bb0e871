package io.dedupstore.core.io;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * The end of a process that may not do anything more.
 *
 * <p>{@link Runtime#halt} runs no shutdown hooks of Java, but the exit handlers of native libraries
 * all the same, and RocksDB's waits for its background threads. One that wants to tell Java of a
 * finished flush or compaction waits for the halting virtual machine: neither ever ends, and nobody
 * starts the process anew.
 */
public final class ProcessEnd {
    private ProcessEnd() {}

    /** Ends the process by the system call, at once. */
    public static void now(int status) {
        try {
            Linker linker = Linker.nativeLinker();
            MethodHandle exit =
                    linker.downcallHandle(
                            linker.defaultLookup().findOrThrow("_exit"),
                            FunctionDescriptor.ofVoid(ValueLayout.JAVA_INT));
            exit.invokeExact(status);
        } catch (Throwable e) {
            // There is no such call, or it is not allowed: halting mostly works.
            Runtime.getRuntime().halt(status);
        }
    }
}
