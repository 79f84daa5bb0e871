package io.dedupstore.server.auth;

import java.util.Map;
import java.util.Optional;

/** Policies that come with the server, under the names that they have elsewhere. */
public final class ManagedPolicies {
    private static final String PREFIX = "arn:aws:iam::aws:policy/";

    private static final Map<String, String> ACTIONS =
            Map.of(
                    PREFIX + "AdministratorAccess", "\"*\"",
                    PREFIX + "AmazonS3FullAccess", "\"s3:*\"",
                    PREFIX + "AmazonS3ReadOnlyAccess", "[\"s3:Get*\",\"s3:List*\"]",
                    PREFIX + "IAMFullAccess", "\"iam:*\"",
                    PREFIX + "IAMReadOnlyAccess", "[\"iam:Get*\",\"iam:List*\"]");

    private ManagedPolicies() {}

    public static Optional<String> document(String arn) {
        return Optional.ofNullable(ACTIONS.get(arn))
                .map(
                        actions ->
                                "{\"Version\":\"2012-10-17\",\"Statement\":[{\"Effect\":\"Allow\","
                                        + "\"Action\":"
                                        + actions
                                        + ",\"Resource\":\"*\"}]}");
    }
}
