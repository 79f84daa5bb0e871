package io.dedupstore.server.iam;

import io.dedupstore.core.control.AccessKey;
import io.dedupstore.core.control.ControlService;
import io.dedupstore.core.control.Identity;
import io.dedupstore.server.auth.KeyMaker;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Access keys of users, and of the account itself where no user is named. */
final class KeyActions {
    private static final int MAX_KEYS = 2;

    private final ControlService control;
    private final Identities identities;
    private final KeyMaker keys;
    private final InstantSource clock;

    KeyActions(ControlService control, Identities identities, KeyMaker keys, InstantSource clock) {
        this.control = control;
        this.identities = identities;
        this.keys = keys;
        this.clock = clock;
    }

    void addTo(Map<String, Handler> handlers) {
        handlers.put("CreateAccessKey", this::create);
        handlers.put("ListAccessKeys", this::list);
        handlers.put("UpdateAccessKey", this::update);
        handlers.put("DeleteAccessKey", this::delete);
    }

    private void create(Call call, QueryXml xml) {
        Optional<Identity> user = identities.userOrCaller(call);
        if (keysOf(call, user).size() >= MAX_KEYS) {
            throw new QueryException(
                    "LimitExceeded", 409, "Cannot exceed quota for AccessKeysPerUser: " + MAX_KEYS);
        }
        AccessKey key =
                new AccessKey(
                        keys.accessKey(),
                        keys.secret(),
                        call.account(),
                        user.map(Identity::id),
                        true,
                        clock.millis());
        control.putAccessKey(key);
        xml.open("AccessKey");
        write(xml, key, user);
        xml.text("SecretAccessKey", key.secretKey()).close();
    }

    private static void write(QueryXml xml, AccessKey key, Optional<Identity> user) {
        user.ifPresent(found -> xml.text("UserName", found.name()));
        xml.text("AccessKeyId", key.accessKey())
                .text("Status", key.active() ? "Active" : "Inactive")
                .text("CreateDate", Identities.date(key.createdMillis()));
    }

    private void list(Call call, QueryXml xml) {
        Optional<Identity> user = identities.userOrCaller(call);
        xml.open("AccessKeyMetadata");
        for (AccessKey key : keysOf(call, user)) {
            xml.open("member");
            write(xml, key, user);
            xml.close();
        }
        xml.close().text("IsTruncated", "false");
    }

    private void update(Call call, QueryXml xml) {
        AccessKey key = require(call);
        boolean active =
                switch (call.require("Status")) {
                    case "Active" -> true;
                    case "Inactive" -> false;
                    default -> throw QueryException.validation("Status is Active or Inactive");
                };
        control.putAccessKey(key.withActive(active));
    }

    private void delete(Call call, QueryXml xml) {
        control.deleteAccessKey(require(call).accessKey());
    }

    private List<AccessKey> keysOf(Call call, Optional<Identity> user) {
        return control.keysOf(call.account()).stream()
                .filter(key -> EntityActions.isOf(key, user))
                .toList();
    }

    private AccessKey require(Call call) {
        String name = call.require("AccessKeyId");
        return keysOf(call, identities.userOrCaller(call)).stream()
                .filter(key -> key.accessKey().equals(name))
                .findFirst()
                .orElseThrow(
                        () ->
                                QueryException.noSuchEntity(
                                        "The Access Key with id " + name + " cannot be found"));
    }
}
