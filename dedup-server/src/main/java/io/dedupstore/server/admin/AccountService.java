package io.dedupstore.server.admin;

import io.dedupstore.client.admin.AccessKeyReport;
import io.dedupstore.client.admin.AccountList;
import io.dedupstore.client.admin.AccountReport;
import io.dedupstore.client.admin.NewAccessKey;
import io.dedupstore.client.admin.NewAccount;
import io.dedupstore.client.admin.NewUser;
import io.dedupstore.client.admin.UserList;
import io.dedupstore.client.admin.UserReport;
import java.util.Optional;

/**
 * Accounts, their users and access keys. Blocking; any number of threads.
 *
 * <p>Methods throw {@link AdminException}.
 */
public interface AccountService {
    AccountList accounts();

    AccountReport account(String id);

    /** Its first key comes with the answer, and never again. */
    AccountReport createAccount(NewAccount account);

    UserList users(String account);

    UserReport createUser(String account, NewUser user);

    /** With its access keys. */
    void deleteUser(String account, String name);

    /**
     * @param user empty for the account itself
     */
    AccessKeyReport createKey(String account, Optional<String> user, NewAccessKey key);

    AccessKeyReport setKeyActive(String accessKey, boolean active);

    void deleteKey(String accessKey);
}
