package io.dedupstore.core.control;

import com.google.protobuf.ByteString;
import io.dedupstore.core.control.ControlProto.CipherDomainRow;
import io.dedupstore.core.control.ControlProto.DomainRow;
import io.dedupstore.core.control.ControlProto.KeyRow;
import io.dedupstore.core.control.ControlProto.Reply;
import io.dedupstore.core.control.ControlRows.Counter;
import io.dedupstore.core.control.ControlRows.Kind;
import io.dedupstore.core.kv.KvReader;
import io.dedupstore.core.kv.KvTransaction;
import io.dedupstore.core.model.DomainId;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Named keys, and the dedup domains of what is encrypted under them. */
final class KeyCommands {
    static final int FIRST_KEY_VERSION = 1;

    /** Domains of one key: rotation writes them in one entry. */
    static final int MAX_DOMAINS_OF_KEY = 4096;

    private KeyCommands() {}

    static void apply(KvTransaction rows, ControlCommand.MakeKey command, Reply.Builder reply) {
        byte[] key = ControlRows.key(Kind.KEY, command.id());
        if (rows.get(ControlRows.TABLE, key) != null) {
            throw new Refusal(
                    ControlException.Code.KEY_EXISTS,
                    "there is a key " + command.id() + " already");
        }
        KeyRow row =
                KeyRow.newBuilder()
                        .setId(command.id())
                        .setDescription(command.description())
                        .setAccount(command.account())
                        .setVersion(FIRST_KEY_VERSION)
                        .setSealedMaterial(ByteString.copyFrom(command.material().bytes()))
                        .setCreatedMillis(command.createdMillis())
                        .build();
        ControlRows.put(rows, key, row);
        reply.setKey(row);
    }

    static void apply(KvTransaction rows, ControlCommand.RotateKey command, Reply.Builder reply) {
        KeyRow before = key(rows, command.id());
        List<CipherDomainRow> domains = domainsOf(rows, command.id());
        SortedMap<Integer, ByteString> rewrapped = new TreeMap<>(command.rewrapped());
        boolean sameDomains =
                rewrapped.size() == domains.size()
                        && domains.stream().allMatch(row -> rewrapped.containsKey(row.getId()));
        if (before.getVersion() + 1 != command.version() || !sameDomains) {
            throw new Refusal(
                    ControlException.Code.KEY_CHANGED,
                    "key " + command.id() + " has changed meanwhile; try again");
        }
        for (CipherDomainRow domain : domains) {
            ControlRows.put(
                    rows,
                    domainKey(domain.getParent(), domain.getKey(), domain.getTwice()),
                    domain.toBuilder().setWrappedKey(rewrapped.get(domain.getId())).build());
        }
        KeyRow after =
                before.toBuilder()
                        .setVersion(command.version())
                        .setSealedMaterial(ByteString.copyFrom(command.material().bytes()))
                        .setRotatedMillis(command.rotatedMillis())
                        .build();
        ControlRows.put(rows, ControlRows.key(Kind.KEY, command.id()), after);
        reply.setKey(after);
    }

    static void apply(KvTransaction rows, ControlCommand.EnableKey command, Reply.Builder reply) {
        KeyRow after = key(rows, command.id()).toBuilder().setDisabled(!command.enabled()).build();
        ControlRows.put(rows, ControlRows.key(Kind.KEY, command.id()), after);
        reply.setKey(after);
    }

    static void apply(
            KvTransaction rows, ControlCommand.MakeCipherDomain command, Reply.Builder reply) {
        byte[] key = domainKey(command.parent().value(), command.key(), command.twice());
        CipherDomainRow before = ControlRows.get(rows, key, CipherDomainRow.parser());
        if (before != null) {
            reply.setCipherDomain(before);
            return;
        }
        requireDomain(rows, command.parent());
        if (command.material() != 0
                && key(rows, command.key()).getVersion() != command.material()) {
            throw new Refusal(
                    ControlException.Code.KEY_CHANGED,
                    "key " + command.key() + " has changed meanwhile; try again");
        }
        if (domainsOf(rows, command.key()).size() >= MAX_DOMAINS_OF_KEY) {
            throw new Refusal(
                    ControlException.Code.REFUSED,
                    "key %s serves %d domains already; take another"
                            .formatted(command.key(), MAX_DOMAINS_OF_KEY));
        }
        CipherDomainRow row =
                CipherDomainRow.newBuilder()
                        .setId(Math.toIntExact(ControlRows.increment(rows, Counter.LAST_DOMAIN)))
                        .setParent(command.parent().value())
                        .setKey(command.key())
                        .setTwice(command.twice())
                        .setWrappedKey(command.wrappedKey())
                        .setKeyVersion(FIRST_KEY_VERSION)
                        .setCreatedMillis(command.createdMillis())
                        .build();
        ControlRows.put(rows, key, row);
        reply.setCipherDomain(row);
    }

    private static byte[] domainKey(int parent, String key, boolean twice) {
        return ControlRows.key(Kind.CIPHER_DOMAIN, parent, (twice ? "2/" : "1/") + key);
    }

    private static KeyRow key(KvReader rows, String id) {
        @Nullable KeyRow row =
                ControlRows.get(rows, ControlRows.key(Kind.KEY, id), KeyRow.parser());
        if (row == null) {
            throw new Refusal(ControlException.Code.NO_SUCH_KEY, "there is no key " + id);
        }
        return row;
    }

    private static List<CipherDomainRow> domainsOf(KvReader rows, String key) {
        List<CipherDomainRow> found = new ArrayList<>();
        for (CipherDomainRow row :
                ControlRows.list(rows, Kind.CIPHER_DOMAIN, CipherDomainRow.parser())) {
            if (row.getKey().equals(key)) {
                found.add(row);
            }
        }
        return found;
    }

    private static void requireDomain(KvReader rows, DomainId domain) {
        byte[] key = ControlRows.key(Kind.DOMAIN, domain.value());
        if (ControlRows.get(rows, key, DomainRow.parser()) == null) {
            throw new Refusal(ControlException.Code.REFUSED, "there is no " + domain);
        }
    }
}
