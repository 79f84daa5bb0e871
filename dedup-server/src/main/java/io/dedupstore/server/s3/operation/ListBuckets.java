package io.dedupstore.server.s3.operation;

import io.dedupstore.core.control.Bucket;
import io.dedupstore.core.control.ControlService;
import io.dedupstore.server.s3.QueryParameters;
import io.dedupstore.server.s3.S3Dates;
import io.dedupstore.server.s3.S3Exception;
import io.dedupstore.server.s3.S3Request;
import io.dedupstore.server.s3.XmlWriter;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** The buckets of the caller's account, by pages where it asks for them. */
final class ListBuckets {
    private static final int MAX_BUCKETS = 10_000;

    private final ControlService control;
    private final Regions regions;
    private final Owners owners;

    ListBuckets(S3Services services) {
        this.control = services.control();
        this.regions = new Regions(services.settings().region());
        this.owners = new Owners(services.control());
    }

    void handle(S3Request request) throws IOException {
        QueryParameters query = request.query();
        String account = request.accountId();
        String prefix = query.first("prefix").orElse("");
        Optional<String> region = query.nonEmpty("bucket-region");
        Optional<String> after =
                query.nonEmpty("continuation-token")
                        .map(ContinuationToken::parse)
                        .map(ContinuationToken::after);
        int limit = query.nonEmpty("max-buckets").map(ListBuckets::limit).orElse(MAX_BUCKETS);
        List<Bucket> matching =
                control.listBuckets(account).stream()
                        .filter(bucket -> bucket.name().startsWith(prefix))
                        .filter(
                                bucket ->
                                        region.filter(r -> !r.equals(regions.of(bucket))).isEmpty())
                        .filter(
                                bucket ->
                                        after.filter(a -> bucket.name().compareTo(a) <= 0)
                                                .isEmpty())
                        .toList();
        List<Bucket> page = matching.subList(0, Math.min(limit, matching.size()));
        XmlWriter xml = XmlWriter.s3("ListAllMyBucketsResult");
        owners.write(xml, "Owner", account);
        xml.open("Buckets");
        for (Bucket bucket : page) {
            xml.open("Bucket")
                    .text("Name", bucket.name())
                    .text("CreationDate", S3Dates.iso(bucket.createdMillis()))
                    .text("BucketRegion", regions.of(bucket))
                    .close();
        }
        xml.close();
        if (query.has("prefix")) {
            xml.text("Prefix", prefix);
        }
        if (page.size() < matching.size()) {
            xml.text("ContinuationToken", new ContinuationToken(page.getLast().name()).format());
        }
        request.respond(xml);
    }

    private static int limit(String text) {
        int limit = 0;
        try {
            limit = Integer.parseInt(text);
        } catch (NumberFormatException e) {
            // refused below, as 0 is
        }
        if (limit < 1 || limit > MAX_BUCKETS) {
            throw S3Exception.invalidArgument(
                    "Argument max-buckets must be an integer between 1 and 10000",
                    "max-buckets",
                    text);
        }
        return limit;
    }
}
