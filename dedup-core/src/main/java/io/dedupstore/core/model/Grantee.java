package io.dedupstore.core.model;

import java.util.Arrays;
import java.util.Optional;

/** Whom an access list grants something. */
public sealed interface Grantee {

    /** An account, by its canonical id. */
    record Canonical(String id) implements Grantee {
        public static final int MAX_CHARS = 128;

        public Canonical {
            if (id.isEmpty() || id.length() > MAX_CHARS) {
                throw new IllegalArgumentException("bad canonical id: '" + id + "'");
            }
        }
    }

    /** Everybody, or everybody who signs. Numbers are persistent. */
    enum Group implements Grantee {
        ALL_USERS(1, "http://acs.amazonaws.com/groups/global/AllUsers"),
        AUTHENTICATED_USERS(2, "http://acs.amazonaws.com/groups/global/AuthenticatedUsers"),
        LOG_DELIVERY(3, "http://acs.amazonaws.com/groups/s3/LogDelivery");

        private final int code;
        private final String uri;

        Group(int code, String uri) {
            this.code = code;
            this.uri = uri;
        }

        public int code() {
            return code;
        }

        public String uri() {
            return uri;
        }

        public static Group ofCode(int code) {
            return Arrays.stream(values())
                    .filter(group -> group.code == code)
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("there is no group " + code));
        }

        public static Optional<Group> ofUri(String uri) {
            return Arrays.stream(values()).filter(group -> group.uri.equals(uri)).findFirst();
        }
    }
}
