package io.dedupstore.server.config;

import java.net.InetAddress;
import java.util.Objects;

/**
 * Addresses that share their first bits.
 *
 * @param base any address of the range
 * @param prefixBits how many leading bits count: up to 32 for IPv4, up to 128 for IPv6
 */
public record IpRange(InetAddress base, int prefixBits) {
    public IpRange {
        Objects.requireNonNull(base, "base");
        if (prefixBits < 0 || prefixBits > base.getAddress().length * Byte.SIZE) {
            throw new IllegalArgumentException(
                    "has a prefix length that " + base.getHostAddress() + " can't have");
        }
    }

    public boolean contains(InetAddress address) {
        byte[] mine = base.getAddress();
        byte[] other = address.getAddress();
        if (mine.length != other.length) {
            return false;
        }
        for (int bit = 0; bit < prefixBits; bit++) {
            int mask = 0x80 >>> (bit % Byte.SIZE);
            if (((mine[bit / Byte.SIZE] ^ other[bit / Byte.SIZE]) & mask) != 0) {
                return false;
            }
        }
        return true;
    }

    /** Reads {@code 10.0.0.0/8}, {@code fd00::/8} or a single address. Never asks a name server. */
    static IpRange parse(String text) {
        int slash = text.indexOf('/');
        InetAddress base = literal(slash < 0 ? text : text.substring(0, slash));
        if (slash < 0) {
            return new IpRange(base, base.getAddress().length * Byte.SIZE);
        }
        String bits = text.substring(slash + 1);
        if (!bits.matches("[0-9]{1,3}")) {
            throw new IllegalArgumentException("is no range; write it like 10.0.0.0/8");
        }
        return new IpRange(base, Integer.parseInt(bits));
    }

    static InetAddress literal(String text) {
        try {
            return InetAddress.ofLiteral(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("is no IP address or range like 10.0.0.0/8", e);
        }
    }
}
