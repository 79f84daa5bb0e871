package io.dedupstore.server.config;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads the DEDUP_ variables. */
final class ConfigEnvironment {
    static final String PREFIX = "DEDUP_";
    static final String CONFIG = "DEDUP_CONFIG";

    /** Variables of the launchers, the tests and the admin command line. */
    private static final Set<String> OTHERS =
            Set.of(
                    CONFIG,
                    "DEDUP_JAVA_OPTS",
                    "DEDUP_CACHE_DIR",
                    "DEDUP_LOG_LEVEL",
                    "DEDUP_NO_INSTALL",
                    "DEDUP_BUILD_OPTS",
                    "DEDUP_CLIENTS_DIR",
                    "DEDUP_ADMIN_ENDPOINT",
                    "DEDUP_ADMIN_TOKEN");

    /** Kubernetes sets these in every pod where a service is named dedup or dedup-something. */
    private static final Pattern SERVICE_LINK =
            Pattern.compile(
                    "DEDUP_(\\w+_)?(SERVICE_HOST|SERVICE_PORT(_\\w+)?|PORT(_[0-9]+_\\w+)?)");

    private ConfigEnvironment() {}

    static void load(Map<String, String> environment, SettingValues into) {
        new TreeMap<>(environment)
                .forEach(
                        (name, text) -> {
                            if (name.startsWith(PREFIX)) {
                                load(name, text, into);
                            }
                        });
    }

    private static void load(String name, String text, SettingValues into) {
        Setting<?> setting = Settings.find(Setting::environmentName, name).orElse(null);
        if (setting != null) {
            into.set(setting, text, "environment variable " + name);
        } else if (!OTHERS.contains(name) && !SERVICE_LINK.matcher(name).matches()) {
            List<String> names =
                    Stream.concat(
                                    Settings.ALL.stream().map(s -> s.environmentName()),
                                    OTHERS.stream())
                            .toList();
            throw new ConfigException(
                    ConfigException.Code.UNKNOWN_KEY,
                    "environment variable %s sets nothing.%s Unset it, or see dedup server --help"
                            .formatted(name, NearestName.hint(name, names)));
        }
    }
}
