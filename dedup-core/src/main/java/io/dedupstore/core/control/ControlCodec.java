package io.dedupstore.core.control;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.dedupstore.core.model.BucketId;
import io.dedupstore.core.model.ContainerId;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Commands as bytes: the log of the control group. */
final class ControlCodec {
    static final int FORMAT = 1;

    private ControlCodec() {}

    static byte[] encode(ControlCommand command) {
        ControlProto.Command.Builder to = ControlProto.Command.newBuilder().setFormat(FORMAT);
        switch (command) {
            case ControlCommand.MakeCluster c -> to.setBootstrap(encode(c));
            case ControlCommand.AddAccount c -> to.setCreateAccount(encode(c));
            case ControlCommand.PutKey c -> to.setPutAccessKey(encode(c));
            case ControlCommand.DeleteKey c ->
                    to.getDeleteAccessKeyBuilder().setAccessKey(c.accessKey());
            case ControlCommand.CreateBucket c -> to.setCreateBucket(encode(c));
            case ControlCommand.DropBucket c -> to.getDropBucketBuilder().setId(c.bucket().value());
            case ControlCommand.OpenSession c ->
                    to.getOpenSessionBuilder()
                            .setNode(c.node())
                            .setOpenedMillis(c.openedMillis())
                            .setKeepsEarlier(c.keepsEarlier());
            case ControlCommand.EndSession c ->
                    to.getEndSessionBuilder()
                            .setEpoch(c.session().epoch())
                            .setSession(c.session().session());
            case ControlCommand.OpenContainer c ->
                    to.getOpenContainerBuilder()
                            .setEpoch(c.session().epoch())
                            .setSession(c.session().session());
            case ControlCommand.SealContainer c ->
                    to.getSealContainerBuilder().setId(c.container().value());
            case ControlCommand.DropContainer c ->
                    to.getDropContainerBuilder().setId(c.container().value());
            case ControlCommand.StartEpochClosing() ->
                    to.setStartEpochClosing(ControlProto.StartEpochClosing.getDefaultInstance());
            case ControlCommand.RecordEpochStep c ->
                    to.getRecordEpochStepBuilder().setEpoch(c.epoch()).setStep(c.done().code());
            case ControlCommand.PutSetting c ->
                    to.getPutSettingBuilder().setName(c.name()).setValue(c.value());
            case ControlCommand.SetBucketConfiguration c -> to.setSetBucketConfiguration(encode(c));
            case ControlCommand.MakeKey c -> to.setMakeKey(KeyCodec.encode(c));
            case ControlCommand.RotateKey c -> to.setRotateKey(KeyCodec.encode(c));
            case ControlCommand.EnableKey c ->
                    to.getEnableKeyBuilder().setId(c.id()).setEnabled(c.enabled());
            case ControlCommand.MakeCipherDomain c -> to.setMakeCipherDomain(KeyCodec.encode(c));
            case ControlCommand.PutIdentity(Identity identity) ->
                    to.getPutIdentityBuilder().setIdentity(IdentityCommands.toRow(identity));
            case ControlCommand.DropIdentity(Identity identity) ->
                    to.getDropIdentityBuilder().setIdentity(IdentityCommands.toRow(identity));
        }
        return to.build().toByteArray();
    }

    /**
     * @throws IllegalStateException damaged, or written by a later release
     */
    static ControlCommand decode(byte[] bytes) {
        try {
            ControlProto.Command from = ControlProto.Command.parseFrom(bytes);
            if (from.getFormat() != FORMAT) {
                throw new IllegalStateException(
                        "control command of format %d, this release reads %d"
                                .formatted(from.getFormat(), FORMAT));
            }
            return decode(from);
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException("damaged control command", e);
        }
    }

    private static ControlCommand decode(ControlProto.Command from) {
        return switch (from.getOperationCase()) {
            case BOOTSTRAP -> decode(from.getBootstrap());
            case CREATE_ACCOUNT -> decode(from.getCreateAccount());
            case PUT_ACCESS_KEY -> decode(from.getPutAccessKey());
            case DELETE_ACCESS_KEY ->
                    new ControlCommand.DeleteKey(from.getDeleteAccessKey().getAccessKey());
            case CREATE_BUCKET -> decode(from.getCreateBucket());
            case DROP_BUCKET ->
                    new ControlCommand.DropBucket(new BucketId(from.getDropBucket().getId()));
            case OPEN_SESSION ->
                    new ControlCommand.OpenSession(
                            from.getOpenSession().getNode(),
                            from.getOpenSession().getOpenedMillis(),
                            from.getOpenSession().getKeepsEarlier());
            case END_SESSION ->
                    new ControlCommand.EndSession(
                            new Session(
                                    from.getEndSession().getEpoch(),
                                    from.getEndSession().getSession()));
            case OPEN_CONTAINER ->
                    new ControlCommand.OpenContainer(
                            new Session(
                                    from.getOpenContainer().getEpoch(),
                                    from.getOpenContainer().getSession()));
            case SEAL_CONTAINER ->
                    new ControlCommand.SealContainer(
                            new ContainerId(from.getSealContainer().getId()));
            case DROP_CONTAINER ->
                    new ControlCommand.DropContainer(
                            new ContainerId(from.getDropContainer().getId()));
            case START_EPOCH_CLOSING -> new ControlCommand.StartEpochClosing();
            case RECORD_EPOCH_STEP ->
                    new ControlCommand.RecordEpochStep(
                            from.getRecordEpochStep().getEpoch(),
                            EpochClosing.Step.ofCode(from.getRecordEpochStep().getStep()));
            case PUT_SETTING ->
                    new ControlCommand.PutSetting(
                            from.getPutSetting().getName(), from.getPutSetting().getValue());
            case SET_BUCKET_CONFIGURATION -> decode(from.getSetBucketConfiguration());
            case MAKE_KEY -> KeyCodec.decode(from.getMakeKey());
            case ROTATE_KEY -> KeyCodec.decode(from.getRotateKey());
            case ENABLE_KEY ->
                    new ControlCommand.EnableKey(
                            from.getEnableKey().getId(), from.getEnableKey().getEnabled());
            case MAKE_CIPHER_DOMAIN -> KeyCodec.decode(from.getMakeCipherDomain());
            case PUT_IDENTITY ->
                    new ControlCommand.PutIdentity(
                            IdentityCommands.ofRow(from.getPutIdentity().getIdentity()));
            case DROP_IDENTITY ->
                    new ControlCommand.DropIdentity(
                            IdentityCommands.ofRow(from.getDropIdentity().getIdentity()));
            case OPERATION_NOT_SET ->
                    throw new IllegalStateException("control command of an unknown kind");
        };
    }

