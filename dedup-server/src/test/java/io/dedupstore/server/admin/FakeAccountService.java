package io.dedupstore.server.admin;

import io.dedupstore.client.admin.AccessKeyReport;
import io.dedupstore.client.admin.AccountList;
import io.dedupstore.client.admin.AccountReport;
import io.dedupstore.client.admin.NewAccessKey;
import io.dedupstore.client.admin.NewAccount;
import io.dedupstore.client.admin.NewUser;
import io.dedupstore.client.admin.UserList;
import io.dedupstore.client.admin.UserReport;
import java.util.List;
import java.util.Optional;

/** One account, one user, one key. */
final class FakeAccountService implements AccountService {
    private static final String ID = "123456789012";

    @Override
    public AccountList accounts() {
        return new AccountList(List.of(account(ID)));
    }

    @Override
    public AccountReport account(String id) {
        return new AccountReport(id, "canonical", "name", "", 0, List.of());
    }

    @Override
    public AccountReport createAccount(NewAccount account) {
        return new AccountReport(ID, "canonical", account.displayName(), "", 0, List.of());
    }

    @Override
    public UserList users(String account) {
        return new UserList(List.of());
    }

    @Override
    public UserReport createUser(String account, NewUser user) {
        return new UserReport(user.name(), "AIDA", "arn", List.of(), List.of());
    }

    @Override
    public void deleteUser(String account, String name) {}

    @Override
    public AccessKeyReport createKey(String account, Optional<String> user, NewAccessKey key) {
        return new AccessKeyReport("KEY", "secret", account, user.orElse(null), true, "");
    }

    @Override
    public AccessKeyReport setKeyActive(String accessKey, boolean active) {
        return new AccessKeyReport(accessKey, null, ID, null, active, "");
    }

    @Override
    public void deleteKey(String accessKey) {}
}
