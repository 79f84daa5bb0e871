package io.dedupstore.core.metadata;

import io.dedupstore.core.metadata.MetadataCommand.VersionPlace;
import io.dedupstore.core.metadata.MetadataProto.Attributes;
import io.dedupstore.core.metadata.MetadataProto.ObjectRow;
import io.dedupstore.core.metadata.MetadataProto.Refusal;
import io.dedupstore.core.metadata.MetadataProto.Reply;
import io.dedupstore.core.metadata.VersionRows.Found;
import java.util.function.Consumer;

/** Commands that change what is said about a version, and leave its bytes and its place alone. */
final class VersionChanges {
    private final ShardEntry entry;
    private final Versions versions;
    private final VersionRows rows;

    VersionChanges(ShardEntry entry) {
        this.entry = entry;
        this.versions = new Versions(entry);
        this.rows = new VersionRows(entry.rows());
    }

    Reply tag(MetadataCommand.TagObject command) {
        return change(
                command.place(),
                find(command.place()),
                to -> to.clearTags().addAllTags(Wire.fields(command.tags())));
    }

    Reply setRetention(MetadataCommand.SetRetention command) {
        Found found = find(command.place());
        ObjectLock lock = Wire.lock(found.row().getVersion().getAttributes());
        if (lock.forbidsChange(
                command.retention(), entry.nowMillis(), command.bypassGovernance())) {
            throw new Refused(Refusal.LOCKED, "the retention may not be changed: " + lock);
        }
        ObjectLock now = lock.withRetention(command.retention());
        return change(command.place(), found, to -> Wire.lock(now, to));
    }

    Reply setLegalHold(MetadataCommand.SetLegalHold command) {
        Found found = find(command.place());
        ObjectLock lock = Wire.lock(found.row().getVersion().getAttributes());
        ObjectLock now = lock.withLegalHold(command.on());
        return change(command.place(), found, to -> Wire.lock(now, to));
    }

    Reply setAcl(MetadataCommand.AclObject command) {
        return change(
                command.place(),
                find(command.place()),
                to -> to.setAcl(Wire.accessList(command.list())));
    }

    private Found find(VersionPlace place) {
        new ObjectOperations(entry).requireOpen(place.bucket());
        Found found = rows.find(place.bucket(), place.key(), place.id());
        if (found == null) {
            throw place.id().isPresent()
                    ? new Refused(
                            Refusal.NO_SUCH_VERSION, "there is no such version of " + place.key())
                    : new Refused(Refusal.NO_SUCH_KEY, "there is no object " + place.key());
        }
        if (found.isDeleteMarker()) {
            throw new Refused(
                    place.id().isPresent() ? Refusal.IS_DELETE_MARKER : Refusal.NO_SUCH_KEY,
                    "a delete marker of " + place.key());
        }
        return found;
    }

    private Reply change(VersionPlace place, Found found, Consumer<Attributes.Builder> change) {
        ObjectRow.Builder now = found.row().toBuilder();
        change.accept(now.getVersionBuilder().getAttributesBuilder());
        versions.replace(place.bucket(), place.key(), found, now.build());
        return Replies.about(Wire.id(found.row().getVersion()));
    }
}
