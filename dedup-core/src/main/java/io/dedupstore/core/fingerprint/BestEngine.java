package io.dedupstore.core.fingerprint;

import io.dedupstore.core.jni.NativeLibrary;

/**
 * Chooses once. Plain C loses to the JDK's own intrinsics on every processor, so native code is
 * used where it has vector or SHA instructions.
 */
final class BestEngine {
    static final HashEngine INSTANCE = choose();

    private BestEngine() {}

    private static HashEngine choose() {
        boolean fast =
                NativeLibrary.available() && !NativeLibrary.sha256Driver().equals("portable");
        return fast ? new NativeHashEngine() : new JdkHashEngine();
    }
}
