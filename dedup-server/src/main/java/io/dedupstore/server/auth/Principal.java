package io.dedupstore.server.auth;

/** Who a request speaks for. */
public sealed interface Principal {
    Principal ANONYMOUS = new Anonymous();

    record Account(String accountId, String accessKey) implements Principal {
        public Account {
            if (accountId.isEmpty() || accessKey.isEmpty()) {
                throw new IllegalArgumentException("account and access key must not be empty");
            }
        }
    }

    record Anonymous() implements Principal {}
}
