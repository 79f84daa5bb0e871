package io.dedupstore.server.s3;

import io.dedupstore.core.chunking.ChunkingSpec;
import io.dedupstore.core.compression.ChunkCodec;
import io.dedupstore.server.s3.access.NewBuckets;
import java.util.List;
import java.util.Locale;

/**
 * How the gateway answers.
 *
 * @param baseDomains under them buckets are found in virtual-host style; empty for path style only
 * @param region what this server calls its region
 * @param accessLog whether a line is logged for each request
 * @param defaultChunking of buckets that name none at creation
 * @param defaultCompression of buckets that name none at creation
 * @param newBuckets whose creation says nothing of access
 */
public record S3Settings(
        List<String> baseDomains,
        String region,
        boolean accessLog,
        ChunkingSpec defaultChunking,
        ChunkCodec defaultCompression,
        NewBuckets newBuckets,
        EncryptionSettings encryption) {
    public S3Settings {
        baseDomains = baseDomains.stream().map(domain -> domain.toLowerCase(Locale.ROOT)).toList();
        if (region.isEmpty() || baseDomains.stream().anyMatch(String::isEmpty)) {
            throw new IllegalArgumentException("region and base domains must not be empty");
        }
    }
}
