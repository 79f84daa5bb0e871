package io.dedupstore.core.control;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.dedupstore.core.model.DomainId;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Bytes of commands on keys of encryption, and of their rows. */
class KeyFormatTest {
    private static final SealedSecret SEALED =
            new SecretCipher(ControlFixture.MASTER_KEY)
                    .seal("purpose", new byte[] {1, 2, 3}, new byte[SealedSecret.NONCE_BYTES]);
    private static final ByteString WRAPPED = ByteString.copyFromUtf8("wrapped");

    /** In an order in which all of them have an effect; behind a cluster with an account. */
    static final List<ControlCommand> COMMANDS =
            List.of(
                    new ControlCommand.MakeKey("first", "described", "", SEALED, 1),
                    new ControlCommand.MakeKey("second", "", "123456789012", SEALED, 2),
                    new ControlCommand.EnableKey("second", false),
                    new ControlCommand.MakeCipherDomain(
                            new DomainId(1), "first", false, WRAPPED, 1, 3),
                    new ControlCommand.MakeCipherDomain(
                            new DomainId(1), "first", true, WRAPPED, 1, 4),
                    new ControlCommand.MakeCipherDomain(
                            new DomainId(1), "elsewhere", false, WRAPPED, 0, 5),
                    new ControlCommand.RotateKey(
                            "first",
                            2,
                            SEALED,
                            new TreeMap<>(
                                    Map.of(
                                            2,
                                            ByteString.copyFromUtf8("anew"),
                                            3,
                                            ByteString.copyFromUtf8("anew too"))),
                            6));

    @Test
    void commandsAndRowsHaveTheirBytes() throws IOException {
        ControlFixture group = new ControlFixture();
        ControlFixture.clusterOf(group, 1, 1);
        List<String> before = group.rows();
        List<String> lines = new ArrayList<>();
        for (ControlCommand command : COMMANDS) {
            byte[] bytes = ControlCodec.encode(command);
            lines.add(HexFormat.of().formatHex(bytes));
            assertThat(ControlCodec.decode(bytes)).usingRecursiveComparison().isEqualTo(command);
            group.submit(bytes);
        }
        group.rows().stream().filter(row -> !before.contains(row)).forEach(lines::add);
        assertThat(lines).containsExactlyElementsOf(golden());
    }

    private static List<String> golden() throws IOException {
        try (InputStream in =
                KeyFormatTest.class.getResourceAsStream("/formats/control/keys-v1.hex")) {
            assertThat(in).isNotNull();
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII).lines().toList();
        }
    }
}
