package io.dedupstore.server.admin;

import io.dedupstore.client.admin.KeySetting;
import io.dedupstore.client.admin.NamedKeyList;
import io.dedupstore.client.admin.NamedKeyReport;
import io.dedupstore.client.admin.NewKey;
import java.util.List;

/** One key, which does what it is told. */
final class FakeKeyService implements KeyService {
    private static NamedKeyReport key(String id, boolean enabled, int version) {
        return new NamedKeyReport(id, "", "", enabled, version, "2026-01-01T00:00:00Z", null);
    }

    @Override
    public NamedKeyList keys() {
        return new NamedKeyList(List.of(key("photos", true, 1)));
    }

    @Override
    public NamedKeyReport create(NewKey key) {
        return key(key.id(), true, 1);
    }

    @Override
    public NamedKeyReport rotate(String id) {
        if (!id.equals("photos")) {
            throw new AdminException(AdminException.Code.NOT_FOUND, "there is no key " + id);
        }
        return key(id, true, 2);
    }

    @Override
    public NamedKeyReport set(KeySetting setting) {
        return key(setting.id(), Boolean.TRUE.equals(setting.enabled()), 1);
    }
}
