package io.dedupstore.server.policy;

import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** What a policy must keep to before a bucket gets it. */
public final class BucketPolicyRules {
    /** Bytes of a document. */
    public static final int MAX_BYTES = 20 << 10;

    private static final Pattern ACCOUNT = Pattern.compile("[0-9]{12}");

    private BucketPolicyRules() {}

    /** What is known about principals. */
    public interface Directory {
        boolean hasAccount(String id);

        boolean hasCanonicalId(String id);

        /**
         * @param arn of a user, role or session of an account that there is
         */
        boolean hasPrincipal(String arn);
    }

    /**
     * @throws PolicyException a bucket can't have this policy
     */
    public static void check(Policy policy, String bucket, Directory directory) {
        for (Statement statement : policy.statements()) {
            checkResources(statement, bucket);
            checkActions(statement, bucket);
            statement.principals().ifPresent(set -> check(set, directory));
            statement.conditions().stream()
                    .map(Condition::key)
                    .filter(S3Keys::isUnknown)
                    .findFirst()
                    .ifPresent(
                            key -> {
                                throw new PolicyException("Policy has an invalid condition key");
                            });
        }
    }

    private static void checkResources(Statement statement, String bucket) {
        Predicate<PolicyPattern> ofBucket =
                pattern -> isOfBucket(pattern, bucket) || isOfObjects(pattern, bucket);
        if (statement.resources().isEmpty()) {
            throw new PolicyException("Missing required field Resource");
        }
        if (!statement.resources().stream().allMatch(ofBucket)) {
            throw new PolicyException("Policy has invalid resource");
        }
    }

    private static boolean isOfBucket(PolicyPattern pattern, String bucket) {
        return pattern.matches("arn:aws:s3:::" + bucket, Facts.NONE);
    }

    /** Whether it names keys in the bucket: the name of the bucket ends at the first slash. */
    private static boolean isOfObjects(PolicyPattern pattern, String bucket) {
        String text = pattern.text();
        int slash = text.indexOf('/');
        if (slash < 0) {
            // A star that fits the end of the name goes on into the keys.
            return text.endsWith("*") && isOfBucket(pattern, bucket);
        }
        return isOfBucket(PolicyPattern.of(text.substring(0, slash), false), bucket);
    }

    private static void checkActions(Statement statement, String bucket) {
        if (statement.exceptActions() || statement.exceptResources()) {
            checkKnown(statement.actions());
            return;
        }
        boolean buckets = statement.resources().stream().anyMatch(r -> isOfBucket(r, bucket));
        boolean objects = statement.resources().stream().anyMatch(r -> isOfObjects(r, bucket));
        checkKnown(statement.actions());
        for (PolicyPattern action : statement.actions()) {
            boolean applies =
                    (buckets && S3Actions.onBuckets(action))
                            || (objects && S3Actions.onObjects(action));
            if (!applies) {
                throw new PolicyException("Action does not apply to any resource(s) in statement");
            }
        }
    }

    private static void checkKnown(List<PolicyPattern> actions) {
        if (!actions.stream().allMatch(S3Actions::knows)) {
            throw new PolicyException("Policy has invalid action");
        }
    }

    private static void check(PrincipalSet principals, Directory directory) {
        boolean known =
                principals.accounts().stream()
                                .filter(id -> ACCOUNT.matcher(id).matches())
                                .allMatch(directory::hasAccount)
                        && principals.canonicalIds().stream().allMatch(directory::hasCanonicalId)
                        && principals.arns().stream().allMatch(arn -> known(arn, directory));
        if (!known) {
            throw new PolicyException("Invalid principal in policy");
        }
    }

    private static boolean known(String arn, Directory directory) {
        String account = PolicyParser.accountOfArn(arn);
        return !ACCOUNT.matcher(account).matches()
                || (directory.hasAccount(account) && directory.hasPrincipal(arn));
    }
}
