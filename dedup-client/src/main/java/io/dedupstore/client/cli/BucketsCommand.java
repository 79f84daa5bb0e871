package io.dedupstore.client.cli;

import io.dedupstore.client.admin.AdminClient;
import io.dedupstore.client.admin.BucketList;
import java.io.PrintWriter;
import picocli.CommandLine.Command;

/** {@code dedup admin buckets}. */
@Command(name = "buckets", description = "All buckets with their settings.")
final class BucketsCommand extends AdminVerb<BucketList> {
    @Override
    BucketList ask(AdminClient client) {
        return client.buckets();
    }

    @Override
    void print(BucketList list, PrintWriter out) {
        TextTable table =
                new TextTable("BUCKET", "CHUNKING", "COMPRESSION", "OBJECTS", "LOGICAL", "CREATED");
        list.buckets()
                .forEach(
                        bucket ->
                                table.row(
                                        bucket.name(),
                                        bucket.chunking(),
                                        bucket.compression(),
                                        HumanUnits.count(bucket.usage().objects()),
                                        HumanUnits.bytes(bucket.usage().logicalBytes()),
                                        bucket.createdAt()));
        table.print(out);
    }
}
