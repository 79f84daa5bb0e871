package io.dedupstore.server.s3.access;

import io.dedupstore.server.s3.XmlWriter;
import java.util.Arrays;
import java.util.Optional;

/** Who owns what others put into a bucket. */
public enum Ownership {
    /** Who writes an object owns it. */
    OBJECT_WRITER("ObjectWriter"),
    /** The bucket's owner, where the writer gives it full control. */
    BUCKET_OWNER_PREFERRED("BucketOwnerPreferred"),
    /** The bucket's owner, always; there are no access lists. */
    BUCKET_OWNER_ENFORCED("BucketOwnerEnforced");

    private final String text;

    Ownership(String text) {
        this.text = text;
    }

    public String text() {
        return text;
    }

    /** As it is answered and kept. */
    public byte[] document() {
        return XmlWriter.s3("OwnershipControls")
                .open("Rule")
                .text("ObjectOwnership", text)
                .toBytes();
    }

    public static Optional<Ownership> ofText(String text) {
        return Arrays.stream(values()).filter(one -> one.text.equals(text)).findFirst();
    }
}
