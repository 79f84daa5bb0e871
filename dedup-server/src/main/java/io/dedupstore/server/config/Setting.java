package io.dedupstore.server.config;

import java.util.Locale;

/**
 * One setting, under its three names.
 *
 * @param key in the configuration file, section and name: {@code s3.port}
 * @param flag on the command line: {@code --s3-port}
 * @param defaultText read like any other value; empty for none
 * @param description one sentence for people, with the effect and the limits
 */
record Setting<T>(
        String key, String flag, SettingType<T> type, String defaultText, String description) {

    String environmentName() {
        return "DEDUP_" + flag.substring(2).replace('-', '_').toUpperCase(Locale.ROOT);
    }

    String section() {
        return key.substring(0, key.indexOf('.'));
    }
}
