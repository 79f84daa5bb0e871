package io.dedupstore.server;

/** The version of this build. */
final class Version {
    private Version() {}

    static String text() {
        String version = Version.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }
}
