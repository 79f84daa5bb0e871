package io.dedupstore.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ConfigReferenceTest {
    private static final Path PAGE = Path.of("..", "docs", "configuration.md");

    @Test
    void thePageTellsWhatTheTableHolds() throws IOException {
        if (Boolean.getBoolean("config.reference.write")) {
            Files.writeString(PAGE, ConfigReference.markdown());
        }
        assertThat(Files.readString(PAGE)).isEqualTo(ConfigReference.markdown());
    }

    @Test
    void everySettingHasThreeNamesOfItsOwn() {
        assertThat(Settings.ALL).extracting(Setting::key).doesNotHaveDuplicates();
        assertThat(Settings.ALL).extracting(Setting::flag).doesNotHaveDuplicates();
        assertThat(Settings.ALL)
                .allSatisfy(
                        setting -> {
                            assertThat(setting.key()).matches("[a-z0-9]+\\.[a-z-]+");
                            assertThat(setting.flag()).matches("--[a-z0-9-]+");
                            assertThat(setting.description()).endsWith(".").doesNotContain("|");
                        });
    }
}
