package io.dedupstore.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedupstore.core.checksum.AtRestChecksum;
import io.dedupstore.core.chunking.ChunkingSpec;
import io.dedupstore.core.compression.ChunkCodec;
import io.dedupstore.core.fingerprint.HashDriver;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServerConfigTest {
    @TempDir private Path temporary;

    private Path data;

    @BeforeEach
    void nameDataDirectory() {
        data = temporary.resolve("data");
    }

    @Test
    void defaultsAreThoseOfTheTable() {
        ServerConfig config = load();
        assertThat(config)
                .isEqualTo(
                        new ServerConfig(
                                new S3Config(
                                        9000, List.of(), "us-east-1", false, Duration.ofMinutes(5)),
                                new AdminConfig(9001),
                                new NetworkConfig("127.0.0.1", 4096, List.of()),
                                new TlsConfig.Off(),
                                new StorageConfig(
                                        data,
                                        data.resolve("index"),
                                        256L << 20,
                                        Durability.FSYNC,
                                        AtRestChecksum.CRC32C,
                                        Duration.ofMinutes(10),
                                        false),
                                new MemoryConfig(256L << 20),
                                new HashConfig(HashDriver.AUTO, 0, ""),
                                new BucketConfig(
                                        ChunkingSpec.DEFAULT,
                                        ChunkCodec.LZ4,
                                        DefaultOwnership.OBJECT_WRITER,
                                        false),
                                new EncryptionConfig(
                                        DefaultEncryption.NONE,
                                        CustomerKeyRule.LOCAL,
                                        List.of(),
                                        UnknownKeyRule.CREATE),
                                new MaintenanceConfig(
                                        4,
                                        1_000_000,
                                        50,
                                        true,
                                        1_000_000,
                                        512L << 20,
                                        64L << 20,
                                        16L << 20,
                                        Duration.ofDays(14),
                                        100_000,
                                        64L << 20,
                                        Duration.ofDays(1),
                                        1000),
                                new TimeoutConfig(
                                        Duration.ofSeconds(60),
                                        Duration.ofSeconds(20),
                                        Duration.ofSeconds(60),
                                        Duration.ofSeconds(20))));
        assertThat(data).isDirectory();
        assertThat(data.resolve("index")).isDirectory();
    }

    @Test
    void everySettingIsReadFromTheFile() throws IOException {
        Path certificate = Files.createFile(temporary.resolve("cert.pem"));
        Path key = Files.createFile(temporary.resolve("key.pem"));
        Path index = temporary.resolve("index-drive");
        write(
                """
                s3: {port: 1, domains: [S3.example.com, store.test], region: eu-west-1}
                admin: {port: 2}
                network: {bind: "::1", max-connections: 7, trusted-proxies: [10.0.0.0/8, "fd00::1"]}
                tls: {cert: "%s", key: "%s", self-signed: false}
                storage:
                  index-dir: "%s"
                  container-size: 64MiB
                  durability: relaxed
                  checksum: sha256
                  freed-slot-grace: 5m
                memory: {requests: 1GiB}
                hash: {driver: jdk, primaries: 3, cpu-limit: "avx2,-sha"}
                bucket: {chunking: "fixed:128k", compression: zstd}
                maintenance:
                  delivery-threads: 3
                  releases-in-flight: 2048
                  background-share: 10
                  flush-pacing: false
                  replay-operations: 5000
                  replay-log: 32MiB
                  compaction-rate: 2MiB
                  scrub-rate: 0B
                  scrub-interval: 1d
                  prune-rate: 1000
                  shrink-rate: 3MiB
                  lifecycle-day: 10s
                  lifecycle-rate: 200
                timeout: {idle: 1s, header: 2s, stall: 3s, shutdown: 400ms}
                """
                        .formatted(certificate, key, index));
        ServerConfig config = load();
        assertThat(config.s3())
                .isEqualTo(
                        new S3Config(
                                1,
                                List.of("s3.example.com", "store.test"),
                                "eu-west-1",
                                false,
                                Duration.ofMinutes(5)));
        assertThat(config.admin()).isEqualTo(new AdminConfig(2));
        assertThat(config.network().bind()).isEqualTo("0:0:0:0:0:0:0:1");
        assertThat(config.network().maxConnections()).isEqualTo(7);
        assertThat(config.network().trusts(InetAddress.ofLiteral("10.9.8.7"))).isTrue();
        assertThat(config.network().trusts(InetAddress.ofLiteral("11.9.8.7"))).isFalse();
        assertThat(config.network().trusts(InetAddress.ofLiteral("fd00::1"))).isTrue();
        assertThat(config.network().trusts(InetAddress.ofLiteral("fd00::2"))).isFalse();
        assertThat(config.tls()).isEqualTo(new TlsConfig.Files(certificate, key));
        assertThat(config.storage())
                .isEqualTo(
                        new StorageConfig(
                                data,
                                index,
                                64L << 20,
                                Durability.RELAXED,
                                AtRestChecksum.SHA256,
                                Duration.ofMinutes(5),
                                false));
        assertThat(config.memory()).isEqualTo(new MemoryConfig(1L << 30));
        assertThat(config.hash()).isEqualTo(new HashConfig(HashDriver.JDK, 3, "avx2,-sha"));
        assertThat(config.hash().settings().primaries()).isEqualTo(3);
        assertThat(config.bucket())
                .isEqualTo(
                        new BucketConfig(
                                new ChunkingSpec.Fixed(128 << 10),
                                ChunkCodec.ZSTD,
                                DefaultOwnership.OBJECT_WRITER,
                                false));
        assertThat(config.maintenance())
                .isEqualTo(
                        new MaintenanceConfig(
                                3,
                                2048,
                                10,
                                false,
                                5000,
                                32L << 20,
                                2L << 20,
                                0,
                                Duration.ofDays(1),
                                1000,
                                3L << 20,
                                Duration.ofSeconds(10),
                                200));
        assertThat(config.timeout())
                .isEqualTo(
                        new TimeoutConfig(
                                Duration.ofSeconds(1),
                                Duration.ofSeconds(2),
                                Duration.ofSeconds(3),
                                Duration.ofMillis(400)));
    }

    @Test
    void flagsWinOverTheEnvironmentAndThatOverTheFile() throws IOException {
        write("s3: {port: 1, region: file-1}\nadmin: {port: 2}\n");
        ServerConfig config =
                load(Map.of("DEDUP_S3_PORT", "11", "DEDUP_ADMIN_PORT", "12"), "--admin-port=22");
        assertThat(config.s3().region()).isEqualTo("file-1");
        assertThat(config.s3().port()).isEqualTo(11);
        assertThat(config.admin().port()).isEqualTo(22);
    }

    @Test
    void aSwitchNeedsNoValue() {
        assertThat(load(Map.of(), "--tls-self-signed").tls()).isEqualTo(new TlsConfig.SelfSigned());
        assertThat(load(Map.of(), "--tls-self-signed=false").tls()).isEqualTo(new TlsConfig.Off());
    }

    @Test
    void anotherFileMayBeNamed() throws IOException {
        Path file = Files.writeString(temporary.resolve("other.yaml"), "s3: {port: 5}");
        write("s3: {port: 6}");
        assertThat(load(Map.of(), "--config", file.toString()).s3().port()).isEqualTo(5);
        assertThat(load(Map.of("DEDUP_CONFIG", file.toString())).s3().port()).isEqualTo(5);
        assertThat(load().s3().port()).isEqualTo(6);
    }

    @Test
    void anEmptyFileSetsNothing() throws IOException {
        write("# nothing\n");
        assertThat(load().s3().port()).isEqualTo(9000);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '|',
            value = {
                "s3: {prot: 1}; there is no setting s3.prot. Did you mean s3.port?",
                "storage: {containersize: 1MiB}; Did you mean storage.container-size?",
                "port: 9000; there is no setting port.",
                "s3: {port: 70000}; s3.port in",
                "memory: {requests: 64}; '64' is no size; write a number",
                "memory: {requests: 64 MegaByte}; is no size",
                "timeout: {idle: 30}; '30' is no duration",
                "timeout: {idle: 0s}; timeout.idle must be longer than 0",
                "bucket: {chunking: 'fixed:3k'}; 'fixed:3k' is no chunking",
                "storage: {durability: none}; is none of fsync, relaxed",
                "storage: {container-size: 1MiB}; must be from 4 MiB to 4096 MiB",
                "memory: {requests: 4MiB}; must be at least 16 MiB",
                "network: {bind: 'http://x'}; is no IP address",
                "network: {trusted-proxies: [10.0.0.0/33]}; can't have",
                "s3: {port: [1]; line 1",
                "s3: {port: {a: b}}; must be a single value",
                "- a; must hold sections of settings",
                "tls: {cert: /nowhere/c.pem}; tls.key is missing",
                "tls: {cert: /nowhere/c.pem, key: /nowhere/k.pem}; does not exist or may not be read",
                "admin: {port: 9000}; s3.port and admin.port are both 9000"
            })
    void aMistakeInTheFileStopsTheStart(String yaml, String message) throws IOException {
        write(yaml);
        assertThatThrownBy(this::load)
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(message);
    }

    @Test
    void aKeySetTwiceStopsTheStart() throws IOException {
        write("s3: {port: 1}\ns3: {port: 2}\n");
        assertThatThrownBy(this::load)
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("line 2");
    }

    @Test
    void anUnknownVariableStopsTheStartWithTheNearestName() {
        assertThatThrownBy(() -> load(Map.of("DEDUP_S3_PROT", "1")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("Did you mean DEDUP_S3_PORT?");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "DEDUP_SERVICE_HOST",
                "DEDUP_PORT",
                "DEDUP_PORT_9000_TCP_ADDR",
                "DEDUP_GATEWAY_SERVICE_PORT_HTTP",
                "DEDUP_JAVA_OPTS",
                "OTHER_S3_PORT"
            })
    void variablesThatAreNotOursAreLeftAlone(String name) {
        assertThat(load(Map.of(name, "tcp://10.0.0.1:9000")).s3().port()).isEqualTo(9000);
    }

    @Test
    void anUnknownFlagStopsTheStartWithTheNearestName() {
        assertThatThrownBy(() -> load(Map.of(), "--s3-prt", "9"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("there is no flag --s3-prt. Did you mean --s3-port?");
    }

    @Test
    void aBadFlagNamesItself() {
        assertThatThrownBy(() -> load(Map.of(), "--s3-port", "x"))
                .isInstanceOf(ConfigException.class)
                .hasMessage("flag --s3-port: 'x' is no number from 0 to 65535");
    }

    @Test
    void theDirectoryMustBeNamed() {
        assertThatThrownBy(() -> ServerConfig.load(List.of("--s3-port", "0"), Map.of()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("name the directory");
    }

    @Test
    void aFileInPlaceOfTheDirectoryStopsTheStart() throws IOException {
        Files.createFile(data);
        assertThatThrownBy(this::load)
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("name another directory");
    }

    @Test
    void aDirectoryThatCannotBeMadeStopsTheStart() throws IOException {
        Path file = Files.createFile(temporary.resolve("file"));
        assertThatThrownBy(
                        () -> ServerConfig.load(List.of(file.resolve("data").toString()), Map.of()))
                .isInstanceOf(ConfigException.class)
                .extracting(e -> ((ConfigException) e).code())
                .isEqualTo(ConfigException.Code.UNWRITABLE_PATH);
    }

    @Test
    void helpNamesEverySetting() {
        assertThat(ServerConfig.asksForHelp(List.of("--help"))).isTrue();
        assertThat(ServerConfig.asksForHelp(List.of("data"))).isFalse();
        for (Setting<?> setting : Settings.ALL) {
            assertThat(ServerConfig.help().replaceAll("\\s+", " "))
                    .contains(setting.flag(), setting.environmentName(), setting.key());
        }
    }

    private void write(String yaml) throws IOException {
        Files.createDirectories(data);
        Files.writeString(data.resolve("dedup.yaml"), yaml);
    }

    private ServerConfig load() {
        return load(Map.of());
    }

    private ServerConfig load(Map<String, String> environment, String... flags) {
        List<String> arguments = new ArrayList<>(List.of(data.toString()));
        arguments.addAll(List.of(flags));
        return ServerConfig.load(arguments, environment);
    }
}
