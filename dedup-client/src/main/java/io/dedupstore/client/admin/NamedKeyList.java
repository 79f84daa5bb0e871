package io.dedupstore.client.admin;

import java.util.List;

/** All keys, ascending by id. */
public record NamedKeyList(List<NamedKeyReport> keys) {
    public NamedKeyList {
        keys = List.copyOf(keys);
    }
}
