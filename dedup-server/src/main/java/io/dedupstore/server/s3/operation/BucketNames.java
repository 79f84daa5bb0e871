package io.dedupstore.server.s3.operation;

import io.dedupstore.server.s3.S3Error;
import io.dedupstore.server.s3.S3Exception;
import java.util.List;
import java.util.regex.Pattern;

/** Which names a bucket may have; no ordinary name is reserved. */
public final class BucketNames {
    private static final Pattern SHAPE = Pattern.compile("[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]");
    private static final Pattern IPV4 = Pattern.compile("[0-9]+\\.[0-9]+\\.[0-9]+\\.[0-9]+");
    private static final List<String> REFUSED_PARTS = List.of("..", ".-", "-.");
    private static final List<String> REFUSED_PREFIXES =
            List.of("xn--", "sthree-", "amzn-s3-demo-");
    private static final List<String> REFUSED_SUFFIXES =
            List.of("-s3alias", "--ol-s3", ".mrap", "--x-s3", "--table-s3");

    private BucketNames() {}

    /**
     * @throws S3Exception InvalidBucketName
     */
    public static void check(String name) {
        boolean valid =
                SHAPE.matcher(name).matches()
                        && !IPV4.matcher(name).matches()
                        && REFUSED_PARTS.stream().noneMatch(name::contains)
                        && REFUSED_PREFIXES.stream().noneMatch(name::startsWith)
                        && REFUSED_SUFFIXES.stream().noneMatch(name::endsWith);
        if (!valid) {
            throw new S3Exception(S3Error.INVALID_BUCKET_NAME).with("BucketName", name);
        }
    }
}
