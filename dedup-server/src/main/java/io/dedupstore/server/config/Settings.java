package io.dedupstore.server.config;

import io.dedupstore.core.checksum.AtRestChecksum;
import io.dedupstore.core.chunking.ChunkingException;
import io.dedupstore.core.chunking.ChunkingSpec;
import io.dedupstore.core.compression.ChunkCodec;
import io.dedupstore.core.compression.CompressionException;
import io.dedupstore.core.fingerprint.HashDriver;
import io.dedupstore.core.fingerprint.HashSettings;
import io.dedupstore.core.jni.NativeLibrary;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/** The table of all settings; help, documentation and loading come from it. */
final class Settings {
    static final Setting<Integer> S3_PORT =
            new Setting<>(
                    "s3.port",
                    "--s3-port",
                    SettingType.PORT,
                    "9000",
                    "Port of the S3 API; 0 takes any free one.");
    static final Setting<List<String>> S3_DOMAINS =
            new Setting<>(
                    "s3.domains",
                    "--domain",
                    SettingType.NAMES,
                    "",
                    "Base domains of virtual-host addressing: with s3.example.com a request to"
                            + " photos.s3.example.com means the bucket photos.");
    static final Setting<String> S3_REGION =
            new Setting<>(
                    "s3.region",
                    "--region",
                    new SettingType<>("name", Settings::region),
                    "us-east-1",
                    "Region that signatures are made for and that the API reports.");
    static final Setting<Boolean> S3_SIGNATURE2 =
            new Setting<>(
                    "s3.legacy-signatures",
                    "--legacy-signatures",
                    SettingType.SWITCH,
                    "false",
                    "Takes signatures of version 2 as well, which old tools make: in headers, in"
                            + " URLs and in forms. They protect neither host nor body.");
    static final Setting<Duration> LOG_DELIVERY =
            new Setting<>(
                    "s3.log-delivery",
                    "--log-delivery",
                    SettingType.DURATION,
                    "5m",
                    "How often logs of requests to buckets are delivered to the buckets that their"
                            + " owners named.");
    static final Setting<Integer> ADMIN_PORT =
            new Setting<>(
                    "admin.port",
                    "--admin-port",
                    SettingType.PORT,
                    "9001",
                    "Port of the admin API, health and metrics; 0 takes any free one.");
    static final Setting<String> BIND =
            new Setting<>(
                    "network.bind",
                    "--bind",
                    new SettingType<>("address", Settings::address),
                    "127.0.0.1",
                    "Address that both ports listen on; the default is reachable from this machine"
                            + " only, 0.0.0.0 or :: opens it.");
    static final Setting<Integer> MAX_CONNECTIONS =
            new Setting<>(
                    "network.max-connections",
                    "--max-connections",
                    SettingType.count(1, 1_000_000),
                    "4096",
                    "Open connections of the S3 port; further ones are closed at once.");
    static final Setting<List<IpRange>> TRUSTED_PROXIES =
            new Setting<>(
                    "network.trusted-proxies",
                    "--trusted-proxies",
                    SettingType.IP_RANGES,
                    "",
                    "Reverse proxies whose X-Forwarded-For and X-Forwarded-Proto headers are believed,"
                            + " as addresses or ranges like 10.0.0.0/8.");
    static final Setting<Optional<Path>> TLS_CERT =
            new Setting<>(
                    "tls.cert",
                    "--tls-cert",
                    SettingType.OPTIONAL_PATH,
                    "",
                    "PEM file with the certificate chain; turns TLS on for both ports. Read again when"
                            + " it changes.");
    static final Setting<Optional<Path>> TLS_KEY =
            new Setting<>(
                    "tls.key",
                    "--tls-key",
                    SettingType.OPTIONAL_PATH,
                    "",
                    "PEM file with the certificate's private key.");
    static final Setting<Boolean> TLS_SELF_SIGNED =
            new Setting<>(
                    "tls.self-signed",
                    "--tls-self-signed",
                    SettingType.SWITCH,
                    "false",
                    "TLS with a certificate made at first start, for a try-out.");
    static final Setting<Optional<Path>> INDEX_DIR =
            new Setting<>(
                    "storage.index-dir",
                    "--index-dir",
                    SettingType.OPTIONAL_PATH,
                    "",
                    "Directory of the fingerprint index, where it has a device of its own; by default"
                            + " inside the data directory.");
    static final Setting<Long> CONTAINER_SIZE =
            new Setting<>(
                    "storage.container-size",
                    "--container-size",
                    SettingType.SIZE,
                    "256MiB",
                    "Length at which a container is sealed; 4MiB to 4GiB.");
    static final Setting<Durability> DURABILITY =
            new Setting<>(
                    "storage.durability",
                    "--durability",
                    SettingType.choice(Durability.class),
                    "fsync",
                    "fsync answers a write when it is on disk; relaxed does not wait, and a power cut"
                            + " loses writes that were answered.");
    static final Setting<AtRestChecksum> CHECKSUM =
            new Setting<>(
                    "storage.checksum",
                    "--checksum",
                    new SettingType<>("crc32c|xxhash64|sha256", Settings::checksum),
                    "crc32c",
                    "What protects stored chunks; verified on every read. Holds for new containers.");
    static final Setting<Duration> FREED_SLOT_GRACE =
            new Setting<>(
                    "storage.freed-slot-grace",
                    "--freed-slot-grace",
                    SettingType.DURATION,
                    "10m",
                    "How long a freed chunk stays readable for requests that began before; its space"
                            + " comes back afterwards.");
    static final Setting<Boolean> REBUILD_INDEX =
            new Setting<>(
                    "storage.rebuild-index",
                    "--rebuild-index",
                    SettingType.SWITCH,
                    "false",
                    "Sets the fingerprint index aside at this start and makes it anew from manifests"
                            + " while the store works: for one that is lost or damaged. Not to be"
                            + " left on.");
    static final Setting<Long> REQUEST_MEMORY =
            new Setting<>(
                    "memory.requests",
                    "--request-memory",
                    SettingType.SIZE,
                    "256MiB",
                    "Buffers of all running requests together; over it the answer is 503 SlowDown. The"
                            + " JVM's -XX:MaxDirectMemorySize (512m) must be larger.");
    static final Setting<HashDriver> HASH_DRIVER =
            new Setting<>(
                    "hash.driver",
                    "--hash-driver",
                    SettingType.choice(HashDriver.class),
                    "auto",
                    "Who computes SHA-256 and MD5: auto takes the native kernels where they are"
                            + " faster and measures them at the start; native and jdk pin one.");
    static final Setting<Integer> HASH_PRIMARIES =
            new Setting<>(
                    "hash.primaries",
                    "--hash-primaries",
                    SettingType.count(0, HashSettings.MAX_PRIMARIES),
                    "0",
                    "Threads that hash: fewer cost less CPU, more answer sooner. 0 for half the"
                            + " processors; `dedup admin hash --primaries` changes it at run time.");
    static final Setting<String> HASH_CPU_LIMIT =
            new Setting<>(
                    "hash.cpu-limit",
                    "--hash-cpu-limit",
                    new SettingType<>("words", Settings::cpuLimit),
                    "",
                    "Features of the processor that native code does without, for tests and when a"
                            + " kernel is suspected: portable, sse or avx2 for what may be used at"
                            + " most, -sha, -pclmul, -avx2, -gfni, -avx512, -vpclmul for one that may"
                            + " not; several with commas. Empty leaves it to DEDUP_NATIVE_CPU.");
    static final Setting<ChunkingSpec> CHUNKING =
            new Setting<>(
                    "bucket.chunking",
                    "--chunking",
                    new SettingType<>("cdc[:SIZE]|fixed:SIZE", Settings::chunking),
                    "cdc",
                    "How objects of new buckets are cut: cdc (average 64k; or cdc:8k, 16k, 32k) or"
                            + " fixed:4k to fixed:1m.");
    static final Setting<ChunkCodec> COMPRESSION =
            new Setting<>(
                    "bucket.compression",
                    "--compression",
                    new SettingType<>("off|lz4|zstd", Settings::compression),
                    "lz4",
                    "How chunks of new buckets are compressed; chunks that do not shrink are stored as"
                            + " they are.");
    static final Setting<DefaultOwnership> OWNERSHIP =
            new Setting<>(
                    "bucket.ownership",
                    "--bucket-ownership",
                    new SettingType<>(
                            "object-writer|bucket-owner-preferred|bucket-owner-enforced",
                            Settings::ownership),
                    "object-writer",
                    "Who owns what other accounts write into new buckets: object-writer and"
                            + " bucket-owner-preferred have access lists, bucket-owner-enforced, which"
                            + " is what AWS does today, has none.");
    static final Setting<Boolean> BLOCK_PUBLIC_ACCESS =
            new Setting<>(
                    "bucket.block-public-access",
                    "--block-public-access",
                    SettingType.SWITCH,
                    "false",
                    "Whether new buckets begin with all four blocks of public access on, as AWS does"
                            + " today. Either way a new bucket is its owner's alone.");
    static final Setting<DefaultEncryption> ENCRYPTION_DEFAULT =
            new Setting<>(
                    "encryption.default",
                    "--encryption",
                    new SettingType<>("none|sse-s3", Settings::defaultEncryption),
                    "none",
                    "How objects are encrypted where neither the request nor the bucket says it;"
                            + " sse-s3 is what AWS does.");
    static final Setting<CustomerKeyRule> ENCRYPTION_SSE_C =
            new Setting<>(
                    "encryption.sse-c",
                    "--sse-c",
                    SettingType.choice(CustomerKeyRule.class),
                    "local",
                    "Where clients may send keys of their own (SSE-C): tls, local (TLS, or clear text"
                            + " from this machine), any, off.");
    static final Setting<List<String>> ENCRYPTION_KEYS =
            new Setting<>(
                    "encryption.keys",
                    "--encryption-keys",
                    SettingType.WORDS,
                    "",
                    "Ids of keys for SSE-KMS that are made at the start where they are missing; `dedup"
                            + " admin keys` makes them at any time.");
    static final Setting<UnknownKeyRule> ENCRYPTION_UNKNOWN_KEYS =
            new Setting<>(
                    "encryption.unknown-keys",
                    "--unknown-keys",
                    SettingType.choice(UnknownKeyRule.class),
                    "create",
                    "What becomes of a key id for SSE-KMS that there is no key of: create makes one,"
                            + " refuse answers KMS.NotFoundException.");
    static final Setting<Integer> DELIVERY_THREADS =
            new Setting<>(
                    "maintenance.delivery-threads",
                    "--delivery-threads",
                    SettingType.count(1, 64),
                    "4",
                    "Deliveries from shards to other shards and to storage nodes that run at once.");
    static final Setting<Integer> RELEASES_IN_FLIGHT =
            new Setting<>(
                    "maintenance.releases-in-flight",
                    "--releases-in-flight",
                    SettingType.count(1_024, 100_000_000),
                    "1000000",
                    "References of deleted objects on their way to the index at once; the others"
                            + " wait with their objects' manifests.");
    static final Setting<Integer> BACKGROUND_SHARE =
            new Setting<>(
                    "maintenance.background-share",
                    "--background-share",
                    SettingType.count(1, 100),
                    "50",
                    "Most of a shard's time, in percent, that releases, deliveries and prunes take"
                            + " while requests come; less while these suffer. 100 for no limit.");
    static final Setting<Boolean> FLUSH_PACING =
            new Setting<>(
                    "maintenance.flush-pacing",
                    "--flush-pacing",
                    SettingType.SWITCH,
                    "true",
                    "Flushes of the shards' stores are spread over time; false writes each at full"
                            + " speed.");
    static final Setting<Integer> REPLAY_OPERATIONS =
            new Setting<>(
                    "maintenance.replay-operations",
                    "--replay-operations",
                    SettingType.count(1_000, 100_000_000),
                    "1000000",
                    "Operations by which a shard's store is flushed: about what a start after a"
                            + " crash has to replay. Writes are slowed down at twice as many.");
    static final Setting<Long> REPLAY_LOG =
            new Setting<>(
                    "maintenance.replay-log",
                    "--replay-log",
                    SettingType.SIZE,
                    "512MiB",
                    "Log by which a shard's store is flushed, whichever comes first; at least"
                            + " 16MiB.");
    static final Setting<Long> COMPACTION_RATE =
            new Setting<>(
                    "maintenance.compaction-rate",
                    "--compaction-rate",
                    SettingType.SIZE,
                    "64MiB",
                    "Bytes a second that compaction of containers copies; at least 1MiB.");
    static final Setting<Long> SCRUB_RATE =
            new Setting<>(
                    "maintenance.scrub-rate",
                    "--scrub-rate",
                    SettingType.SIZE,
                    "16MiB",
                    "Bytes a second that scrub reads; 0B for no scrub but by command.");
    static final Setting<Duration> SCRUB_INTERVAL =
            new Setting<>(
                    "maintenance.scrub-interval",
                    "--scrub-interval",
                    SettingType.DURATION,
                    "14d",
                    "From the beginning of one scrub of all containers to that of the next.");
    static final Setting<Integer> PRUNE_RATE =
            new Setting<>(
                    "maintenance.prune-rate",
                    "--prune-rate",
                    SettingType.count(1_000, 100_000_000),
                    "100000",
                    "Index entries a second that a prune removes at most.");
    static final Setting<Long> SHRINK_RATE =
            new Setting<>(
                    "maintenance.shrink-rate",
                    "--shrink-rate",
                    SettingType.SIZE,
                    "64MiB",
                    "Bytes a second that shrinking the index writes at most; at least 1MiB.");
    static final Setting<Duration> LIFECYCLE_DAY =
            new Setting<>(
                    "maintenance.lifecycle-day",
                    "--lifecycle-day",
                    SettingType.DURATION,
                    "1d",
                    "What life-cycle rules of buckets mean by a day; shorter than 1d for trials only."
                            + " Rules are carried out four times a day.");
    static final Setting<Integer> LIFECYCLE_RATE =
            new Setting<>(
                    "maintenance.lifecycle-rate",
                    "--lifecycle-rate",
                    SettingType.count(1, 1_000_000),
                    "1000",
                    "Deletions a second that life-cycle rules make at most.");
    static final Setting<Duration> IDLE_TIMEOUT =
            new Setting<>(
                    "timeout.idle",
                    "--idle-timeout",
                    SettingType.DURATION,
                    "60s",
                    "A connection without a request is closed after this.");
    static final Setting<Duration> HEADER_TIMEOUT =
            new Setting<>(
                    "timeout.header",
                    "--header-timeout",
                    SettingType.DURATION,
                    "20s",
                    "From the first byte of a request to the end of its headers.");
    static final Setting<Duration> STALL_TIMEOUT =
            new Setting<>(
                    "timeout.stall",
                    "--stall-timeout",
                    SettingType.DURATION,
                    "60s",
                    "A client that neither sends nor takes a byte for this long is given up.");
    static final Setting<Duration> SHUTDOWN_TIMEOUT =
            new Setting<>(
                    "timeout.shutdown",
                    "--shutdown-timeout",
                    SettingType.DURATION,
                    "20s",
                    "How long running requests may take to end when the server is asked to stop.");

