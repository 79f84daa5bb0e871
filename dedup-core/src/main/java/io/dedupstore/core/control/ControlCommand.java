package io.dedupstore.core.control;

import com.google.protobuf.ByteString;
import io.dedupstore.core.model.BucketId;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.DomainId;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What can be asked of the control group's state machine. Times, random ids and sealed secrets are
 * decided before the log; ids that count are allocated by the machine.
 */
sealed interface ControlCommand {
    /** Makes the cluster; answered without effect if there is one. */
    record MakeCluster(
            String clusterId,
            byte[] masterKeyId,
            ClusterLayout layout,
            AddAccount rootAccount,
            PutKey rootKey,
            long createdMillis)
            implements ControlCommand {
        public MakeCluster {
            if (!rootKey.account().equals(rootAccount.id())) {
                throw new IllegalArgumentException("the root key must be the root account's");
            }
        }
    }

    /**
     * @param canonicalId empty for the id
     * @param email empty for none
     */
    record AddAccount(
            String id,
            String displayName,
            SealedSecret domainKey,
            long createdMillis,
            String canonicalId,
            String email)
            implements ControlCommand {
        public AddAccount {
            Names.check("account id", id, Names.ACCOUNT_ID);
            Names.checkText("display name", displayName);
            if (!canonicalId.isEmpty()) {
                Names.check("canonical id", canonicalId, Names.CANONICAL_ID);
            }
            if (!email.isEmpty()) {
                Names.check("email address", email, Names.EMAIL);
            }
        }

        AddAccount(String id, String displayName, SealedSecret domainKey, long createdMillis) {
            this(id, displayName, domainKey, createdMillis, "", "");
        }
    }

    /**
     * @param user id of a user; empty for the account itself
     */
    record PutKey(
            String accessKey,
            String account,
            SealedSecret secret,
            long createdMillis,
            String user,
            boolean active)
            implements ControlCommand {
        public PutKey {
            Names.check("access key", accessKey, Names.ACCESS_KEY);
        }

        PutKey(String accessKey, String account, SealedSecret secret, long createdMillis) {
            this(accessKey, account, secret, createdMillis, "", true);
        }
    }

    record DeleteKey(String accessKey) implements ControlCommand {
        public DeleteKey {
            Names.check("access key", accessKey, Names.ACCESS_KEY);
        }
    }

    /** Its revision is the one that was read; 0 where there was none. */
    record PutIdentity(Identity identity) implements ControlCommand {}

    /** As it was read. */
    record DropIdentity(Identity identity) implements ControlCommand {}

    record CreateBucket(
            String name,
            String owner,
            String chunking,
            String compression,
            String region,
            long createdMillis,
            SortedMap<String, ByteString> configurations)
            implements ControlCommand {
        public CreateBucket {
            configurations = Collections.unmodifiableSortedMap(new TreeMap<>(configurations));
            configurations
                    .keySet()
                    .forEach(key -> Names.check("configuration name", key, Names.CONFIGURATION));
            Names.check("bucket name", name, Names.BUCKET);
            Names.checkText("chunking", chunking);
            Names.checkText("compression", compression);
            Names.checkText("region", region);
        }

        CreateBucket(
                String name,
                String owner,
                String chunking,
                String compression,
                String region,
                long createdMillis) {
            this(name, owner, chunking, compression, region, createdMillis, new TreeMap<>());
        }
    }

    /**
     * @param document of a form that its name stands for; empty removes what is set
     */
    record SetBucketConfiguration(
            BucketId bucket, String name, Optional<ByteString> document, long changedMillis)
            implements ControlCommand {
        static final int MAX_BYTES = 1 << 20;

        public SetBucketConfiguration {
            Names.check("configuration name", name, Names.CONFIGURATION);
            if (document.isPresent() && document.get().size() > MAX_BYTES) {
                throw new IllegalArgumentException(
                        "configuration of %d bytes".formatted(document.get().size()));
            }
        }
    }

    record DropBucket(BucketId bucket) implements ControlCommand {}

    /**
     * @param keepsEarlier whether earlier sessions of the node go on
     */
    record OpenSession(String node, long openedMillis, boolean keepsEarlier)
            implements ControlCommand {
        public OpenSession {
            Names.check("node name", node, Names.NODE);
        }
    }

    record EndSession(Session session) implements ControlCommand {}

    record OpenContainer(Session session) implements ControlCommand {}

    record SealContainer(ContainerId container) implements ControlCommand {}

    record DropContainer(ContainerId container) implements ControlCommand {}

    record StartEpochClosing() implements ControlCommand {}

    record RecordEpochStep(int epoch, EpochClosing.Step done) implements ControlCommand {}

    /**
     * Makes a named key.
     *
     * @param account whose it is alone; empty for everybody's
     */
    record MakeKey(
            String id,
            String description,
            String account,
            SealedSecret material,
            long createdMillis)
            implements ControlCommand {
        public MakeKey {
            Names.check("key id", id, Names.KEY);
            Names.checkText("description", description);
        }
    }

    /** Gives a named key new material. */
    record RotateKey(
            String id,
            int version,
            SealedSecret material,
            SortedMap<Integer, ByteString> rewrapped,
            long rotatedMillis)
            implements ControlCommand {
        public RotateKey {
            Names.check("key id", id, Names.KEY);
            rewrapped = Collections.unmodifiableSortedMap(new TreeMap<>(rewrapped));
        }
    }

    record EnableKey(String id, boolean enabled) implements ControlCommand {
        public EnableKey {
            Names.check("key id", id, Names.KEY);
        }
    }

    /**
     * Makes the domain of what is encrypted under a named key, if there is none.
     *
     * @param material version of the key that {@code wrappedKey} is wrapped with; 0 for not told
     */
    record MakeCipherDomain(
            DomainId parent,
            String key,
            boolean twice,
            ByteString wrappedKey,
            int material,
            long createdMillis)
            implements ControlCommand {
        static final int MAX_WRAPPED_BYTES = 4096;

        public MakeCipherDomain {
            Names.check("key id", key, Names.KEY);
            if (wrappedKey.size() > MAX_WRAPPED_BYTES) {
                throw new IllegalArgumentException(
                        "wrapped key of %d bytes".formatted(wrappedKey.size()));
            }
        }
    }

    record PutSetting(String name, String value) implements ControlCommand {
        public PutSetting {
            Names.check("setting name", name, Names.SETTING);
            Names.checkText("setting", value);
        }
    }
}
