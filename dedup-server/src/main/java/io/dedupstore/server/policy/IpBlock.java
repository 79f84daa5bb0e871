package io.dedupstore.server.policy;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;

/** Addresses that begin with the same bits. */
record IpBlock(byte[] address, int prefixBits) {
    private static final Pattern DOTTED = Pattern.compile("[0-9]+(\\.[0-9]+){3}");
    private static final int V4_BYTES = 4;
    private static final int MIN_PRIVATE_BITS_V4 = 8;
    private static final int MIN_PRIVATE_BITS_V6 = 32;

    /**
     * @param text an address, or one with the length of its prefix
     * @throws PolicyException neither
     */
    static IpBlock parse(String text) {
        int slash = text.indexOf('/');
        byte[] address =
                literal(slash < 0 ? text : text.substring(0, slash))
                        .orElseThrow(() -> invalid(text));
        int bits = address.length * Byte.SIZE;
        if (slash >= 0) {
            String length = text.substring(slash + 1);
            if (!length.matches("[0-9]{1,3}") || Integer.parseInt(length) > bits) {
                throw invalid(text);
            }
            bits = Integer.parseInt(length);
        }
        return new IpBlock(address, bits);
    }

    private static Optional<byte[]> literal(String text) {
        // Fewer than four numbers would be addresses too, in an old way of writing them.
        if (text.indexOf(':') < 0 && !DOTTED.matcher(text).matches()) {
            return Optional.empty();
        }
        try {
            return Optional.of(InetAddress.ofLiteral(text).getAddress());
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    boolean contains(String given, Facts facts) {
        byte[] other = literal(given).orElse(new byte[0]);
        if (other.length != address.length) {
            return false;
        }
        int whole = prefixBits / Byte.SIZE;
        int rest = prefixBits % Byte.SIZE;
        if (!Arrays.equals(address, 0, whole, other, 0, whole)) {
            return false;
        }
        return rest == 0 || ((address[whole] ^ other[whole]) & 0xff) >>> (Byte.SIZE - rest) == 0;
    }

    /** Whether so many addresses are in it that whoever has one of them is the public. */
    boolean isPublic() {
        return prefixBits
                < (address.length == V4_BYTES ? MIN_PRIVATE_BITS_V4 : MIN_PRIVATE_BITS_V6);
    }

    private static PolicyException invalid(String text) {
        return new PolicyException("Invalid IP address or CIDR range : " + text);
    }
}
