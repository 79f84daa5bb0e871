package io.dedupstore.server;

import io.dedupstore.client.admin.KeySetting;
import io.dedupstore.client.admin.NamedKeyList;
import io.dedupstore.client.admin.NamedKeyReport;
import io.dedupstore.client.admin.NewKey;
import io.dedupstore.core.control.ControlException;
import io.dedupstore.core.control.ControlService;
import io.dedupstore.core.control.NamedKey;
import io.dedupstore.server.admin.AdminException;
import io.dedupstore.server.admin.KeyService;
import java.time.Instant;
import java.util.function.Supplier;

/** Keys of the local key provider. */
final class LiveKeyService implements KeyService {
    private final ControlService control;

    LiveKeyService(ControlService control) {
        this.control = control;
    }

    @Override
    public NamedKeyList keys() {
        return new NamedKeyList(control.namedKeys().stream().map(LiveKeyService::report).toList());
    }

    @Override
    public NamedKeyReport create(NewKey key) {
        String description = key.description();
        return answer(() -> control.createKey(key.id(), description == null ? "" : description));
    }

    @Override
    public NamedKeyReport rotate(String id) {
        return answer(() -> control.rotateKey(id));
    }

    @Override
    public NamedKeyReport set(KeySetting setting) {
        return answer(
                () -> control.enableKey(setting.id(), Boolean.TRUE.equals(setting.enabled())));
    }

    private static NamedKeyReport answer(Supplier<NamedKey> change) {
        try {
            return report(change.get());
        } catch (IllegalArgumentException e) {
            throw new AdminException(
                    AdminException.Code.INVALID_REQUEST, String.valueOf(e.getMessage()), e);
        } catch (ControlException e) {
            AdminException.Code code =
                    switch (e.code()) {
                        case NO_SUCH_KEY -> AdminException.Code.NOT_FOUND;
                        case KEY_EXISTS, KEY_CHANGED -> AdminException.Code.CONFLICT;
                        case REFUSED -> AdminException.Code.INVALID_REQUEST;
                        default -> AdminException.Code.UNAVAILABLE;
                    };
            throw new AdminException(code, String.valueOf(e.getMessage()), e);
        }
    }

    private static NamedKeyReport report(NamedKey key) {
        return new NamedKeyReport(
                key.id(),
                key.description(),
                key.account(),
                key.enabled(),
                key.version(),
                Instant.ofEpochMilli(key.createdMillis()).toString(),
                key.rotatedMillis() == 0
                        ? null
                        : Instant.ofEpochMilli(key.rotatedMillis()).toString());
    }
}
