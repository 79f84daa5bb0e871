package io.dedupstore.server.iam;

import io.dedupstore.core.control.AccessKey;
import io.dedupstore.core.control.ControlService;
import io.dedupstore.core.control.Identity;
import io.dedupstore.server.policy.Policy;
import io.dedupstore.server.policy.PolicyException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Users, groups and roles themselves, and who is in a group. */
final class EntityActions {
    private static final int DEFAULT_SESSION_SECONDS = 3600;
    private static final int MAX_SESSION_SECONDS = 43_200;

    private final ControlService control;
    private final Identities identities;

    EntityActions(ControlService control, Identities identities) {
        this.control = control;
        this.identities = identities;
    }

    void addTo(Map<String, Handler> handlers) {
        for (Identity.Kind kind : Identity.Kind.values()) {
            String noun = Identities.noun(kind);
            handlers.put("List" + noun + "s", (call, xml) -> list(call, kind, xml));
            handlers.put("Delete" + noun, (call, xml) -> delete(call, kind));
        }
        handlers.put("CreateUser", (call, xml) -> create(call, Identity.Kind.USER, xml));
        handlers.put("CreateGroup", (call, xml) -> create(call, Identity.Kind.GROUP, xml));
        handlers.put("CreateRole", this::createRole);
        handlers.put("GetUser", this::getUser);
        handlers.put("GetGroup", this::getGroup);
        handlers.put("GetRole", this::getRole);
        handlers.put("UpdateAssumeRolePolicy", this::updateTrust);
        handlers.put("AddUserToGroup", this::addUser);
        handlers.put("RemoveUserFromGroup", this::removeUser);
        handlers.put("ListGroupsForUser", this::groupsOfUser);
    }

    private void create(Call call, Identity.Kind kind, QueryXml xml) {
        Identity made = identities.create(call, kind, identity -> identity);
        entity(xml, made);
    }

    private void entity(QueryXml xml, Identity identity) {
        xml.open(Identities.noun(identity.kind()));
        identities.write(xml, identity);
        if (identity.kind() == Identity.Kind.ROLE) {
            xml.text("AssumeRolePolicyDocument", encoded(identity.trustPolicy()))
                    .text("MaxSessionDuration", Integer.toString(identity.maxSessionSeconds()));
            if (!identity.description().isEmpty()) {
                xml.text("Description", identity.description());
            }
        }
        xml.close();
    }

    /** Documents are answered in the encoding of addresses. */
    static String encoded(String document) {
        return URLEncoder.encode(document, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private void createRole(Call call, QueryXml xml) {
        String trust = trust(call.require("AssumeRolePolicyDocument"));
        int seconds =
                call.number(
                        "MaxSessionDuration",
                        DEFAULT_SESSION_SECONDS,
                        DEFAULT_SESSION_SECONDS,
                        MAX_SESSION_SECONDS);
        Identity made =
                identities.create(
                        call,
                        Identity.Kind.ROLE,
                        role -> role.withTrustPolicy(trust).withMaxSessionSeconds(seconds));
        entity(xml, made);
    }

    private static String trust(String document) {
        try {
            Policy.ofTrust(document);
            return document;
        } catch (PolicyException e) {
            throw new QueryException(
                    "MalformedPolicyDocument", 400, String.valueOf(e.getMessage()), e);
        }
    }

    private void updateTrust(Call call, QueryXml xml) {
        String trust = trust(call.require("PolicyDocument"));
        identities.change(
                call.account(),
                Identity.Kind.ROLE,
                call.require("RoleName"),
                role -> role.withTrustPolicy(trust));
    }

    private void getUser(Call call, QueryXml xml) {
        Optional<Identity> user = identities.userOrCaller(call);
        if (user.isPresent()) {
            entity(xml, user.get());
            return;
        }
        // The account itself has neither path nor name.
        xml.open("User")
                .text("UserId", call.account())
                .text("Arn", "arn:aws:iam::" + call.account() + ":root")
                .text("CreateDate", Identities.date(0))
                .close();
    }

    private void getRole(Call call, QueryXml xml) {
        entity(xml, identities.require(call, Identity.Kind.ROLE));
    }

    private void getGroup(Call call, QueryXml xml) {
        Identity group = identities.require(call, Identity.Kind.GROUP);
        entity(xml, group);
        xml.open("Users");
        members(group).forEach(user -> member(xml, user));
        xml.close().text("IsTruncated", "false");
    }

    private void member(QueryXml xml, Identity identity) {
        xml.open("member");
        identities.write(xml, identity);
        if (identity.kind() == Identity.Kind.ROLE) {
            xml.text("AssumeRolePolicyDocument", encoded(identity.trustPolicy()));
        }
        xml.close();
    }

    private List<Identity> members(Identity group) {
        return control.identities(group.account(), Identity.Kind.USER).stream()
                .filter(user -> user.groups().contains(group.id()))
                .toList();
    }

    private void list(Call call, Identity.Kind kind, QueryXml xml) {
        xml.open(Identities.noun(kind) + "s");
        identities.list(call, kind).forEach(identity -> member(xml, identity));
        xml.close().text("IsTruncated", "false");
    }

    private void delete(Call call, Identity.Kind kind) {
        Identity found = identities.require(call, kind);
        if (!found.policies().isEmpty()) {
            throw QueryException.conflict("Cannot delete entity, must delete policies first.");
        }
        if (!found.managedPolicies().isEmpty()) {
            throw QueryException.conflict("Cannot delete entity, must detach all policies first.");
        }
        if (kind == Identity.Kind.USER && !groupsOf(found).isEmpty()) {
            throw QueryException.conflict(
                    "Cannot delete entity, must remove users from group first.");
        }
        if (kind == Identity.Kind.GROUP && !members(found).isEmpty()) {
            throw QueryException.conflict(
                    "Cannot delete entity, must remove users from group first.");
        }
        identities.drop(found);
    }

    private void addUser(Call call, QueryXml xml) {
        Identity group = identities.require(call, Identity.Kind.GROUP);
        identities.change(
                call.account(),
                Identity.Kind.USER,
                call.require("UserName"),
                user -> {
                    List<String> groups = new ArrayList<>(user.groups());
                    if (!groups.contains(group.id())) {
                        groups.add(group.id());
                    }
                    return user.withGroups(groups);
                });
    }

    private void removeUser(Call call, QueryXml xml) {
        Identity group = identities.require(call, Identity.Kind.GROUP);
        identities.change(
                call.account(),
                Identity.Kind.USER,
                call.require("UserName"),
                user -> {
                    if (!user.groups().contains(group.id())) {
                        throw QueryException.noSuchEntity(
                                "User %s is not in group %s.".formatted(user.name(), group.name()));
                    }
                    return user.withGroups(
                            user.groups().stream().filter(id -> !id.equals(group.id())).toList());
                });
    }

    private void groupsOfUser(Call call, QueryXml xml) {
        Identity user = identities.require(call, Identity.Kind.USER);
        xml.open("Groups");
        groupsOf(user).forEach(group -> member(xml, group));
        xml.close().text("IsTruncated", "false");
    }

    private List<Identity> groupsOf(Identity user) {
        return user.groups().stream()
                .flatMap(id -> control.findIdentity(user.account(), id).stream())
                .toList();
    }

    /** Whether a key is this user's, or the account's own where there is none. */
    static boolean isOf(AccessKey key, Optional<Identity> user) {
        return key.user().equals(user.map(Identity::id));
    }
}
