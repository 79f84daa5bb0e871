package io.dedupstore.server.s3.operation;

import io.dedupstore.core.control.ControlService;
import io.dedupstore.core.fingerprint.HashEngine;
import io.dedupstore.core.metadata.MetadataService;
import io.dedupstore.core.model.V;
import io.dedupstore.core.object.ObjectReader;
import io.dedupstore.core.object.ObjectWriter;
import io.dedupstore.server.keys.EncryptionKeys;
import io.dedupstore.server.s3.S3Settings;
import io.dedupstore.server.s3.access.AccessCheck;
import java.time.InstantSource;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * What operations work with.
 *
 * @param attempts a new V at each call
 * @param random cryptographically secure
 */
public record S3Services(
        MetadataService metadata,
        ControlService control,
        AccessCheck access,
        ObjectWriter writer,
        ObjectReader reader,
        Supplier<V> attempts,
        HashEngine hashEngine,
        EncryptionKeys keys,
        RandomGenerator random,
        S3Settings settings,
        InstantSource clock) {}
