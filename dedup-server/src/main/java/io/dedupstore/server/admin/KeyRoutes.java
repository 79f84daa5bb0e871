package io.dedupstore.server.admin;

import com.fasterxml.jackson.databind.ObjectReader;
import io.dedupstore.client.admin.AdminJson;
import io.dedupstore.client.admin.KeyName;
import io.dedupstore.client.admin.KeySetting;
import io.dedupstore.client.admin.NewKey;
import java.io.IOException;
import java.util.List;
import java.util.Set;

/** What the admin API has on keys. Ids stand in bodies: they may have slashes. */
final class KeyRoutes {
    private static final String PATH = "/v1/keys";

    private final ObjectReader newKey = AdminJson.strict().readerFor(NewKey.class);
    private final ObjectReader keyName = AdminJson.strict().readerFor(KeyName.class);
    private final ObjectReader keySetting = AdminJson.strict().readerFor(KeySetting.class);
    private final KeyService keys;

    KeyRoutes(KeyService keys) {
        this.keys = keys;
    }

    List<AdminRoute> routes() {
        return List.of(
                new AdminRoute(
                        "GET", PATH, false, Set.of(), request -> AdminAnswer.json(keys.keys())),
                new AdminRoute("POST", PATH, false, Set.of(), this::create),
                new AdminRoute("PUT", PATH, false, Set.of(), this::set),
                new AdminRoute("POST", PATH + "/rotate", false, Set.of(), this::rotate));
    }

    private AdminAnswer create(AdminRequest request) throws IOException {
        NewKey wanted = request.body(newKey, "{\"id\": \"photos\"}");
        if (wanted.id() == null) {
            throw unnamed();
        }
        return AdminAnswer.json(keys.create(wanted));
    }

    private AdminAnswer set(AdminRequest request) throws IOException {
        KeySetting wanted = request.body(keySetting, "{\"id\": \"photos\", \"enabled\": false}");
        if (wanted.id() == null || wanted.enabled() == null) {
            throw AdminRequest.invalid("the body must name the key and whether it is enabled");
        }
        return AdminAnswer.json(keys.set(wanted));
    }

    private AdminAnswer rotate(AdminRequest request) throws IOException {
        KeyName wanted = request.body(keyName, "{\"id\": \"photos\"}");
        if (wanted.id() == null) {
            throw unnamed();
        }
        return AdminAnswer.json(keys.rotate(wanted.id()));
    }

    private static AdminException unnamed() {
        return AdminRequest.invalid("the body must name the key");
    }
}
