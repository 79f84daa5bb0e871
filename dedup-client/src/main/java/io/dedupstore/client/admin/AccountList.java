package io.dedupstore.client.admin;

import java.util.List;

/** All accounts, ascending by id. */
public record AccountList(List<AccountReport> accounts) {
    public AccountList {
        accounts = List.copyOf(accounts);
    }
}
