package io.dedupstore.server.auth;

/** Decides access. What no rule allows is denied. */
@FunctionalInterface
public interface Authorizer {
    enum Decision {
        ALLOW,
        DENY
    }

    Decision authorize(Principal principal, AccessRequest request);

    /** Accounts may do everything with what is theirs, and nobody anything else. */
    static Authorizer ownersOnly() {
        return (principal, request) ->
                switch (principal) {
                    case Principal.Account account ->
                            request.ownerAccountId()
                                            .map(account.accountId()::equals)
                                            .orElse(Boolean.TRUE)
                                    ? Decision.ALLOW
                                    : Decision.DENY;
                    case Principal.Anonymous anonymous -> Decision.DENY;
                };
    }
}
