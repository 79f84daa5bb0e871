package io.dedupstore.server;

import io.dedupstore.client.admin.AccessKeyReport;
import io.dedupstore.client.admin.AccountList;
import io.dedupstore.client.admin.AccountReport;
import io.dedupstore.client.admin.NewAccessKey;
import io.dedupstore.client.admin.NewAccount;
import io.dedupstore.client.admin.NewUser;
import io.dedupstore.client.admin.UserList;
import io.dedupstore.client.admin.UserReport;
import io.dedupstore.core.control.AccessKey;
import io.dedupstore.core.control.Account;
import io.dedupstore.core.control.ControlException;
import io.dedupstore.core.control.ControlService;
import io.dedupstore.core.control.Identity;
import io.dedupstore.server.admin.AccountService;
import io.dedupstore.server.admin.AdminException;
import io.dedupstore.server.auth.KeyMaker;
import io.dedupstore.server.policy.Policy;
import io.dedupstore.server.policy.PolicyException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Accounts, users and keys through the control group. */
final class LiveAccountService implements AccountService {
    private static final int MIN_SECRET_CHARS = 8;
    private static final int MAX_SECRET_CHARS = 128;
    private static final String POLICY_NAME = "policy";

    private final ControlService control;
    private final KeyMaker keys;
    private final InstantSource clock;

    LiveAccountService(ControlService control, KeyMaker keys, InstantSource clock) {
        this.control = control;
        this.keys = keys;
        this.clock = clock;
    }

    @Override
    public AccountList accounts() {
        return new AccountList(
                control.accounts().stream().map(one -> report(one, Optional.empty())).toList());
    }

    @Override
    public AccountReport account(String id) {
        return report(find(id), Optional.empty());
    }

    @Override
    public AccountReport createAccount(NewAccount wanted) {
        return refusals(
                () -> {
                    // Refused before there is an account without a key.
                    String name = accessKey(wanted.accessKey());
                    String secret = secret(wanted.secretKey());
                    requireFree(name);
                    String email = wanted.email() == null ? "" : wanted.email();
                    Account account = control.createAccount(wanted.displayName(), email);
                    AccessKey key = new AccessKey(name, secret, account.id());
                    control.putAccessKey(key);
                    return report(account, Optional.of(key));
                });
    }

    @Override
    public UserList users(String account) {
        find(account);
        return new UserList(
                control.identities(account, Identity.Kind.USER).stream()
                        .map(this::report)
                        .toList());
    }

    @Override
    public UserReport createUser(String account, NewUser wanted) {
        find(account);
        return refusals(
                () -> {
                    SortedMap<String, String> policies = new TreeMap<>();
                    String policy = wanted.policy();
                    if (policy != null) {
                        Policy.ofIdentity(policy);
                        policies.put(POLICY_NAME, policy);
                    }
                    control.putIdentity(
                            Identity.user(
                                            account,
                                            wanted.name(),
                                            keys.id("AIDA"),
                                            "/",
                                            clock.millis())
                                    .withPolicies(policies));
                    return report(user(account, wanted.name()));
                });
    }

    @Override
    public void deleteUser(String account, String name) {
        find(account);
        Identity user = user(account, name);
        refusals(
                () -> {
                    keysOf(user).forEach(key -> control.deleteAccessKey(key.accessKey()));
                    control.dropIdentity(user);
                    return name;
                });
    }

    @Override
    public AccessKeyReport createKey(String account, Optional<String> user, NewAccessKey wanted) {
        find(account);
        Optional<String> userId = user.map(name -> user(account, name).id());
        return refusals(
                () -> {
                    String name = accessKey(wanted.accessKey());
                    requireFree(name);
                    AccessKey key =
                            new AccessKey(
                                    name,
                                    secret(wanted.secretKey()),
                                    account,
                                    userId,
                                    true,
                                    clock.millis());
                    control.putAccessKey(key);
                    return report(key, true);
                });
    }

    @Override
    public AccessKeyReport setKeyActive(String accessKey, boolean active) {
        AccessKey key = findKey(accessKey).withActive(active);
        return refusals(
                () -> {
                    control.putAccessKey(key);
                    return report(key, false);
                });
    }

