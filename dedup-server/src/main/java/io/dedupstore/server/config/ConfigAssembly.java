package io.dedupstore.server.config;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Makes the records of the values, and refuses values that do not go together. */
final class ConfigAssembly {
    private static final long MIB = 1L << 20;
    private static final long MIN_CONTAINER_BYTES = 4 * MIB;
    private static final long MAX_CONTAINER_BYTES = 4096 * MIB;
    private static final long MIN_REQUEST_BYTES = 16 * MIB;
    private static final long MIN_REPLAY_LOG_BYTES = 16 * MIB;
    private static final long MAX_REPLAY_LOG_BYTES = 65_536 * MIB;
    private static final long MAX_RATE = 65_536 * MIB;

    private final SettingValues values;

    ConfigAssembly(SettingValues values) {
        this.values = values;
    }

    ServerConfig assemble(Path directory) {
        return new ServerConfig(
                s3(),
                new AdminConfig(values.get(Settings.ADMIN_PORT)),
                network(),
                tls(),
                storage(directory),
                memory(),
                new HashConfig(
                        values.get(Settings.HASH_DRIVER),
                        values.get(Settings.HASH_PRIMARIES),
                        values.get(Settings.HASH_CPU_LIMIT)),
                new BucketConfig(
                        values.get(Settings.CHUNKING),
                        values.get(Settings.COMPRESSION),
                        values.get(Settings.OWNERSHIP),
                        values.get(Settings.BLOCK_PUBLIC_ACCESS)),
                new EncryptionConfig(
                        values.get(Settings.ENCRYPTION_DEFAULT),
                        values.get(Settings.ENCRYPTION_SSE_C),
                        values.get(Settings.ENCRYPTION_KEYS),
                        values.get(Settings.ENCRYPTION_UNKNOWN_KEYS)),
                maintenance(),
                timeout());
    }

    private S3Config s3() {
        int port = values.get(Settings.S3_PORT);
        if (port != 0 && port == values.get(Settings.ADMIN_PORT)) {
            throw conflict(
                    "s3.port and admin.port are both " + port + "; give one of them another port");
        }
        return new S3Config(
                port,
                values.get(Settings.S3_DOMAINS),
                values.get(Settings.S3_REGION),
                values.get(Settings.S3_SIGNATURE2),
                positive(Settings.LOG_DELIVERY));
    }

    private NetworkConfig network() {
        return new NetworkConfig(
                values.get(Settings.BIND),
                values.get(Settings.MAX_CONNECTIONS),
                values.get(Settings.TRUSTED_PROXIES));
    }

    private TlsConfig tls() {
        Optional<Path> certificate = values.get(Settings.TLS_CERT);
        Optional<Path> key = values.get(Settings.TLS_KEY);
        boolean selfSigned = values.get(Settings.TLS_SELF_SIGNED);
        if (certificate.isPresent() != key.isPresent()) {
            throw conflict(
                    "tls.cert and tls.key belong together; "
                            + (key.isPresent() ? "tls.cert" : "tls.key")
                            + " is missing");
        }
        if (certificate.isPresent() && key.isPresent()) {
            if (selfSigned) {
                throw conflict("tls.self-signed makes its own certificate; drop it or tls.cert");
            }
            return new TlsConfig.Files(
                    readable(Settings.TLS_CERT, certificate.get()),
                    readable(Settings.TLS_KEY, key.get()));
        }
        return selfSigned ? new TlsConfig.SelfSigned() : new TlsConfig.Off();
    }

    private StorageConfig storage(Path directory) {
        return new StorageConfig(
                directory,
                values.get(Settings.INDEX_DIR).orElse(directory.resolve("index")),
                within(Settings.CONTAINER_SIZE, MIN_CONTAINER_BYTES, MAX_CONTAINER_BYTES),
                values.get(Settings.DURABILITY),
                values.get(Settings.CHECKSUM),
                values.get(Settings.FREED_SLOT_GRACE),
                values.get(Settings.REBUILD_INDEX));
    }

    private MemoryConfig memory() {
        long requests = values.get(Settings.REQUEST_MEMORY);
        if (requests < MIN_REQUEST_BYTES) {
            throw conflict(
                    "memory.requests must be at least %d MiB, not %d MiB"
                            .formatted(MIN_REQUEST_BYTES / MIB, requests / MIB));
        }
        return new MemoryConfig(requests);
    }

    private MaintenanceConfig maintenance() {
        return new MaintenanceConfig(
                values.get(Settings.DELIVERY_THREADS),
                values.get(Settings.RELEASES_IN_FLIGHT),
                values.get(Settings.BACKGROUND_SHARE),
                values.get(Settings.FLUSH_PACING),
                values.get(Settings.REPLAY_OPERATIONS),
                within(Settings.REPLAY_LOG, MIN_REPLAY_LOG_BYTES, MAX_REPLAY_LOG_BYTES),
                within(Settings.COMPACTION_RATE, MIB, MAX_RATE),
                within(Settings.SCRUB_RATE, 0, MAX_RATE),
                positive(Settings.SCRUB_INTERVAL),
                values.get(Settings.PRUNE_RATE),
                within(Settings.SHRINK_RATE, MIB, MAX_RATE),
                day(),
                values.get(Settings.LIFECYCLE_RATE));
    }

    private Duration day() {
        Duration day = positive(Settings.LIFECYCLE_DAY);
        if (day.compareTo(Duration.ofDays(1)) > 0) {
            throw conflict("maintenance.lifecycle-day must be at most a day, not " + day);
        }
        return day;
    }

    private TimeoutConfig timeout() {
        return new TimeoutConfig(
                positive(Settings.IDLE_TIMEOUT),
                positive(Settings.HEADER_TIMEOUT),
                positive(Settings.STALL_TIMEOUT),
                values.get(Settings.SHUTDOWN_TIMEOUT));
    }

    private Duration positive(Setting<Duration> setting) {
        Duration value = values.get(setting);
        if (value.isZero()) {
            throw new ConfigException(
                    ConfigException.Code.BAD_VALUE, setting.key() + " must be longer than 0");
        }
        return value;
    }

    private long within(Setting<Long> setting, long min, long max) {
        long value = values.get(setting);
        if (value < min || value > max) {
            throw new ConfigException(
                    ConfigException.Code.BAD_VALUE,
                    "%s must be from %d MiB to %d MiB, not %d bytes"
                            .formatted(setting.key(), min / MIB, max / MIB, value));
        }
        return value;
    }

    private static Path readable(Setting<?> setting, Path file) {
        if (!Files.isReadable(file)) {
            throw new ConfigException(
                    ConfigException.Code.UNREADABLE_FILE,
                    setting.key() + ": " + file + " does not exist or may not be read");
        }
        return file;
    }

    private static ConfigException conflict(String message) {
        return new ConfigException(ConfigException.Code.CONFLICT, message);
    }
}
