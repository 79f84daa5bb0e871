package io.dedupstore.server.admin;

import io.dedupstore.client.admin.KeySetting;
import io.dedupstore.client.admin.NamedKeyList;
import io.dedupstore.client.admin.NamedKeyReport;
import io.dedupstore.client.admin.NewKey;

/**
 * Keys that objects are encrypted under. As {@link AdminService}; NOT_FOUND where there is no such
 * key.
 */
public interface KeyService {
    NamedKeyList keys();

    NamedKeyReport create(NewKey key);

    /** Wraps anew what the key wraps. */
    NamedKeyReport rotate(String id);

    NamedKeyReport set(KeySetting setting);
}
