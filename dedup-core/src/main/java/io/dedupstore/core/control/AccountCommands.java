package io.dedupstore.core.control;

import com.google.protobuf.ByteString;
import io.dedupstore.core.control.ControlProto.AccessKeyRow;
import io.dedupstore.core.control.ControlProto.AccountRow;
import io.dedupstore.core.control.ControlProto.ClusterRow;
import io.dedupstore.core.control.ControlProto.DomainRow;
import io.dedupstore.core.control.ControlProto.Reply;
import io.dedupstore.core.control.ControlRows.Counter;
import io.dedupstore.core.control.ControlRows.Kind;
import io.dedupstore.core.kv.KvReader;
import io.dedupstore.core.kv.KvTransaction;

/** The cluster itself, accounts with their dedup domains, access keys, settings. */
final class AccountCommands {
    private AccountCommands() {}

    static void apply(KvTransaction rows, ControlCommand.MakeCluster command, Reply.Builder reply) {
        ControlRows.put(
                rows,
                ControlRows.key(Kind.CLUSTER),
                ClusterRow.newBuilder()
                        .setClusterId(command.clusterId())
                        .setMasterKeyId(ByteString.copyFrom(command.masterKeyId()))
                        .setRootAccount(command.rootAccount().id())
                        .setIndexShards(command.layout().indexShards())
                        .setMetadataShards(command.layout().metadataShards())
                        .setCreatedMillis(command.createdMillis())
                        .build());
        apply(rows, command.rootAccount(), reply);
        apply(rows, command.rootKey());
    }

    static void apply(KvTransaction rows, ControlCommand.AddAccount command, Reply.Builder reply) {
        byte[] key = ControlRows.key(Kind.ACCOUNT, command.id());
        if (rows.get(ControlRows.TABLE, key) != null) {
            throw new Refusal(
                    ControlException.Code.ACCOUNT_EXISTS, "account " + command.id() + " exists");
        }
        if (!command.email().isEmpty() && isTaken(rows, command.email())) {
            throw new Refusal(
                    ControlException.Code.REFUSED,
                    "another account has the address " + command.email());
        }
        int domain = Math.toIntExact(ControlRows.increment(rows, Counter.LAST_DOMAIN));
        ControlRows.put(
                rows,
                ControlRows.key(Kind.DOMAIN, domain),
                DomainRow.newBuilder()
                        .setId(domain)
                        .setAccount(command.id())
                        .setSealedKey(ByteString.copyFrom(command.domainKey().bytes()))
                        .build());
        AccountRow account =
                AccountRow.newBuilder()
                        .setId(command.id())
                        .setDisplayName(command.displayName())
                        .setDomain(domain)
                        .setCreatedMillis(command.createdMillis())
                        .setCanonicalId(command.canonicalId())
                        .setEmail(command.email())
                        .build();
        ControlRows.put(rows, key, account);
        reply.setAccount(account);
    }

    private static boolean isTaken(KvReader rows, String email) {
        return ControlRows.list(rows, Kind.ACCOUNT, AccountRow.parser()).stream()
                .anyMatch(row -> row.getEmail().equalsIgnoreCase(email));
    }

    static void apply(KvTransaction rows, ControlCommand.PutKey command) {
        account(rows, command.account());
        if (!command.user().isEmpty()
                && !IdentityCommands.hasUser(rows, command.account(), command.user())) {
            throw new Refusal(
                    ControlException.Code.NO_SUCH_IDENTITY, "there is no user " + command.user());
        }
        byte[] key = ControlRows.key(Kind.ACCESS_KEY, command.accessKey());
        AccessKeyRow before = ControlRows.get(rows, key, AccessKeyRow.parser());
        boolean others =
                before != null
                        && !(before.getAccount().equals(command.account())
                                && before.getUser().equals(command.user()));
        if (others) {
            throw new Refusal(
                    ControlException.Code.ACCESS_KEY_EXISTS,
                    "access key " + command.accessKey() + " belongs to somebody else");
        }
        ControlRows.put(
                rows,
                key,
                AccessKeyRow.newBuilder()
                        .setAccessKey(command.accessKey())
                        .setAccount(command.account())
                        .setSealedSecret(ByteString.copyFrom(command.secret().bytes()))
                        .setCreatedMillis(command.createdMillis())
                        .setUser(command.user())
                        .setInactive(!command.active())
                        .build());
    }

    static void apply(KvTransaction rows, ControlCommand.DeleteKey command) {
        ControlRows.delete(rows, ControlRows.key(Kind.ACCESS_KEY, command.accessKey()));
    }

    static void apply(KvTransaction rows, ControlCommand.PutSetting command) {
        ControlRows.putText(rows, ControlRows.key(Kind.SETTING, command.name()), command.value());
    }

    static AccountRow account(KvReader rows, String id) {
        AccountRow account =
                ControlRows.get(rows, ControlRows.key(Kind.ACCOUNT, id), AccountRow.parser());
        if (account == null) {
            throw new Refusal(ControlException.Code.NO_SUCH_ACCOUNT, "there is no account " + id);
        }
        return account;
    }
}
