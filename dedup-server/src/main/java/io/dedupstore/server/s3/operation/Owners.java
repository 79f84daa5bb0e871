package io.dedupstore.server.s3.operation;

import io.dedupstore.core.control.Bucket;
import io.dedupstore.core.control.ControlService;
import io.dedupstore.core.metadata.ObjectAttributes;
import io.dedupstore.server.s3.XmlWriter;
import io.dedupstore.server.s3.access.Directory;

/** Accounts in documents. */
final class Owners {
    private final Directory directory;

    Owners(ControlService control) {
        this.directory = new Directory(control);
    }

    void write(XmlWriter xml, String element, String accountId) {
        xml.open(element);
        content(xml, accountId);
        xml.close();
    }

    /** Who owns an object or upload. */
    void write(XmlWriter xml, String element, Bucket bucket, ObjectAttributes attributes) {
        write(xml, element, attributes.access().owner().orElse(bucket.owner()));
    }

    /** Id and name into the element that is open. */
    private void content(XmlWriter xml, String accountId) {
        String id = directory.canonicalId(accountId);
        xml.text("ID", id);
        directory.displayName(id).ifPresent(name -> xml.text("DisplayName", name));
    }
}
