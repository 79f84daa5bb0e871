package io.dedupstore.client.admin;

import org.jspecify.annotations.Nullable;

/** An access key to be made; what is left out is made up. */
public record NewAccessKey(@Nullable String accessKey, @Nullable String secretKey) {
    @Override
    public String toString() {
        return "NewAccessKey[" + accessKey + "]";
    }
}
