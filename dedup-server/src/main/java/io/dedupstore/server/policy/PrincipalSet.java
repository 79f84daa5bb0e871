package io.dedupstore.server.policy;

import java.util.List;

/**
 * The principals a statement names.
 *
 * @param everybody whether {@code *} is among them
 * @param accounts account ids
 * @param canonicalIds of accounts
 * @param arns of users, roles and sessions
 */
record PrincipalSet(
        boolean everybody, List<String> accounts, List<String> canonicalIds, List<String> arns) {

    /** How a caller is among them. */
    enum Match {
        NO,
        ACCOUNT,
        SELF
    }

    PrincipalSet {
        accounts = List.copyOf(accounts);
        canonicalIds = List.copyOf(canonicalIds);
        arns = List.copyOf(arns);
    }

    Match match(Caller caller) {
        if (everybody) {
            return Match.SELF;
        }
        if (caller.anonymous()) {
            return Match.NO;
        }
        if (caller.arns().stream().anyMatch(arns::contains)) {
            return Match.SELF;
        }
        boolean account =
                accounts.contains(caller.accountId())
                        || canonicalIds.contains(caller.canonicalId());
        if (!account) {
            return Match.NO;
        }
        return caller.isRoot() ? Match.SELF : Match.ACCOUNT;
    }
}
