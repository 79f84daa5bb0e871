package io.dedupstore.server.s3.access;

import io.dedupstore.core.control.Account;
import io.dedupstore.core.control.ControlService;
import io.dedupstore.core.control.Identity;
import io.dedupstore.server.policy.BucketPolicyRules;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Accounts and their users, by the names that policies and access lists have for them. */
public final class Directory implements BucketPolicyRules.Directory {
    /** Owner of what nobody in particular has written, where an account id would stand. */
    public static final String ANONYMOUS = "anonymous";

    /** What S3 calls the anonymous in access lists. */
    public static final String ANONYMOUS_CANONICAL_ID = "65a011a29cdf8ec533ec3d1ccaae921c";

    private static final Pattern PRINCIPAL =
            Pattern.compile("arn:aws:(?:iam|sts)::([0-9]{12}):([a-z-]+)/(?:.*/)?([^/]+)");
    private static final Pattern SESSION =
            Pattern.compile("arn:aws:sts::([0-9]{12}):assumed-role/([^/]+)/[^/]+");

    private final ControlService control;

    public Directory(ControlService control) {
        this.control = control;
    }

    /** The canonical id of an account, or of the anonymous. */
    public String canonicalId(String accountId) {
        if (accountId.equals(ANONYMOUS)) {
            return ANONYMOUS_CANONICAL_ID;
        }
        return control.findAccount(accountId).map(Account::canonicalId).orElse(accountId);
    }

    /** What people call the one with that canonical id; empty where there is none. */
    public Optional<String> displayName(String canonicalId) {
        return control.findAccountByCanonicalId(canonicalId).map(Account::displayName);
    }

    public Optional<String> canonicalIdOfEmail(String email) {
        return control.findAccountByEmail(email).map(Account::canonicalId);
    }

    @Override
    public boolean hasAccount(String id) {
        return control.findAccount(id).isPresent();
    }

    @Override
    public boolean hasCanonicalId(String id) {
        return control.findAccountByCanonicalId(id).isPresent();
    }

    @Override
    public boolean hasPrincipal(String arn) {
        Matcher session = SESSION.matcher(arn);
        if (session.matches()) {
            return has(session.group(1), Identity.Kind.ROLE, session.group(2));
        }
        Matcher principal = PRINCIPAL.matcher(arn);
        if (!principal.matches()) {
            return false;
        }
        return switch (principal.group(2)) {
            case "user" -> has(principal.group(1), Identity.Kind.USER, principal.group(3));
            case "role" -> has(principal.group(1), Identity.Kind.ROLE, principal.group(3));
            // Who has a token of an account under a name of its own.
            case "federated-user" -> true;
            default -> false;
        };
    }

    private boolean has(String account, Identity.Kind kind, String name) {
        return control.findIdentity(account, kind, name)
                .filter(identity -> identity.name().equals(name))
                .isPresent();
    }
}
