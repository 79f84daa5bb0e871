package io.dedupstore.server.s3.access;

import io.dedupstore.server.s3.S3Error;
import io.dedupstore.server.s3.S3Exception;
import io.dedupstore.server.s3.XmlElement;
import io.dedupstore.server.s3.XmlReader;
import io.dedupstore.server.s3.XmlWriter;

/**
 * What a bucket refuses though it would be allowed.
 *
 * @param blockAcls to set public access lists
 * @param ignoreAcls what public access lists grant
 * @param blockPolicy to set a public policy
 * @param restrict what a public policy allows to others than the owner's account
 */
public record PublicAccessBlock(
        boolean blockAcls, boolean ignoreAcls, boolean blockPolicy, boolean restrict) {
    public static final PublicAccessBlock NONE = new PublicAccessBlock(false, false, false, false);
    public static final PublicAccessBlock ALL = new PublicAccessBlock(true, true, true, true);

    private static final String ROOT = "PublicAccessBlockConfiguration";

    /**
     * @throws S3Exception MalformedXML
     */
    public static PublicAccessBlock parse(byte[] document) {
        XmlElement root = XmlReader.parse(document, ROOT);
        return new PublicAccessBlock(
                flag(root, "BlockPublicAcls"),
                flag(root, "IgnorePublicAcls"),
                flag(root, "BlockPublicPolicy"),
                flag(root, "RestrictPublicBuckets"));
    }

    private static boolean flag(XmlElement root, String name) {
        return switch (root.childText(name).map(String::strip).orElse("false")) {
            case "true", "TRUE", "1" -> true;
            case "false", "FALSE", "0" -> false;
            default -> throw new S3Exception(S3Error.MALFORMED_XML);
        };
    }

    /** As it is answered and kept. */
    public byte[] document() {
        return XmlWriter.s3(ROOT)
                .text("BlockPublicAcls", blockAcls)
                .text("IgnorePublicAcls", ignoreAcls)
                .text("BlockPublicPolicy", blockPolicy)
                .text("RestrictPublicBuckets", restrict)
                .toBytes();
    }
}
