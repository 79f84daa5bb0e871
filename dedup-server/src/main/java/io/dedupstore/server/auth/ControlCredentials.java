package io.dedupstore.server.auth;

import io.dedupstore.core.control.AccessKey;
import io.dedupstore.core.control.ControlService;
import io.dedupstore.core.control.Identity;
import io.dedupstore.core.control.TemporaryKey;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;

/** Credentials of the control group's accounts, users and roles. */
public final class ControlCredentials implements CredentialStore {
    private final ControlService control;

    public ControlCredentials(ControlService control) {
        this.control = control;
    }

    @Override
    public Optional<Credential> find(String accessKey) {
        return control.findAccessKey(accessKey).filter(AccessKey::active).flatMap(this::ofKey);
    }

    private Optional<Credential> ofKey(AccessKey key) {
        return who(key.account(), key.user(), "")
                .map(
                        who ->
                                new Credential(
                                        key.accessKey(),
                                        key.secretKey().getBytes(StandardCharsets.UTF_8),
                                        new Principal.Account(
                                                key.account(),
                                                key.accessKey(),
                                                who,
                                                Optional.empty()),
                                        Optional.empty()));
    }

    @Override
    public Optional<Credential> ofToken(String token) {
        return control.openToken(token).flatMap(this::ofTemporary);
    }

    private Optional<Credential> ofTemporary(TemporaryKey key) {
        if (control.findAccount(key.account()).isEmpty()) {
            return Optional.empty();
        }
        return who(key.account(), key.identity(), key.sessionName())
                .map(
                        who ->
                                new Credential(
                                        key.accessKey(),
                                        key.secretKey().getBytes(StandardCharsets.UTF_8),
                                        new Principal.Account(
                                                key.account(), key.accessKey(), who, key.policy()),
                                        Optional.of(Instant.ofEpochMilli(key.expiresMillis()))));
    }

    /** Empty where the user or role is gone: nothing of theirs opens anything any more. */
    private Optional<Principal.Who> who(
            String account, Optional<String> identityId, String sessionName) {
        if (identityId.isEmpty()) {
            return Optional.of(new Principal.Who.Root());
        }
        return control.findIdentity(account, identityId.get())
                .flatMap(
                        identity ->
                                switch (identity.kind()) {
                                    case USER -> Optional.of(user(identity));
                                    case ROLE -> Optional.of(role(identity, sessionName));
                                    case GROUP -> Optional.empty();
                                });
    }

    private static Principal.Who user(Identity identity) {
        return new Principal.Who.User(identity.id(), identity.path(), identity.name());
    }

    private static Principal.Who role(Identity identity, String sessionName) {
        return new Principal.Who.Role(identity.id(), identity.path(), identity.name(), sessionName);
    }
}