    static final List<Setting<?>> ALL =
            List.of(
                    S3_PORT,
                    S3_DOMAINS,
                    S3_REGION,
                    S3_SIGNATURE2,
                    LOG_DELIVERY,
                    ADMIN_PORT,
                    BIND,
                    MAX_CONNECTIONS,
                    TRUSTED_PROXIES,
                    TLS_CERT,
                    TLS_KEY,
                    TLS_SELF_SIGNED,
                    INDEX_DIR,
                    CONTAINER_SIZE,
                    DURABILITY,
                    CHECKSUM,
                    FREED_SLOT_GRACE,
                    REBUILD_INDEX,
                    REQUEST_MEMORY,
                    HASH_DRIVER,
                    HASH_PRIMARIES,
                    HASH_CPU_LIMIT,
                    CHUNKING,
                    COMPRESSION,
                    OWNERSHIP,
                    BLOCK_PUBLIC_ACCESS,
                    ENCRYPTION_DEFAULT,
                    ENCRYPTION_SSE_C,
                    ENCRYPTION_KEYS,
                    ENCRYPTION_UNKNOWN_KEYS,
                    DELIVERY_THREADS,
                    RELEASES_IN_FLIGHT,
                    BACKGROUND_SHARE,
                    FLUSH_PACING,
                    REPLAY_OPERATIONS,
                    REPLAY_LOG,
                    COMPACTION_RATE,
                    SCRUB_RATE,
                    SCRUB_INTERVAL,
                    PRUNE_RATE,
                    SHRINK_RATE,
                    LIFECYCLE_DAY,
                    LIFECYCLE_RATE,
                    IDLE_TIMEOUT,
                    HEADER_TIMEOUT,
                    STALL_TIMEOUT,
                    SHUTDOWN_TIMEOUT);

