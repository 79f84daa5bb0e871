package io.dedupstore.server.admin;

import com.fasterxml.jackson.databind.ObjectReader;
import io.dedupstore.client.admin.AccessKeySetting;
import io.dedupstore.client.admin.AdminJson;
import io.dedupstore.client.admin.NewAccessKey;
import io.dedupstore.client.admin.NewAccount;
import io.dedupstore.client.admin.NewUser;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The part of the API that is about accounts. */
final class AccountRoutes {
    private static final String KEY_EXAMPLE = "{\"accessKey\": \"...\", \"secretKey\": \"...\"}";

    private final ObjectReader newAccount = AdminJson.strict().readerFor(NewAccount.class);
    private final ObjectReader newUser = AdminJson.strict().readerFor(NewUser.class);
    private final ObjectReader newKey = AdminJson.strict().readerFor(NewAccessKey.class);
    private final ObjectReader keySetting = AdminJson.strict().readerFor(AccessKeySetting.class);
    private final AccountService accounts;

    AccountRoutes(AccountService accounts) {
        this.accounts = accounts;
    }

    List<AdminRoute> routes() {
        return List.of(
                route("GET", "/v1/accounts", request -> AdminAnswer.json(accounts.accounts())),
                route("POST", "/v1/accounts", this::createAccount),
                route(
                        "GET",
                        "/v1/accounts/{account}",
                        request -> AdminAnswer.json(accounts.account(account(request)))),
                route("POST", "/v1/accounts/{account}/keys", this::createKey),
                route(
                        "GET",
                        "/v1/accounts/{account}/users",
                        request -> AdminAnswer.json(accounts.users(account(request)))),
                route("POST", "/v1/accounts/{account}/users", this::createUser),
                route("DELETE", "/v1/accounts/{account}/users/{user}", this::deleteUser),
                route("POST", "/v1/accounts/{account}/users/{user}/keys", this::createKey),
                route("PUT", "/v1/access-keys/{key}", this::setKey),
                route("DELETE", "/v1/access-keys/{key}", this::deleteKey));
    }

    private static AdminRoute route(String method, String path, AdminRoute.Operation operation) {
        return new AdminRoute(method, path, false, Set.of(), operation);
    }

    private static String account(AdminRequest request) {
        return request.segment("account");
    }

    private AdminAnswer createAccount(AdminRequest request) throws IOException {
        NewAccount wanted = request.body(newAccount, "{\"displayName\": \"team\"}");
        if (wanted.displayName() == null || wanted.displayName().isBlank()) {
            throw AdminRequest.invalid("the body must name the account: displayName");
        }
        return AdminAnswer.json(accounts.createAccount(wanted));
    }

    private AdminAnswer createUser(AdminRequest request) throws IOException {
        NewUser wanted = request.body(newUser, "{\"name\": \"backup\"}");
        if (wanted.name() == null) {
            throw AdminRequest.invalid("the body must name the user");
        }
        return AdminAnswer.json(accounts.createUser(account(request), wanted));
    }

    private AdminAnswer deleteUser(AdminRequest request) {
        accounts.deleteUser(account(request), request.segment("user"));
        return AdminAnswer.json(Map.of("deleted", request.segment("user")));
    }

    private AdminAnswer createKey(AdminRequest request) throws IOException {
        NewAccessKey wanted = request.body(newKey, KEY_EXAMPLE);
        Optional<String> user = Optional.ofNullable(request.path().get("user"));
        return AdminAnswer.json(accounts.createKey(account(request), user, wanted));
    }

    private AdminAnswer setKey(AdminRequest request) throws IOException {
        AccessKeySetting wanted = request.body(keySetting, "{\"active\": false}");
        return AdminAnswer.json(accounts.setKeyActive(request.segment("key"), wanted.active()));
    }

    private AdminAnswer deleteKey(AdminRequest request) {
        accounts.deleteKey(request.segment("key"));
        return AdminAnswer.json(Map.of("deleted", request.segment("key")));
    }
}
