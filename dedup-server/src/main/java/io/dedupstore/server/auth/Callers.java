package io.dedupstore.server.auth;

import io.dedupstore.core.control.Account;
import io.dedupstore.core.control.ControlService;
import io.dedupstore.core.control.Identity;
import io.dedupstore.server.policy.Caller;
import io.dedupstore.server.policy.Facts;
import io.dedupstore.server.policy.Policy;
import io.dedupstore.server.policy.PolicyException;
import io.dedupstore.server.policy.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Who calls, and what their own policies say. Documents are parsed once, whoever has them. Any
 * number of threads.
 */
public final class Callers {
    private static final int MAX_CACHED = 10_000;

    private final ControlService control;
    private final ConcurrentMap<String, Policy> parsed = new ConcurrentHashMap<>();

    public Callers(ControlService control) {
        this.control = control;
    }

    /** As policies see a principal. */
    public Caller caller(Principal principal) {
        return switch (principal) {
            case Principal.Anonymous anonymous -> Caller.ANONYMOUS;
            case Principal.Account account ->
                    new Caller(
                            account.accountId(), canonicalId(account.accountId()), arns(account));
        };
    }

    private String canonicalId(String accountId) {
        return control.findAccount(accountId).map(Account::canonicalId).orElse(accountId);
    }

    private static List<String> arns(Principal.Account account) {
        return switch (account.who()) {
            case Principal.Who.Root root -> List.of(account.arn());
            case Principal.Who.User user -> List.of(account.arn());
            case Principal.Who.Role role ->
                    List.of(
                            account.arn(),
                            "arn:aws:iam::%s:role%s%s"
                                    .formatted(account.accountId(), role.path(), role.name()));
        };
    }

    /**
     * What the principal's own policies say, those of its groups and its session with them; an
     * account itself may do everything.
     */
    public Verdict ownPolicies(
            Principal principal, Caller caller, String action, String resource, Facts facts) {
        if (!(principal instanceof Principal.Account account)) {
            return Verdict.NOTHING;
        }
        Verdict verdict =
                switch (account.who()) {
                    case Principal.Who.Root root -> Verdict.ALLOW;
                    case Principal.Who.User user ->
                            Policy.decide(
                                    policies(account.accountId(), user.id()),
                                    caller,
                                    action,
                                    resource,
                                    facts);
                    case Principal.Who.Role role ->
                            Policy.decide(
                                    policies(account.accountId(), role.id()),
                                    caller,
                                    action,
                                    resource,
                                    facts);
                };
        return verdict;
    }

    /** Whether the session, where it has a policy, leaves the action in. */
    public boolean sessionAllows(
            Principal principal, Caller caller, String action, String resource, Facts facts) {
        if (!(principal instanceof Principal.Account account)
                || account.sessionPolicy().isEmpty()) {
            return true;
        }
        return parse(account.sessionPolicy().get())
                .filter(policy -> policy.decide(caller, action, resource, facts) == Verdict.ALLOW)
                .isPresent();
    }

    private List<Policy> policies(String account, String id) {
        Optional<Identity> identity = control.findIdentity(account, id);
        List<Policy> policies = new ArrayList<>();
        identity.ifPresent(
                found -> {
                    addPolicies(found, policies);
                    for (String group : found.groups()) {
                        control.findIdentity(account, group)
                                .ifPresent(one -> addPolicies(one, policies));
                    }
                });
        return policies;
    }

    private void addPolicies(Identity identity, List<Policy> policies) {
        identity.policies().values().forEach(document -> parse(document).ifPresent(policies::add));
        for (String arn : identity.managedPolicies()) {
            ManagedPolicies.document(arn).flatMap(this::parse).ifPresent(policies::add);
        }
    }

    /** A document that is no policy allows nothing. */
    private Optional<Policy> parse(String document) {
        Policy known = parsed.get(document);
        if (known != null) {
            return Optional.of(known);
        }
        try {
            Policy policy = Policy.ofIdentity(document);
            if (parsed.size() >= MAX_CACHED) {
                parsed.clear();
            }
            parsed.put(document, policy);
            return Optional.of(policy);
        } catch (PolicyException e) {
            return Optional.empty();
        }
    }
}