    private Settings() {}

    static Optional<Setting<?>> find(Function<Setting<?>, String> name, String wanted) {
        return ALL.stream().filter(setting -> name.apply(setting).equals(wanted)).findFirst();
    }

    private static DefaultOwnership ownership(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "object-writer" -> DefaultOwnership.OBJECT_WRITER;
            case "bucket-owner-preferred" -> DefaultOwnership.BUCKET_OWNER_PREFERRED;
            case "bucket-owner-enforced" -> DefaultOwnership.BUCKET_OWNER_ENFORCED;
            default ->
                    throw new IllegalArgumentException(
                            "is none of object-writer, bucket-owner-preferred,"
                                    + " bucket-owner-enforced");
        };
    }

    private static DefaultEncryption defaultEncryption(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "none" -> DefaultEncryption.NONE;
            case "sse-s3" -> DefaultEncryption.SSE_S3;
            default -> throw new IllegalArgumentException("is none of none, sse-s3");
        };
    }

    private static String region(String text) {
        if (!text.matches("[a-z0-9][a-z0-9-]{0,62}")) {
            throw new IllegalArgumentException(
                    "is no region; use lower-case letters, digits and hyphens");
        }
        return text;
    }

    private static String cpuLimit(String text) {
        if (!text.isEmpty() && !NativeLibrary.isCpuLimit(text)) {
            throw new IllegalArgumentException(
                    "is not a list of portable, sse, avx2, -sha, -pclmul, -avx2, -gfni, -avx512,"
                            + " -vpclmul with commas");
        }
        return text;
    }

    private static String address(String text) {
        String address =
                text.startsWith("[") && text.endsWith("]")
                        ? text.substring(1, text.length() - 1)
                        : text;
        if (address.contains(":")) {
            return IpRange.literal(address).getHostAddress();
        }
        return DnsName.check(address);
    }

    private static AtRestChecksum checksum(String text) {
        try {
            return AtRestChecksum.parse(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("is none of crc32c, xxhash64, sha256", e);
        }
    }

    private static ChunkingSpec chunking(String text) {
        try {
            return ChunkingSpec.parse(text);
        } catch (ChunkingException e) {
            throw new IllegalArgumentException("is no chunking (" + e.getMessage() + ")", e);
        }
    }

    private static ChunkCodec compression(String text) {
        try {
            return ChunkCodec.parse(text);
        } catch (CompressionException e) {
            throw new IllegalArgumentException("is none of off, lz4, zstd", e);
        }
    }
}
