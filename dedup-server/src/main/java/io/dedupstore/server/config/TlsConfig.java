package io.dedupstore.server.config;

import java.nio.file.Path;

/** Where the certificate of both ports comes from. */
public sealed interface TlsConfig {

    /** Plain HTTP. */
    record Off() implements TlsConfig {}

    /**
     * PEM files, read again when they change.
     *
     * @param certificate chain, leaf first
     */
    record Files(Path certificate, Path key) implements TlsConfig {}

    /** A certificate made at first start and kept in the data directory. */
    record SelfSigned() implements TlsConfig {}
}
