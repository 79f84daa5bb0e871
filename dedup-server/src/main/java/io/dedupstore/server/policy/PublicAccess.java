package io.dedupstore.server.policy;

import java.util.List;
import java.util.Set;

/**
 * Whether a statement lets in the public: it allows something to principals that it does not fix,
 * and no condition narrows them down to fixed values either.
 */
final class PublicAccess {
    private static final String SOURCE_IP = "aws:sourceip";

    /** Keys that narrow callers down, given values without wildcards. */
    private static final Set<String> NARROWING =
            Set.of(
                    "aws:sourcearn",
                    "aws:sourcevpc",
                    "aws:sourcevpce",
                    "aws:sourceowner",
                    "aws:sourceaccount",
                    "aws:userid",
                    "aws:principalaccount",
                    "aws:principalarn",
                    "aws:principalorgid",
                    "aws:principalorgpaths",
                    "s3:x-amz-server-side-encryption-aws-kms-key-id",
                    "s3:dataaccesspointarn",
                    "s3:dataaccesspointaccount");

    private PublicAccess() {}

    static boolean isGivenBy(Statement statement) {
        boolean anybody =
                statement.exceptPrincipals()
                        || statement.principals().filter(PrincipalSet::everybody).isPresent();
        return statement.effect() == Effect.ALLOW
                && anybody
                && statement.conditions().stream().noneMatch(PublicAccess::narrows);
    }

    private static boolean narrows(Condition condition) {
        boolean holdsWithout =
                condition.ifExists() || condition.qualifier() == Qualifier.FOR_ALL_VALUES;
        if (holdsWithout || condition.operator().negated()) {
            return false;
        }
        return switch (condition.operator().comparison()) {
            case IP ->
                    condition.key().equals(SOURCE_IP)
                            && condition.texts().stream()
                                    .noneMatch(text -> IpBlock.parse(text).isPublic());
            case STRING, STRING_IGNORE_CASE ->
                    NARROWING.contains(condition.key())
                            && condition.texts().stream().noneMatch(text -> text.contains("${"));
            case LIKE, ARN -> NARROWING.contains(condition.key()) && fixed(condition.texts());
            default -> false;
        };
    }

    private static boolean fixed(List<String> texts) {
        return texts.stream().allMatch(text -> PolicyPattern.of(text, true).fixed());
    }
}
