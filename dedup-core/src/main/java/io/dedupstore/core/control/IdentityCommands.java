package io.dedupstore.core.control;

import io.dedupstore.core.control.ControlProto.AccessKeyRow;
import io.dedupstore.core.control.ControlProto.IdentityRow;
import io.dedupstore.core.control.ControlProto.NamedDocument;
import io.dedupstore.core.control.ControlRows.Kind;
import io.dedupstore.core.kv.KvReader;
import io.dedupstore.core.kv.KvTransaction;
import io.dedupstore.core.model.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Users, groups and roles. A change is made to what was read: it names the revision it saw, and is
 * refused when there is another one by now.
 */
final class IdentityCommands {
    private IdentityCommands() {}

    static void apply(KvTransaction rows, ControlCommand.PutIdentity command) {
        Identity wanted = command.identity();
        AccountCommands.account(rows, wanted.account());
        byte[] key = key(wanted.account(), wanted.kind(), wanted.nameKey());
        IdentityRow before = ControlRows.get(rows, key, IdentityRow.parser());
        requireRevision(before, wanted.revision(), wanted.name());
        if (before != null && !before.getId().equals(wanted.id())) {
            throw new Refusal(
                    ControlException.Code.REFUSED, wanted.name() + " keeps the id it was given");
        }
        ControlRows.put(
                rows, key, toRow(wanted).toBuilder().setRevision(wanted.revision() + 1).build());
    }

    static void apply(KvTransaction rows, ControlCommand.DropIdentity command) {
        Identity dropped = command.identity();
        byte[] key = key(dropped.account(), dropped.kind(), dropped.nameKey());
        IdentityRow before = ControlRows.get(rows, key, IdentityRow.parser());
        requireRevision(before, dropped.revision(), dropped.name());
        boolean hasKeys =
                ControlRows.list(rows, Kind.ACCESS_KEY, AccessKeyRow.parser()).stream()
                        .anyMatch(
                                row ->
                                        row.getAccount().equals(dropped.account())
                                                && row.getUser().equals(dropped.id()));
        if (hasKeys) {
            throw new Refusal(ControlException.Code.REFUSED, dropped.name() + " has access keys");
        }
        ControlRows.delete(rows, key);
    }

    /** Whether an account has a user of that id. */
    static boolean hasUser(KvReader rows, String account, String id) {
        return ControlRows.list(rows, Kind.IDENTITY, IdentityRow.parser()).stream()
                .anyMatch(
                        row ->
                                row.getKind() == Identity.Kind.USER.code()
                                        && row.getAccount().equals(account)
                                        && row.getId().equals(id));
    }

    private static void requireRevision(@Nullable IdentityRow before, long revision, String name) {
        if (before == null && revision > 0) {
            throw new Refusal(
                    ControlException.Code.NO_SUCH_IDENTITY, "there is no " + name + " any more");
        }
        if (before != null && revision == 0) {
            throw new Refusal(ControlException.Code.IDENTITY_EXISTS, "there is a " + name);
        }
        if (before != null && before.getRevision() != revision) {
            throw new Refusal(
                    ControlException.Code.IDENTITY_CHANGED,
                    name + " has been changed by somebody else");
        }
    }

    static byte[] key(String account, Identity.Kind kind, String nameKey) {
        return Bytes.concat(
                ControlRows.key(Kind.IDENTITY, account),
                new byte[] {(byte) kind.code()},
                nameKey.getBytes(StandardCharsets.UTF_8));
    }

    static IdentityRow toRow(Identity identity) {
        IdentityRow.Builder row =
                IdentityRow.newBuilder()
                        .setAccount(identity.account())
                        .setKind(identity.kind().code())
                        .setName(identity.name())
                        .setId(identity.id())
                        .setPath(identity.path())
                        .setDescription(identity.description())
                        .setCreatedMillis(identity.createdMillis())
                        .setRevision(identity.revision())
                        .addAllManagedPolicies(identity.managedPolicies())
                        .addAllGroups(identity.groups())
                        .setTrustPolicy(identity.trustPolicy())
                        .setMaxSessionSeconds(identity.maxSessionSeconds());
        identity.policies()
                .forEach(
                        (name, document) ->
                                row.addPolicies(
                                        NamedDocument.newBuilder()
                                                .setName(name)
                                                .setDocument(document)));
        return row.build();
    }

    static Identity ofRow(IdentityRow row) {
        SortedMap<String, String> policies = new TreeMap<>();
        row.getPoliciesList().forEach(named -> policies.put(named.getName(), named.getDocument()));
        return new Identity(
                row.getAccount(),
                Identity.Kind.ofCode(row.getKind()),
                row.getName(),
                row.getId(),
                row.getPath(),
                row.getDescription(),
                row.getCreatedMillis(),
                row.getRevision(),
                policies,
                List.copyOf(row.getManagedPoliciesList()),
                List.copyOf(row.getGroupsList()),
                row.getTrustPolicy(),
                row.getMaxSessionSeconds());
    }
}
