package io.dedupstore.server.policy;

import java.util.Collection;
import java.util.List;

/** A policy that was read and checked. Immutable. */
public final class Policy {
    private final List<Statement> statements;

    Policy(List<Statement> statements) {
        this.statements = List.copyOf(statements);
    }

    /**
     * A policy of a user, group, role or session: about whoever has it.
     *
     * @throws PolicyException not such a policy
     */
    public static Policy ofIdentity(String document) {
        return PolicyParser.parse(document, PolicyParser.Kind.IDENTITY);
    }

    /**
     * A policy that says who may assume a role.
     *
     * @throws PolicyException not such a policy
     */
    public static Policy ofTrust(String document) {
        return PolicyParser.parse(document, PolicyParser.Kind.TRUST);
    }

    /**
     * A policy of a resource; {@link BucketPolicyRules} says whether a bucket may have it.
     *
     * @throws PolicyException not such a policy
     */
    public static Policy ofResource(String document) {
        return PolicyParser.parse(document, PolicyParser.Kind.RESOURCE);
    }

    List<Statement> statements() {
        return statements;
    }

    /** A denial by any statement wins; what none mentions is not allowed. */
    public Verdict decide(Caller caller, String action, String resource, Facts facts) {
        Verdict verdict = Verdict.NOTHING;
        for (Statement statement : statements) {
            PrincipalSet.Match match = statement.match(caller, action, resource, facts);
            if (match != PrincipalSet.Match.NO) {
                if (statement.effect() == Effect.DENY) {
                    return Verdict.DENY;
                }
                if (verdict != Verdict.ALLOW) {
                    verdict =
                            match == PrincipalSet.Match.SELF
                                    ? Verdict.ALLOW
                                    : Verdict.ALLOW_ACCOUNT;
                }
            }
        }
        return verdict;
    }

    /** What several policies say together. */
    public static Verdict decide(
            Collection<Policy> policies,
            Caller caller,
            String action,
            String resource,
            Facts facts) {
        Verdict verdict = Verdict.NOTHING;
        for (Policy policy : policies) {
            Verdict one = policy.decide(caller, action, resource, facts);
            if (one.compareTo(verdict) < 0) {
                verdict = one;
            }
        }
        return verdict;
    }

    /** Whether a condition asks for the tags that a request gives. */
    public boolean asksForRequestTags() {
        return statements.stream()
                .flatMap(statement -> statement.conditions().stream())
                .anyMatch(condition -> condition.key().startsWith(S3Keys.REQUEST_TAG));
    }

    /** Whether it lets in whoever comes, by the rules that buckets are called public by. */
    public boolean isPublic() {
        return statements.stream().anyMatch(PublicAccess::isGivenBy);
    }
}
