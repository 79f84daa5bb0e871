package io.dedupstore.server.storage;

import io.dedupstore.core.io.DiskFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicInteger;

/** An open file with several users; closed when the last one lets go. Starts with one. */
final class SharedFile {
    private final DiskFile file;
    private final AtomicInteger users = new AtomicInteger(1);

    SharedFile(DiskFile file) {
        this.file = file;
    }

    DiskFile file() {
        return file;
    }

    /** False when it is closed already. */
    boolean tryAcquire() {
        while (true) {
            int n = users.get();
            if (n == 0) {
                return false;
            }
            if (users.compareAndSet(n, n + 1)) {
                return true;
            }
        }
    }

    void release() {
        if (users.decrementAndGet() == 0) {
            try {
                file.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
