package io.dedupstore.core.object;

import io.dedupstore.core.chunking.GearTable;
import io.dedupstore.core.fingerprint.Fingerprinter;
import io.dedupstore.core.fingerprint.HashEngine;
import io.dedupstore.core.fingerprint.HmacKey;
import io.dedupstore.core.model.DomainId;
import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** What derives from a dedup domain's key, made once for each domain. Any number of threads. */
public final class DomainKeys {
    private final HashEngine engine;
    private final Function<DomainId, byte[]> keys;
    private final ConcurrentHashMap<DomainId, Derived> derived = new ConcurrentHashMap<>();

    record Derived(Fingerprinter fingerprinter, GearTable gear) {}

    /**
     * @param keys gives a fresh copy of a domain's 32-byte key
     */
    public DomainKeys(HashEngine engine, Function<DomainId, byte[]> keys) {
        this.engine = engine;
        this.keys = keys;
    }

    Derived of(DomainId domain) {
        return derived.computeIfAbsent(domain, this::derive);
    }

    private Derived derive(DomainId domain) {
        byte[] key = keys.apply(domain);
        try {
            return new Derived(new Fingerprinter(engine, HmacKey.of(key)), GearTable.derive(key));
        } finally {
            Arrays.fill(key, (byte) 0);
        }
    }
}
