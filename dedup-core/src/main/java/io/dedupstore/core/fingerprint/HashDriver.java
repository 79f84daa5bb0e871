package io.dedupstore.core.fingerprint;

/** Who computes the digests that multi-buffer kernels exist for. */
public enum HashDriver {
    /** What a calibration at the start finds faster. */
    AUTO,
    /** The native kernels, whatever they are on this processor. */
    NATIVE,
    /** The Java runtime's own digests, one after the other. */
    JDK
}
