package io.dedupstore.core.chunking;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The golden file came from an implementation of docs/formats/chunking.md that shares no code. */
class GearGoldenTest {
    private static final Map<String, String> GOLDEN = read();

    private static Map<String, String> read() {
        try (InputStream in =
                GearGoldenTest.class.getResourceAsStream("/golden/chunking/gear-s2-v1.txt")) {
            Map<String, String> lines = new LinkedHashMap<>();
            for (String line :
                    new String(in.readAllBytes(), StandardCharsets.US_ASCII).split("\n")) {
                int space = line.indexOf(' ');
                lines.put(line.substring(0, space), line.substring(space + 1));
            }
            return lines;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static GearTable table() {
        return GearTable.derive(HexFormat.of().parseHex(GOLDEN.get("key")));
    }

    private static byte[] input() throws Exception {
        ByteArrayOutputStream input = new ByteArrayOutputStream();
        input.writeBytes(TestBytes.splitMix(42, 1 << 20));
        input.writeBytes(new byte[300_000]);
        for (int i = 0; i < 20_000; i++) {
            String line = i + ": the quick brown fox jumps over the lazy dog\n";
            input.writeBytes(line.getBytes(StandardCharsets.US_ASCII));
        }
        input.writeBytes(TestBytes.splitMix(43, 100_001));
        byte[] bytes = input.toByteArray();
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
        assertThat(HexFormat.of().formatHex(digest)).isEqualTo(GOLDEN.get("input-sha256"));
        return bytes;
    }

    @Test
    void tableOfADomainKeyNeverChanges() {
        String seed =
                String.join(
                        " ",
                        Arrays.stream(table().seed()).mapToObj(w -> "%08x".formatted(w)).toList());
        assertThat(seed).isEqualTo(GOLDEN.get("seed"));
        assertThat("%016x".formatted(table().id())).isEqualTo(GOLDEN.get("table-id"));
    }

    @Test
    void cutsNeverChange() throws Exception {
        byte[] input = input();
        List<String> profiles = GOLDEN.keySet().stream().filter(k -> k.startsWith("cdc:")).toList();
        assertThat(profiles).hasSize(4);
        for (String profile : profiles) {
            ChunkingSpec.Cdc spec = (ChunkingSpec.Cdc) ChunkingSpec.parse(profile);
            for (Chunker chunker :
                    List.of(Chunker.of(spec, table()), new JavaGearChunker(spec, table()))) {
                int[] lengths = new int[2000];
                int n = chunker.cuts(TestBytes.direct(input), true, lengths);
                String cuts =
                        String.join(
                                " ",
                                Arrays.stream(lengths, 0, n).mapToObj(Integer::toString).toList());
                assertThat(cuts)
                        .as(profile + " " + chunker.driverName())
                        .isEqualTo(GOLDEN.get(profile));
            }
        }
    }
}
