package io.dedupstore.server.config;

import java.util.HashMap;
import java.util.Map;

/** What was set where; a later layer covers an earlier one. */
final class SettingValues {
    private final Map<Setting<?>, Entry> entries = new HashMap<>();

    private record Entry(String text, String origin) {}

    void set(Setting<?> setting, String text, String origin) {
        entries.put(setting, new Entry(text.strip(), origin));
    }

    <T> T get(Setting<T> setting) {
        Entry entry = entries.get(setting);
        if (entry == null) {
            return setting.type().parser().apply(setting.defaultText());
        }
        try {
            return setting.type().parser().apply(entry.text());
        } catch (IllegalArgumentException e) {
            throw new ConfigException(
                    ConfigException.Code.BAD_VALUE,
                    "%s: '%s' %s".formatted(entry.origin(), entry.text(), e.getMessage()),
                    e);
        }
    }
}
