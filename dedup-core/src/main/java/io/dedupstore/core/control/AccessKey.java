package io.dedupstore.core.control;

/** An access key and its secret in the clear; never log it. */
public record AccessKey(String accessKey, String secretKey, String account) {
    @Override
    public String toString() {
        return "AccessKey[" + accessKey + " of " + account + "]";
    }
}
