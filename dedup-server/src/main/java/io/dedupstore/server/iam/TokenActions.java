package io.dedupstore.server.iam;

import io.dedupstore.core.control.ControlService;
import io.dedupstore.core.control.Identity;
import io.dedupstore.core.control.TemporaryKey;
import io.dedupstore.server.auth.Callers;
import io.dedupstore.server.auth.KeyMaker;
import io.dedupstore.server.auth.Principal;
import io.dedupstore.server.policy.Caller;
import io.dedupstore.server.policy.Facts;
import io.dedupstore.server.policy.Policy;
import io.dedupstore.server.policy.PolicyException;
import io.dedupstore.server.policy.Verdict;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Temporary keys. */
final class TokenActions {
    private static final int MIN_SECONDS = 900;
    private static final int DEFAULT_SECONDS = 3600;
    private static final int MAX_SESSION_SECONDS = 129_600;
    private static final int DEFAULT_SESSION_SECONDS = 43_200;
    private static final int MAX_POLICY_CHARS = 2048;
    private static final Pattern ROLE =
            Pattern.compile("arn:aws:iam::([0-9]{12}):role(/.*)?/([^/]+)");
    private static final String SESSION_NAME = "[A-Za-z0-9+=,.@_-]{2,64}";

    private final ControlService control;
    private final Callers callers;
    private final KeyMaker keys;
    private final InstantSource clock;

    TokenActions(ControlService control, Callers callers, KeyMaker keys, InstantSource clock) {
        this.control = control;
        this.callers = callers;
        this.keys = keys;
        this.clock = clock;
    }

    void addTo(Map<String, Handler> handlers) {
        handlers.put("GetCallerIdentity", this::identity);
        handlers.put("GetSessionToken", this::session);
        handlers.put("AssumeRole", this::assume);
    }

    private void identity(Call call, QueryXml xml) {
        xml.text("Arn", call.caller().arn())
                .text("UserId", call.caller().userId())
                .text("Account", call.account());
    }

    private void session(Call call, QueryXml xml) {
        boolean temporary =
                call.caller().who() instanceof Principal.Who.Role
                        || control.findAccessKey(call.caller().accessKey()).isEmpty();
        if (temporary) {
            throw QueryException.accessDenied(
                    "Cannot call GetSessionToken with session credentials");
        }
        Optional<String> user =
                call.caller().who() instanceof Principal.Who.User one
                        ? Optional.of(one.id())
                        : Optional.empty();
        int most = user.isPresent() ? MAX_SESSION_SECONDS : DEFAULT_SECONDS;
        int seconds =
                call.number(
                        "DurationSeconds",
                        Math.min(most, DEFAULT_SESSION_SECONDS),
                        MIN_SECONDS,
                        MAX_SESSION_SECONDS);
        credentials(xml, key(call.account(), user, "", Optional.empty(), Math.min(seconds, most)));
    }

    private void assume(Call call, QueryXml xml) {
        String arn = call.require("RoleArn");
        String sessionName = call.require("RoleSessionName");
        if (!sessionName.matches(SESSION_NAME)) {
            throw QueryException.validation("The specified value for roleSessionName is invalid.");
        }
        Optional<String> policy = call.find("Policy");
        policy.ifPresent(TokenActions::checkPolicy);
        Identity role = role(arn).orElseThrow(() -> notAuthorized(call, arn));
        requireTrust(call, role, arn);
        int seconds =
                call.number(
                        "DurationSeconds",
                        Math.min(DEFAULT_SECONDS, role.maxSessionSeconds()),
                        MIN_SECONDS,
                        role.maxSessionSeconds());
        TemporaryKey key =
                key(role.account(), Optional.of(role.id()), sessionName, policy, seconds);
        credentials(xml, key);
        xml.open("AssumedRoleUser")
                .text("AssumedRoleId", role.id() + ":" + sessionName)
                .text(
                        "Arn",
                        "arn:aws:sts::%s:assumed-role/%s/%s"
                                .formatted(role.account(), role.name(), sessionName))
                .close();
    }

    private static void checkPolicy(String document) {
        if (document.length() > MAX_POLICY_CHARS) {
            throw new QueryException(
                    "PackedPolicyTooLarge", 400, "The session policy is too large.");
        }
        try {
            Policy.ofIdentity(document);
        } catch (PolicyException e) {
            throw new QueryException(
                    "MalformedPolicyDocument", 400, String.valueOf(e.getMessage()), e);
        }
    }

    private Optional<Identity> role(String arn) {
        Matcher matcher = ROLE.matcher(arn);
        if (!matcher.matches()) {
            throw QueryException.validation(arn + " is invalid");
        }
        return control.findIdentity(matcher.group(1), Identity.Kind.ROLE, matcher.group(3))
                .filter(role -> Identities.arn(role).equals(arn));
    }

    /**
     * The role must trust the caller, or its account; in the second case, and for callers of other
     * accounts, their own policies must let them as well.
     */
    private void requireTrust(Call call, Identity role, String arn) {
        Caller caller = callers.caller(call.caller());
        String action = "sts:AssumeRole";
        Verdict trust = Policy.ofTrust(role.trustPolicy()).decide(caller, action, arn, Facts.NONE);
        Verdict own = callers.ownPolicies(call.caller(), caller, action, arn, Facts.NONE);
        boolean named = trust == Verdict.ALLOW && role.account().equals(call.account());
        boolean both =
                (trust == Verdict.ALLOW || trust == Verdict.ALLOW_ACCOUNT) && own == Verdict.ALLOW;
        boolean session = callers.sessionAllows(call.caller(), caller, action, arn, Facts.NONE);
        if (own == Verdict.DENY || !session || !(named || both)) {
            throw notAuthorized(call, arn);
        }
    }

    /** The same for a role that there is not: who may not assume it need not know. */
    private static QueryException notAuthorized(Call call, String arn) {
        return QueryException.accessDenied(
                "User: %s is not authorized to perform: sts:AssumeRole on resource: %s"
                        .formatted(call.caller().arn(), arn));
    }

    private TemporaryKey key(
            String account,
            Optional<String> identity,
            String sessionName,
            Optional<String> policy,
            int seconds) {
        long now = clock.millis();
        return new TemporaryKey(
                keys.temporaryAccessKey(),
                keys.secret(),
                account,
                identity,
                sessionName,
                policy,
                now,
                now + seconds * 1000L);
    }

    private void credentials(QueryXml xml, TemporaryKey key) {
        xml.open("Credentials")
                .text("AccessKeyId", key.accessKey())
                .text("SecretAccessKey", key.secretKey())
                .text("SessionToken", control.sealToken(key))
                .text("Expiration", Identities.date(key.expiresMillis()))
                .close();
    }
}
