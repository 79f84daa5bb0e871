package io.dedupstore.client.admin;

import java.util.List;

/**
 * The hashing engine.
 *
 * @param nativeLibrary whether the native library is loaded, or why not
 */
public record HashReport(String driver, String nativeLibrary, List<Algorithm> algorithms) {
    public HashReport {
        algorithms = List.copyOf(algorithms);
    }

    /**
     * One algorithm.
     *
     * @param use chunk fingerprints, ETags, ...
     */
    public record Algorithm(String name, String driver, String use) {}
}
