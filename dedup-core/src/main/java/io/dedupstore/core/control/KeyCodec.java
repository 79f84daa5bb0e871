package io.dedupstore.core.control;

import com.google.protobuf.ByteString;
import io.dedupstore.core.model.DomainId;
import java.util.SortedMap;
import java.util.TreeMap;

/** Commands on keys of encryption, to and from their protobuf form. */
final class KeyCodec {
    private KeyCodec() {}

    static ControlProto.MakeKey encode(ControlCommand.MakeKey c) {
        return ControlProto.MakeKey.newBuilder()
                .setId(c.id())
                .setDescription(c.description())
                .setAccount(c.account())
                .setSealedMaterial(ByteString.copyFrom(c.material().bytes()))
                .setCreatedMillis(c.createdMillis())
                .build();
    }

    static ControlCommand.MakeKey decode(ControlProto.MakeKey from) {
        return new ControlCommand.MakeKey(
                from.getId(),
                from.getDescription(),
                from.getAccount(),
                new SealedSecret(from.getSealedMaterial().toByteArray()),
                from.getCreatedMillis());
    }

    static ControlProto.RotateKey encode(ControlCommand.RotateKey c) {
        ControlProto.RotateKey.Builder to =
                ControlProto.RotateKey.newBuilder()
                        .setId(c.id())
                        .setVersion(c.version())
                        .setSealedMaterial(ByteString.copyFrom(c.material().bytes()))
                        .setRotatedMillis(c.rotatedMillis());
        c.rewrapped()
                .forEach(
                        (domain, wrapped) ->
                                to.addDomainsBuilder().setDomain(domain).setWrappedKey(wrapped));
        return to.build();
    }

    static ControlCommand.RotateKey decode(ControlProto.RotateKey from) {
        SortedMap<Integer, ByteString> rewrapped = new TreeMap<>();
        from.getDomainsList().forEach(one -> rewrapped.put(one.getDomain(), one.getWrappedKey()));
        return new ControlCommand.RotateKey(
                from.getId(),
                from.getVersion(),
                new SealedSecret(from.getSealedMaterial().toByteArray()),
                rewrapped,
                from.getRotatedMillis());
    }

    static ControlProto.MakeCipherDomain encode(ControlCommand.MakeCipherDomain c) {
        return ControlProto.MakeCipherDomain.newBuilder()
                .setParent(c.parent().value())
                .setKey(c.key())
                .setTwice(c.twice())
                .setWrappedKey(c.wrappedKey())
                .setMaterial(c.material())
                .setCreatedMillis(c.createdMillis())
                .build();
    }

    static ControlCommand.MakeCipherDomain decode(ControlProto.MakeCipherDomain from) {
        return new ControlCommand.MakeCipherDomain(
                new DomainId(from.getParent()),
                from.getKey(),
                from.getTwice(),
                from.getWrappedKey(),
                from.getMaterial(),
                from.getCreatedMillis());
    }
}
