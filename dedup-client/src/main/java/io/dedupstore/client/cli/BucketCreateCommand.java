package io.dedupstore.client.cli;

import io.dedupstore.client.admin.AdminClient;
import io.dedupstore.client.admin.BucketReport;
import io.dedupstore.client.admin.NewBucket;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code dedup admin bucket create}. */
@Command(name = "create", description = "Makes a bucket; chunking is fixed for its life.")
final class BucketCreateCommand extends AdminVerb<BucketReport> {
    @Parameters(paramLabel = "NAME", description = "Name of the bucket.")
    private String name = "";

    @Option(
            names = "--chunking",
            paramLabel = "SPEC",
            description = "cdc, cdc:8k to cdc:64k, or fixed:4k to fixed:1m.")
    private @Nullable String chunking;

    @Option(names = "--compression", paramLabel = "CODEC", description = "off, lz4 or zstd.")
    private @Nullable String compression;

    @Override
    BucketReport ask(AdminClient client) {
        return client.createBucket(new NewBucket(name, chunking, compression));
    }

    @Override
    void print(BucketReport bucket, PrintWriter out) {
        out.println(
                "made %s: chunking %s, compression %s"
                        .formatted(bucket.name(), bucket.chunking(), bucket.compression()));
    }
}