    private static ControlProto.Bootstrap encode(ControlCommand.MakeCluster c) {
        return ControlProto.Bootstrap.newBuilder()
                .setClusterId(c.clusterId())
                .setMasterKeyId(ByteString.copyFrom(c.masterKeyId()))
                .setIndexShards(c.layout().indexShards())
                .setMetadataShards(c.layout().metadataShards())
                .setRootAccount(encode(c.rootAccount()))
                .setRootKey(encode(c.rootKey()))
                .setCreatedMillis(c.createdMillis())
                .build();
    }

    private static ControlCommand.MakeCluster decode(ControlProto.Bootstrap from) {
        return new ControlCommand.MakeCluster(
                from.getClusterId(),
                from.getMasterKeyId().toByteArray(),
                new ClusterLayout(from.getIndexShards(), from.getMetadataShards()),
                decode(from.getRootAccount()),
                decode(from.getRootKey()),
                from.getCreatedMillis());
    }

    private static ControlProto.CreateAccount encode(ControlCommand.AddAccount c) {
        return ControlProto.CreateAccount.newBuilder()
                .setId(c.id())
                .setDisplayName(c.displayName())
                .setSealedDomainKey(ByteString.copyFrom(c.domainKey().bytes()))
                .setCreatedMillis(c.createdMillis())
                .setCanonicalId(c.canonicalId())
                .setEmail(c.email())
                .build();
    }

    private static ControlCommand.AddAccount decode(ControlProto.CreateAccount from) {
        return new ControlCommand.AddAccount(
                from.getId(),
                from.getDisplayName(),
                new SealedSecret(from.getSealedDomainKey().toByteArray()),
                from.getCreatedMillis(),
                from.getCanonicalId(),
                from.getEmail());
    }

    private static ControlProto.PutAccessKey encode(ControlCommand.PutKey c) {
        return ControlProto.PutAccessKey.newBuilder()
                .setAccessKey(c.accessKey())
                .setAccount(c.account())
                .setSealedSecret(ByteString.copyFrom(c.secret().bytes()))
                .setCreatedMillis(c.createdMillis())
                .setUser(c.user())
                .setInactive(!c.active())
                .build();
    }

    private static ControlCommand.PutKey decode(ControlProto.PutAccessKey from) {
        return new ControlCommand.PutKey(
                from.getAccessKey(),
                from.getAccount(),
                new SealedSecret(from.getSealedSecret().toByteArray()),
                from.getCreatedMillis(),
                from.getUser(),
                !from.getInactive());
    }

    private static ControlProto.CreateBucket encode(ControlCommand.CreateBucket c) {
        ControlProto.CreateBucket.Builder to =
                ControlProto.CreateBucket.newBuilder()
                        .setName(c.name())
                        .setOwner(c.owner())
                        .setChunking(c.chunking())
                        .setCompression(c.compression())
                        .setRegion(c.region())
                        .setCreatedMillis(c.createdMillis());
        c.configurations()
                .forEach(
                        (name, document) ->
                                to.addConfigurationsBuilder().setName(name).setDocument(document));
        return to.build();
    }

    private static ControlCommand.CreateBucket decode(ControlProto.CreateBucket from) {
        return new ControlCommand.CreateBucket(
                from.getName(),
                from.getOwner(),
                from.getChunking(),
                from.getCompression(),
                from.getRegion(),
                from.getCreatedMillis(),
                from.getConfigurationsList().stream()
                        .collect(
                                Collectors.toMap(
                                        ControlProto.BucketConfigurationRow::getName,
                                        ControlProto.BucketConfigurationRow::getDocument,
                                        (first, second) -> second,
                                        TreeMap::new)));
    }

    private static ControlProto.SetBucketConfiguration encode(
            ControlCommand.SetBucketConfiguration c) {
        ControlProto.SetBucketConfiguration.Builder to =
                ControlProto.SetBucketConfiguration.newBuilder()
                        .setBucket(c.bucket().value())
                        .setName(c.name())
                        .setChangedMillis(c.changedMillis());
        c.document().ifPresent(to::setDocument);
        return to.build();
    }

    private static ControlCommand.SetBucketConfiguration decode(
            ControlProto.SetBucketConfiguration from) {
        return new ControlCommand.SetBucketConfiguration(
                new BucketId(from.getBucket()),
                from.getName(),
                from.hasDocument() ? Optional.of(from.getDocument()) : Optional.empty(),
                from.getChangedMillis());
    }
}
