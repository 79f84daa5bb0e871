package io.dedupstore.server;

import io.dedupstore.core.control.SecretCipher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * {@code master-key}: 64 hexadecimal digits that wrap secrets and domain keys. Whoever loses it
 * loses the access keys and the dedup of what is stored, not the objects; whoever has it and the
 * data directory has everything.
 */
final class MasterKey {
    private static final String FILE = "master-key";

    private MasterKey() {}

    /** Reads the key, or makes it when the directory is new. */
    static SecretCipher open(DataDirectory directory, boolean isNew, SecureRandom random) {
        Path file = directory.resolve(FILE);
        try {
            if (!Files.exists(file)) {
                if (!isNew) {
                    throw new StartException(
                            file + " is missing; restore it: secrets are encrypted under it");
                }
                byte[] fresh = new byte[SecretCipher.MASTER_KEY_BYTES];
                random.nextBytes(fresh);
                DurableFiles.replace(file, HexFormat.of().formatHex(fresh) + "\n", "rw-------");
                Arrays.fill(fresh, (byte) 0);
            }
            byte[] key = HexFormat.of().parseHex(Files.readString(file).strip());
            SecretCipher cipher = new SecretCipher(key);
            Arrays.fill(key, (byte) 0);
            return cipher;
        } catch (IllegalArgumentException e) {
            throw new StartException(file + " must hold 64 hexadecimal digits", e);
        } catch (IOException e) {
            throw new StartException("cannot use " + file + ": " + e.getMessage(), e);
        }
    }
}
