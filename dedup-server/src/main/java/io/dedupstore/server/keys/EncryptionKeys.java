package io.dedupstore.server.keys;

import io.dedupstore.core.cipher.ChunkCipher;
import io.dedupstore.core.cipher.CipherException;
import io.dedupstore.core.cipher.RootKey;
import io.dedupstore.core.cipher.RootKeys;
import io.dedupstore.core.control.CipherDomain;
import io.dedupstore.core.control.ControlException;
import io.dedupstore.core.control.ControlService;
import io.dedupstore.core.control.KeyProvider;
import io.dedupstore.core.control.NamedKey;
import io.dedupstore.core.model.DomainId;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/**
 * Dedup domains of encrypted chunks and their keys. A domain's key is random, wrapped by a named
 * key, and unwrapped once in the life of the process; rotation of the named key wraps it anew and
 * does not change it. Any thread.
 */
public final class EncryptionKeys implements RootKeys {
    private static final int ATTEMPTS = 8;
    private static final byte[] NOTHING = {};

    /** Neither an alias nor an ARN: who says these means a key that there should be. */
    private static final Pattern MADE_ON_DEMAND =
            Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,63}");

    private static final int MAX_ON_DEMAND = 1000;

    private final ControlService control;
    private final KeyProvider provider;
    private final RandomGenerator random;
    private final ConcurrentHashMap<DomainId, RootKey> opened = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<Family, DomainId> known = new ConcurrentHashMap<>();

    private record Family(DomainId parent, String key, boolean twice) {}

    /** Where chunks under a key go, and that key. */
    public record Domain(DomainId id, RootKey key) {}

    /**
     * @param random cryptographically secure
     */
    public EncryptionKeys(ControlService control, RandomGenerator random) {
        this.control = control;
        this.provider = control.keys();
        this.random = random;
    }

    /** The named key that a client means, if there is one. */
    public Optional<NamedKey> find(String account, String name) {
        return provider.find(account, name);
    }

    /**
     * Makes the key that a client means, which has not been found.
     *
     * @return empty where the name is no plain id, or there are too many keys already
     */
    public Optional<NamedKey> make(String account, String name) {
        if (!MADE_ON_DEMAND.matcher(name).matches()
                || control.namedKeys().size() >= MAX_ON_DEMAND) {
            return Optional.empty();
        }
        try {
            return Optional.of(control.createKey(name, "made when it was first named"));
        } catch (ControlException e) {
            return switch (e.code()) {
                case KEY_EXISTS -> provider.find(account, name);
                case REFUSED -> Optional.empty();
                default -> throw e;
            };
        }
    }

    /** The key for clients of the account that name none. */
    public NamedKey defaultKey(String account) {
        return provider.defaultKey(account);
    }

    /** Where SSE-S3 puts the chunks of a dedup domain. */
    public Domain managed(DomainId parent) {
        return domain(parent, provider.managedKey().id(), false);
    }

    /**
     * Where chunks of a dedup domain go under a named key.
     *
     * @throws ControlException NO_SUCH_KEY, KEY_DISABLED
     */
    public Domain domain(DomainId parent, String keyId, boolean twice) {
        Family family = new Family(parent, keyId, twice);
        DomainId id = known.get(family);
        if (id == null) {
            id = findOrMake(family).id();
            known.put(family, id);
        }
        requireEnabled(keyId);
        return new Domain(id, key(id));
    }

    /**
     * The key of a domain that is there.
     *
     * @throws ControlException KEY_DISABLED
     */
    public RootKey open(DomainId domain) {
        requireUsable(domain);
        return key(domain);
    }

    private CipherDomain findOrMake(Family family) {
        for (int attempt = 1; ; attempt++) {
            Optional<CipherDomain> found =
                    control.findCipherDomain(family.parent(), family.key(), family.twice());
            if (found.isPresent()) {
                return found.get();
            }
            byte[] fresh = new byte[RootKey.BYTES];
            random.nextBytes(fresh);
            String purpose = CipherDomain.purpose(family.parent(), family.key(), family.twice());
            try {
                return control.makeCipherDomain(
                        family.parent(),
                        family.key(),
                        family.twice(),
                        provider.wrap(family.key(), purpose, fresh));
            } catch (ControlException e) {
                if (e.code() != ControlException.Code.KEY_CHANGED || attempt == ATTEMPTS) {
                    throw e;
                }
            } finally {
                Arrays.fill(fresh, (byte) 0);
            }
        }
    }

    /**
     * Whether what is in a domain may be read.
     *
     * @throws ControlException KEY_DISABLED
     */
    public void requireUsable(DomainId domain) {
        control.findCipherDomain(domain).ifPresent(found -> requireEnabled(found.key()));
    }

    private void requireEnabled(String keyId) {
        if (control.findNamedKey(keyId).filter(key -> !key.enabled()).isPresent()) {
            throw new ControlException(
                    ControlException.Code.KEY_DISABLED, "key " + keyId + " is disabled");
        }
    }

    @Override
    public RootKey of(ChunkCipher cipher, DomainId domain, int version) {
        RootKey key;
        try {
            key = key(domain);
        } catch (ControlException | IllegalArgumentException | IllegalStateException e) {
            throw new CipherException(
                    CipherException.Code.NO_KEY,
                    "the key of " + domain + " can't be had: " + e.getMessage(),
                    e);
        }
        if (cipher == ChunkCipher.CUSTOMER || key.version() != version) {
            throw new CipherException(
                    CipherException.Code.NO_KEY,
                    "no key is at hand for %s, %s, version %d".formatted(cipher, domain, version));
        }
        return key;
    }

    private RootKey key(DomainId domain) {
        return opened.computeIfAbsent(domain, this::unwrap);
    }

    private RootKey unwrap(DomainId id) {
        CipherDomain domain =
                control.findCipherDomain(id)
                        .orElseThrow(() -> new IllegalArgumentException("there is no " + id));
        byte[] bytes =
                provider.unwrap(domain.key(), domain.purpose(), domain.wrappedKey().toByteArray());
        try {
            return new RootKey(bytes, domain.keyVersion());
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    /** The 32-byte key that chunks of a domain are fingerprinted with, encrypted or not. */
    public byte[] fingerprintKey(DomainId domain) {
        return control.findCipherDomain(domain).isPresent()
                ? key(domain).derive("fingerprint", NOTHING)
                : control.domainKey(domain);
    }
}
