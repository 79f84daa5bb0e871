package io.dedupstore.server.config;

/** Writes docs/configuration.md, so that the document can't differ from the table. */
final class ConfigReference {
    private static final String INTRODUCTION =
            """
            # Configuration

            This page is written from the settings' table in `server.config`; a test keeps it in step
            (`./dedup test`, or `mvn -pl dedup-server -am test -Dtest=ConfigReferenceTest -Dconfig.reference.write=true`
            to write it anew).

            A setting has three names. The YAML file (`--config FILE`, else `DEDUP_CONFIG`, else `dedup.yaml` in the data
            directory) is overridden by the environment, the environment by flags. An unknown name, a value without its
            unit, or a directory that can't be written to stops the start with a message.

            Sizes are a number with B, KiB, MiB, GiB, TiB (or KB, MB, GB, TB). Durations are a whole number with ms, s,
            m, h or d. Lists are YAML lists, or words with commas between them.

            """;
    private static final String OTHERS =
            """

            Variables that are no settings: `DEDUP_JAVA_OPTS` (further JVM options), `DEDUP_CACHE_DIR` (where the start-up
            cache is kept), `DEDUP_LOG_LEVEL` (`DEBUG`, `INFO`, `WARN`; default `INFO`), and for the admin command line
            `DEDUP_ADMIN_ENDPOINT` and `DEDUP_ADMIN_TOKEN`.
            """;

    private ConfigReference() {}

    static String markdown() {
        StringBuilder page = new StringBuilder(INTRODUCTION);
        page.append("| file | flag | environment | value | default | effect |\n");
        page.append("|---|---|---|---|---|---|\n");
        for (Setting<?> setting : Settings.ALL) {
            page.append(
                    "| `%s` | `%s` | `%s` | %s | %s | %s |%n"
                            .formatted(
                                    setting.key(),
                                    setting.flag(),
                                    setting.environmentName(),
                                    setting.type().label().replace("|", ", "),
                                    setting.defaultText().isEmpty()
                                            ? ""
                                            : "`" + setting.defaultText() + "`",
                                    setting.description()));
        }
        return page.append(OTHERS).toString();
    }
}