    @Override
    public void deleteKey(String accessKey) {
        findKey(accessKey);
        refusals(
                () -> {
                    control.deleteAccessKey(accessKey);
                    return accessKey;
                });
    }

    private AccessKey findKey(String accessKey) {
        return control.findAccessKey(accessKey)
                .orElseThrow(() -> notFound("access key " + accessKey));
    }

    private Account find(String id) {
        return control.findAccount(id).orElseThrow(() -> notFound("account " + id));
    }

    private Identity user(String account, String name) {
        return control.findIdentity(account, Identity.Kind.USER, name)
                .orElseThrow(() -> notFound("user " + name));
    }

    private List<AccessKey> keysOf(Identity user) {
        return control.keysOf(user.account()).stream()
                .filter(key -> key.user().filter(user.id()::equals).isPresent())
                .toList();
    }

    private static AdminException notFound(String what) {
        return new AdminException(AdminException.Code.NOT_FOUND, "there is no " + what);
    }

    private String accessKey(@Nullable String wanted) {
        return wanted == null ? keys.accessKey() : wanted;
    }

    private String secret(@Nullable String wanted) {
        if (wanted == null) {
            return keys.secret();
        }
        if (wanted.length() < MIN_SECRET_CHARS || wanted.length() > MAX_SECRET_CHARS) {
            throw new IllegalArgumentException(
                    "a secret key has %d to %d characters"
                            .formatted(MIN_SECRET_CHARS, MAX_SECRET_CHARS));
        }
        return wanted;
    }

    private void requireFree(String accessKey) {
        if (control.findAccessKey(accessKey).isPresent()) {
            throw new AdminException(
                    AdminException.Code.CONFLICT, "there is an access key " + accessKey);
        }
    }

    private AccountReport report(Account account, Optional<AccessKey> made) {
        List<AccessKeyReport> all =
                control.keysOf(account.id()).stream()
                        .map(
                                key ->
                                        report(
                                                key,
                                                made.map(AccessKey::accessKey)
                                                        .filter(key.accessKey()::equals)
                                                        .isPresent()))
                        .toList();
        return new AccountReport(
                account.id(),
                account.canonicalId(),
                account.displayName(),
                account.email(),
                control.listBuckets(account.id()).size(),
                all);
    }

    private UserReport report(Identity user) {
        return new UserReport(
                user.name(),
                user.id(),
                "arn:aws:iam::" + user.account() + ":user" + user.path() + user.name(),
                List.copyOf(user.policies().keySet()),
                keysOf(user).stream().map(AccessKey::accessKey).toList());
    }

    private AccessKeyReport report(AccessKey key, boolean withSecret) {
        @Nullable String user =
                key.user()
                        .flatMap(id -> control.findIdentity(key.account(), id))
                        .map(Identity::name)
                        .orElse(null);
        return new AccessKeyReport(
                key.accessKey(),
                withSecret ? key.secretKey() : null,
                key.account(),
                user,
                key.active(),
                Instant.ofEpochMilli(key.createdMillis()).toString());
    }

    private static <T> T refusals(Supplier<T> change) {
        try {
            return change.get();
        } catch (PolicyException | IllegalArgumentException e) {
            throw new AdminException(
                    AdminException.Code.INVALID_REQUEST, String.valueOf(e.getMessage()), e);
        } catch (ControlException e) {
            AdminException.Code code =
                    switch (e.code()) {
                        case ACCESS_KEY_EXISTS,
                                ACCOUNT_EXISTS,
                                IDENTITY_EXISTS,
                                IDENTITY_CHANGED,
                                REFUSED ->
                                AdminException.Code.CONFLICT;
                        case NO_SUCH_ACCOUNT, NO_SUCH_IDENTITY -> AdminException.Code.NOT_FOUND;
                        default -> AdminException.Code.UNAVAILABLE;
                    };
            throw new AdminException(code, String.valueOf(e.getMessage()), e);
        }
    }
}
