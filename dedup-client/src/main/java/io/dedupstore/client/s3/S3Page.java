package io.dedupstore.client.s3;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A piece of a listing, ascending by key.
 *
 * @param next what to ask for the following page with; null after the last one
 */
public record S3Page(List<S3Object> objects, @Nullable String next) {
    public S3Page {
        objects = List.copyOf(objects);
    }
}
