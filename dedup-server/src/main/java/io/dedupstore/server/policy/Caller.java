package io.dedupstore.server.policy;

import java.util.List;

/**
 * Who a policy sees.
 *
 * @param accountId empty for the anonymous
 * @param canonicalId of the account
 * @param arns all that name the caller itself, the account's root among them only for the root
 */
public record Caller(String accountId, String canonicalId, List<String> arns) {
    public static final Caller ANONYMOUS = new Caller("", "", List.of());

    public Caller {
        arns = List.copyOf(arns);
    }

    public boolean anonymous() {
        return accountId.isEmpty();
    }

    boolean isRoot() {
        return arns.contains(rootArn(accountId));
    }

    public static String rootArn(String accountId) {
        return "arn:aws:iam::" + accountId + ":root";
    }
}
