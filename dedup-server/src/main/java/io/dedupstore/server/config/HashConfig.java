package io.dedupstore.server.config;

import io.dedupstore.core.fingerprint.HashDriver;
import io.dedupstore.core.fingerprint.HashSettings;

/**
 * Who hashes.
 *
 * @param primaries threads; 0 for half the processors
 * @param cpuLimit features of the processor that native code does without; empty for none
 */
public record HashConfig(HashDriver driver, int primaries, String cpuLimit) {

    public HashSettings settings() {
        return new HashSettings(
                driver, primaries == 0 ? HashSettings.defaultPrimaries() : primaries);
    }
}
