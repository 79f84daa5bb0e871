package io.dedupstore.server.auth;

import java.util.Optional;

/** Who a request speaks for. */
public sealed interface Principal {
    Principal ANONYMOUS = new Anonymous();

    /**
     * Somebody of an account who has proved it.
     *
     * @param who the account itself, or one of its users or roles
     * @param sessionPolicy narrows what the others allow
     */
    record Account(String accountId, String accessKey, Who who, Optional<String> sessionPolicy)
            implements Principal {
        public Account {
            if (accountId.isEmpty() || accessKey.isEmpty()) {
                throw new IllegalArgumentException("account and access key must not be empty");
            }
        }

        /** The account itself. */
        public Account(String accountId, String accessKey) {
            this(accountId, accessKey, new Who.Root(), Optional.empty());
        }

        /** The name that policies and answers have for it. */
        public String arn() {
            return switch (who) {
                case Who.Root root -> "arn:aws:iam::" + accountId + ":root";
                case Who.User user -> "arn:aws:iam::" + accountId + ":user" + user.pathAndName();
                case Who.Role role ->
                        "arn:aws:sts::%s:assumed-role/%s/%s"
                                .formatted(accountId, role.name(), role.sessionName());
            };
        }

        /** {@code aws:userid}. */
        public String userId() {
            return switch (who) {
                case Who.Root root -> accountId;
                case Who.User user -> user.id();
                case Who.Role role -> role.id() + ":" + role.sessionName();
            };
        }
    }

    record Anonymous() implements Principal {}

    /** Who of an account. */
    sealed interface Who {
        record Root() implements Who {}

        /**
         * @param path begins and ends with a slash
         */
        record User(String id, String path, String name) implements Who {
            String pathAndName() {
                return path + name;
            }
        }

        /** A session of a role. */
        record Role(String id, String path, String name, String sessionName) implements Who {}
    }
}
