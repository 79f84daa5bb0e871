package io.dedupstore.core.fingerprint;

/** Chooses once. */
final class BestEngine {
    static final HashEngine INSTANCE = new JdkHashEngine();

    private BestEngine() {}
}
