package io.dedupstore.server.config;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Makes sure that a directory is there and may be written to, before anything else starts. */
final class WritableDirectory {
    private WritableDirectory() {}

    static void require(Path directory, String purpose) {
        try {
            Files.createDirectories(directory);
        } catch (FileAlreadyExistsException e) {
            throw refused(purpose, directory, "is a file; name another directory", e);
        } catch (IOException e) {
            throw refused(
                    purpose,
                    directory,
                    "can't be made (" + e + "); make it, or start as a user who may",
                    e);
        }
        try {
            Files.delete(Files.createTempFile(directory, ".writable", ""));
        } catch (IOException e) {
            throw refused(
                    purpose,
                    directory,
                    "can't be written to (" + e + "); change its owner or rights, or free space",
                    e);
        }
    }

    private static ConfigException refused(
            String purpose, Path directory, String why, IOException cause) {
        return new ConfigException(
                ConfigException.Code.UNWRITABLE_PATH,
                "the " + purpose + " " + directory + " " + why,
                cause);
    }
}
