package io.dedupstore.server.iam;

import io.dedupstore.core.control.ControlException;
import io.dedupstore.core.control.ControlService;
import io.dedupstore.core.control.Identity;
import io.dedupstore.server.auth.KeyMaker;
import io.dedupstore.server.auth.Principal;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** Users, groups and roles of the caller's account, found, changed and written. */
final class Identities {
    private static final int MAX_CHANGES = 5;
    private static final String NAME = "[A-Za-z0-9+=,.@_-]{1,64}";

    private final ControlService control;
    private final KeyMaker keys;
    private final InstantSource clock;

    Identities(ControlService control, KeyMaker keys, InstantSource clock) {
        this.control = control;
        this.keys = keys;
        this.clock = clock;
    }

    static String parameter(Identity.Kind kind) {
        return noun(kind) + "Name";
    }

    static String noun(Identity.Kind kind) {
        return switch (kind) {
            case USER -> "User";
            case GROUP -> "Group";
            case ROLE -> "Role";
        };
    }

    private static String prefix(Identity.Kind kind) {
        return switch (kind) {
            case USER -> "AIDA";
            case GROUP -> "AGPA";
            case ROLE -> "AROA";
        };
    }

    static String arn(Identity identity) {
        return arn(identity.account(), identity.kind(), identity.path() + identity.name());
    }

    static String arn(String account, Identity.Kind kind, String pathAndName) {
        String noun = noun(kind).toLowerCase(Locale.ROOT);
        return "arn:aws:iam::" + account + ":" + noun + pathAndName;
    }

    Identity create(Call call, Identity.Kind kind, UnaryOperator<Identity> more) {
        String name = call.require(parameter(kind));
        if (!name.matches(NAME)) {
            throw QueryException.validation(
                    "The specified value for " + parameter(kind) + " is invalid.");
        }
        String path = call.find("Path").orElse("/");
        try {
            Identity made =
                    more.apply(
                            new Identity(
                                    call.account(),
                                    kind,
                                    name,
                                    keys.id(prefix(kind)),
                                    path,
                                    call.find("Description").orElse(""),
                                    clock.millis(),
                                    0,
                                    new TreeMap<>(),
                                    List.of(),
                                    List.of(),
                                    "",
                                    0));
            control.putIdentity(made);
            return made;
        } catch (IllegalArgumentException e) {
            throw new QueryException("ValidationError", 400, String.valueOf(e.getMessage()), e);
        } catch (ControlException e) {
            if (e.code() == ControlException.Code.IDENTITY_EXISTS) {
                throw new QueryException(
                        "EntityAlreadyExists",
                        409,
                        "%s with name %s already exists.".formatted(noun(kind), name),
                        e);
            }
            throw e;
        }
    }

    Identity require(Call call, Identity.Kind kind) {
        return require(call.account(), kind, call.require(parameter(kind)));
    }

    Identity require(String account, Identity.Kind kind, String name) {
        return control.findIdentity(account, kind, name)
                .orElseThrow(
                        () ->
                                QueryException.noSuchEntity(
                                        "The %s with name %s cannot be found."
                                                .formatted(
                                                        noun(kind).toLowerCase(Locale.ROOT),
                                                        name)));
    }

    /** The user that is named, or else the caller; empty for the account itself. */
    Optional<Identity> userOrCaller(Call call) {
        if (call.find("UserName").isPresent()) {
            return Optional.of(require(call, Identity.Kind.USER));
        }
        return call.caller().who() instanceof Principal.Who.User user
                ? control.findIdentity(call.account(), user.id())
                : Optional.empty();
    }

    /** Changes what there is now, again where somebody else changed it meanwhile. */
    void change(String account, Identity.Kind kind, String name, UnaryOperator<Identity> change) {
        for (int attempt = 1; ; attempt++) {
            Identity before = require(account, kind, name);
            try {
                Identity after = change.apply(before);
                if (!after.equals(before)) {
                    control.putIdentity(after);
                }
                return;
            } catch (IllegalArgumentException e) {
                throw new QueryException("LimitExceeded", 409, String.valueOf(e.getMessage()), e);
            } catch (ControlException e) {
                boolean again = e.code() == ControlException.Code.IDENTITY_CHANGED;
                if (!again || attempt == MAX_CHANGES) {
                    throw e;
                }
            }
        }
    }

    void drop(Identity identity) {
        try {
            control.dropIdentity(identity);
        } catch (ControlException e) {
            if (e.code() == ControlException.Code.REFUSED) {
                throw QueryException.conflict(
                        "Cannot delete entity, must delete access keys first.");
            }
            throw e;
        }
    }

    List<Identity> list(Call call, Identity.Kind kind) {
        String prefix = call.find("PathPrefix").orElse("/");
        return control.identities(call.account(), kind).stream()
                .filter(identity -> identity.path().startsWith(prefix))
                .toList();
    }

    void write(QueryXml xml, Identity identity) {
        String noun = noun(identity.kind());
        xml.text("Path", identity.path())
                .text(noun + "Name", identity.name())
                .text(noun + "Id", identity.id())
                .text("Arn", arn(identity))
                .text("CreateDate", date(identity.createdMillis()));
    }

    static String date(long millis) {
        return Instant.ofEpochMilli(millis).truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
