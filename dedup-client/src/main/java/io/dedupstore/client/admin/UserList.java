package io.dedupstore.client.admin;

import java.util.List;

/** The users of an account, ascending by name. */
public record UserList(List<UserReport> users) {
    public UserList {
        users = List.copyOf(users);
    }
}
