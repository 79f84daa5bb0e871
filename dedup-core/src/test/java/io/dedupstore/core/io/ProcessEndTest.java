package io.dedupstore.core.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ProcessEndTest {
    private static final int STATUS = 7;

    /** Would say so if it came to shutdown hooks. */
    static final class Ending {
        public static void main(String[] args) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.print("hook")));
            System.out.print("before ");
            System.out.flush();
            ProcessEnd.now(STATUS);
            System.out.print("after");
        }
    }

    @Test
    void theProcessEndsAtOnceWithItsStatus() throws Exception {
        Process process =
                new ProcessBuilder(
                                List.of(
                                        Path.of(System.getProperty("java.home"), "bin", "java")
                                                .toString(),
                                        "--enable-native-access=ALL-UNNAMED",
                                        "-cp",
                                        System.getProperty("java.class.path"),
                                        Ending.class.getName()))
                        .redirectErrorStream(true)
                        .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).isEqualTo(STATUS);
        assertThat(said).isEqualTo("before ");
    }
}
