package io.dedupstore.server.config;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Everything the server is told at its start. */
public record ServerConfig(
        S3Config s3,
        AdminConfig admin,
        NetworkConfig network,
        TlsConfig tls,
        StorageConfig storage,
        MemoryConfig memory,
        HashConfig hash,
        BucketConfig bucket,
        EncryptionConfig encryption,
        MaintenanceConfig maintenance,
        TimeoutConfig timeout) {

    private static final String FILE_NAME = "dedup.yaml";

    /** Whether the arguments ask for {@link #help()} instead of a start. */
    public static boolean asksForHelp(List<String> arguments) {
        return ConfigCommandLine.parse(arguments).asksForHelp();
    }

    public static String help() {
        return ConfigCommandLine.help();
    }

    /**
     * Reads the YAML file ({@code --config}, DEDUP_CONFIG or dedup.yaml in the data directory),
     * over it the environment, over it the flags. Makes the data and index directories where they
     * are missing.
     *
     * @throws ConfigException with a message for people, when the server must not start
     */
    public static ServerConfig load(List<String> arguments, Map<String, String> environment) {
        ConfigCommandLine commandLine = ConfigCommandLine.parse(arguments);
        Path directory =
                commandLine
                        .dataDirectory()
                        .orElseThrow(() -> new IllegalArgumentException("help was asked for"));
        SettingValues values = new SettingValues();
        loadFile(commandLine, directory, environment, values);
        ConfigEnvironment.load(environment, values);
        commandLine.load(values);
        ServerConfig config = new ConfigAssembly(values).assemble(directory);
        WritableDirectory.require(config.storage().dataDirectory(), "data directory");
        WritableDirectory.require(config.storage().indexDirectory(), "index directory");
        return config;
    }

    private static void loadFile(
            ConfigCommandLine commandLine,
            Path directory,
            Map<String, String> environment,
            SettingValues values) {
        String fromEnvironment = environment.get(ConfigEnvironment.CONFIG);
        Path byDefault = directory.resolve(FILE_NAME);
        if (commandLine.configFile().isPresent()) {
            ConfigFile.load(commandLine.configFile().get(), values);
        } else if (fromEnvironment != null) {
            ConfigFile.load(Path.of(fromEnvironment), values);
        } else if (Files.exists(byDefault)) {
            ConfigFile.load(byDefault, values);
        }
    }
}
