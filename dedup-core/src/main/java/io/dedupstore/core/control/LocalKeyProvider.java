package io.dedupstore.core.control;

import com.google.protobuf.ByteString;
import io.dedupstore.core.control.ControlView.OpenKey;
import io.dedupstore.core.model.DomainId;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Named keys in the control group, their material under the master key. */
final class LocalKeyProvider implements KeyProvider {
    static final String MANAGED = "dedupstore-managed";
    static final String MANAGED_DESCRIPTION = "what SSE-S3 encrypts";
    static final String DEFAULT_DESCRIPTION = "aws/s3: SSE-KMS where no key is named";

    private static final String DEFAULT_PREFIX = "aws-s3-";
    private static final String DEFAULT_ALIAS = "aws/s3";
    private static final Pattern ARN = Pattern.compile("arn:[a-z-]+:kms:[^:]*:([^:]*):(.+)");

    private final Supplier<ControlView> view;
    private final KeyMaker maker;
    private final Supplier<byte[]> nonces;

    /** Makes a key that is missing. */
    interface KeyMaker {
        NamedKey findOrMake(String id, String description, String account);
    }

    /**
     * @param nonces 12 fresh random bytes at each call
     */
    LocalKeyProvider(Supplier<ControlView> view, KeyMaker maker, Supplier<byte[]> nonces) {
        this.view = view;
        this.maker = maker;
        this.nonces = nonces;
    }

    /** Whether the key is the provider's own, which clients can't name. */
    static boolean isReserved(String id) {
        return id.equals(MANAGED) || id.startsWith(DEFAULT_PREFIX);
    }

    @Override
    public Optional<NamedKey> find(String account, String name) {
        Matcher arn = ARN.matcher(name);
        boolean isArn = arn.matches();
        if (isArn && arn.group(1).matches("[0-9]{12}") && !arn.group(1).equals(account)) {
            // Keys of everybody have no account of their own: any but the client's is another's.
            return Optional.empty();
        }
        String local = isArn ? arn.group(2) : name;
        if (local.equals("alias/" + DEFAULT_ALIAS)) {
            return Optional.of(defaultKey(account));
        }
        String id = local.replaceFirst(isArn ? "^(key|alias)/" : "^alias/", "");
        return Optional.ofNullable(view.get().namedKeys().get(id))
                .map(OpenKey::key)
                .filter(key -> !key.id().equals(MANAGED))
                .filter(key -> key.account().isEmpty() || key.account().equals(account));
    }

    @Override
    public NamedKey defaultKey(String account) {
        return maker.findOrMake(DEFAULT_PREFIX + account, DEFAULT_DESCRIPTION, account);
    }

    @Override
    public NamedKey managedKey() {
        return maker.findOrMake(MANAGED, MANAGED_DESCRIPTION, "");
    }

    @Override
    public Wrapped wrap(String keyId, String purpose, byte[] secret) {
        OpenKey key = usable(keyId);
        return new Wrapped(seal(key.material(), purpose, secret).bytes(), key.key().version());
    }

    private SealedSecret seal(byte[] material, String purpose, byte[] secret) {
        return new SecretCipher(material).seal(purpose, secret, nonces.get());
    }

    @Override
    public byte[] unwrap(String keyId, String purpose, byte[] wrapped) {
        return new SecretCipher(usable(keyId).material()).open(purpose, new SealedSecret(wrapped));
    }

    /** What is wrapped with a key, wrapped with other material. */
    SortedMap<Integer, ByteString> rewrap(String keyId, byte[] material) {
        SortedMap<Integer, ByteString> rewrapped = new TreeMap<>();
        OpenKey before = open(keyId);
        for (Map.Entry<DomainId, CipherDomain> one : view.get().cipherDomains().entrySet()) {
            CipherDomain domain = one.getValue();
            if (domain.key().equals(keyId)) {
                byte[] secret =
                        new SecretCipher(before.material())
                                .open(
                                        domain.purpose(),
                                        new SealedSecret(domain.wrappedKey().toByteArray()));
                rewrapped.put(
                        one.getKey().value(),
                        ByteString.copyFrom(seal(material, domain.purpose(), secret).bytes()));
            }
        }
        return rewrapped;
    }

    private OpenKey open(String keyId) {
        OpenKey key = view.get().namedKeys().get(keyId);
        if (key == null) {
            throw new ControlException(
                    ControlException.Code.NO_SUCH_KEY, "there is no key " + keyId);
        }
        return key;
    }

    private OpenKey usable(String keyId) {
        OpenKey key = open(keyId);
        if (!key.key().enabled()) {
            throw new ControlException(
                    ControlException.Code.KEY_DISABLED, "key " + keyId + " is disabled");
        }
        return key;
    }
}
