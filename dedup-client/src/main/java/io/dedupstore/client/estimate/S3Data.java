package io.dedupstore.client.estimate;

import io.dedupstore.client.s3.S3Object;
import io.dedupstore.client.s3.S3Page;
import io.dedupstore.client.s3.S3Reader;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** The current objects of a bucket, or those whose keys begin with a prefix. */
public final class S3Data implements DataSet {
    private final S3Reader reader;
    private final String bucket;
    private final String prefix;

    /**
     * @param reader closed together with this
     */
    public S3Data(S3Reader reader, String bucket, String prefix) {
        this.reader = reader;
        this.bucket = bucket;
        this.prefix = prefix;
    }

    @Override
    public String describe() {
        return "s3://" + bucket + (prefix.isEmpty() ? "" : "/" + prefix);
    }

    @Override
    public void list(ItemSink sink) throws IOException {
        @Nullable String next = null;
        do {
            S3Page page = reader.list(bucket, prefix, next);
            for (S3Object object : page.objects()) {
                if (!sink.accept(new DataItem(object.key(), object.size(), object))) {
                    return;
                }
            }
            next = page.next();
        } while (next != null);
    }

    @Override
    public InputStream open(DataItem item, long from, long to) {
        return reader.read(bucket, (S3Object) item.handle(), from, to);
    }

    @Override
    public void close() {
        reader.close();
    }
}
