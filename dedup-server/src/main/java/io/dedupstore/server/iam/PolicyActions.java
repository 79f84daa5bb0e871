package io.dedupstore.server.iam;

import io.dedupstore.core.control.Identity;
import io.dedupstore.server.auth.ManagedPolicies;
import io.dedupstore.server.policy.Policy;
import io.dedupstore.server.policy.PolicyException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** Policies of users, groups and roles: their own, and those that come with the server. */
final class PolicyActions {
    private static final String NAME = "[A-Za-z0-9+=,.@_-]{1,128}";
    private static final int MAX_CHARS = 10 << 10;

    private final Identities identities;

    PolicyActions(Identities identities) {
        this.identities = identities;
    }

    void addTo(Map<String, Handler> handlers) {
        for (Identity.Kind kind : Identity.Kind.values()) {
            String noun = Identities.noun(kind);
            handlers.put("Put" + noun + "Policy", (call, xml) -> put(call, kind));
            handlers.put("Get" + noun + "Policy", (call, xml) -> get(call, kind, xml));
            handlers.put("Delete" + noun + "Policy", (call, xml) -> delete(call, kind));
            handlers.put("List" + noun + "Policies", (call, xml) -> list(call, kind, xml));
            handlers.put("Attach" + noun + "Policy", (call, xml) -> attach(call, kind));
            handlers.put("Detach" + noun + "Policy", (call, xml) -> detach(call, kind));
            handlers.put(
                    "ListAttached" + noun + "Policies",
                    (call, xml) -> listAttached(call, kind, xml));
        }
    }

    private void put(Call call, Identity.Kind kind) {
        String name = call.require("PolicyName");
        String document = call.require("PolicyDocument");
        if (!name.matches(NAME)) {
            throw QueryException.validation("The specified value for policyName is invalid.");
        }
        if (document.length() > MAX_CHARS) {
            throw new QueryException(
                    "LimitExceeded", 409, "Maximum policy size of 10240 bytes exceeded.");
        }
        try {
            Policy.ofIdentity(document);
        } catch (PolicyException e) {
            throw new QueryException(
                    "MalformedPolicyDocument", 400, String.valueOf(e.getMessage()), e);
        }
        change(
                call,
                kind,
                identity -> {
                    SortedMap<String, String> policies = new TreeMap<>(identity.policies());
                    policies.put(name, document);
                    return identity.withPolicies(policies);
                });
    }

    private void get(Call call, Identity.Kind kind, QueryXml xml) {
        Identity identity = identities.require(call, kind);
        String name = call.require("PolicyName");
        String document = identity.policies().get(name);
        if (document == null) {
            throw missing(kind, name);
        }
        xml.text(Identities.parameter(kind), identity.name())
                .text("PolicyName", name)
                .text("PolicyDocument", EntityActions.encoded(document));
    }

    private static QueryException missing(Identity.Kind kind, String name) {
        return QueryException.noSuchEntity(
                "The %s policy with name %s cannot be found."
                        .formatted(Identities.noun(kind).toLowerCase(Locale.ROOT), name));
    }

    private void delete(Call call, Identity.Kind kind) {
        String name = call.require("PolicyName");
        change(
                call,
                kind,
                identity -> {
                    SortedMap<String, String> policies = new TreeMap<>(identity.policies());
                    if (policies.remove(name) == null) {
                        throw missing(kind, name);
                    }
                    return identity.withPolicies(policies);
                });
    }

    private void list(Call call, Identity.Kind kind, QueryXml xml) {
        Identity identity = identities.require(call, kind);
        xml.open("PolicyNames");
        identity.policies().keySet().forEach(name -> xml.text("member", name));
        xml.close().text("IsTruncated", "false");
    }

    private void attach(Call call, Identity.Kind kind) {
        String arn = call.require("PolicyArn");
        if (ManagedPolicies.document(arn).isEmpty()) {
            throw QueryException.noSuchEntity(
                    "Policy " + arn + " does not exist or is not attachable.");
        }
        change(
                call,
                kind,
                identity -> {
                    List<String> attached = new ArrayList<>(identity.managedPolicies());
                    if (!attached.contains(arn)) {
                        attached.add(arn);
                    }
                    return identity.withManagedPolicies(attached);
                });
    }

    private void detach(Call call, Identity.Kind kind) {
        String arn = call.require("PolicyArn");
        change(
                call,
                kind,
                identity -> {
                    List<String> attached = new ArrayList<>(identity.managedPolicies());
                    if (!attached.remove(arn)) {
                        throw QueryException.noSuchEntity("Policy " + arn + " was not found.");
                    }
                    return identity.withManagedPolicies(attached);
                });
    }

    private void listAttached(Call call, Identity.Kind kind, QueryXml xml) {
        xml.open("AttachedPolicies");
        for (String arn : identities.require(call, kind).managedPolicies()) {
            xml.open("member")
                    .text("PolicyName", arn.substring(arn.lastIndexOf('/') + 1))
                    .text("PolicyArn", arn)
                    .close();
        }
        xml.close().text("IsTruncated", "false");
    }

    private void change(Call call, Identity.Kind kind, UnaryOperator<Identity> change) {
        identities.change(call.account(), kind, call.require(Identities.parameter(kind)), change);
    }
}
