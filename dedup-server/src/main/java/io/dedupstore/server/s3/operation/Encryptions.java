package io.dedupstore.server.s3.operation;

import io.dedupstore.core.control.Bucket;
import io.dedupstore.core.control.ControlService;
import io.dedupstore.core.control.NamedKey;
import io.dedupstore.core.metadata.ObjectEncryption;
import io.dedupstore.core.metadata.ObjectVersion;
import io.dedupstore.core.metadata.Upload;
import io.dedupstore.core.object.ObjectReader;
import io.dedupstore.core.object.Sealing;
import io.dedupstore.server.http.ResponseHeaders;
import io.dedupstore.server.keys.EncryptionKeys;
import io.dedupstore.server.s3.BucketConfiguration;
import io.dedupstore.server.s3.EncryptionSettings;
import io.dedupstore.server.s3.S3Error;
import io.dedupstore.server.s3.S3Exception;
import io.dedupstore.server.s3.S3Request;
import java.util.Optional;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * Decides how what a request makes is encrypted, and with which key what it reads is opened.
 *
 * <p>A request's own word counts first, then the bucket's configuration, then the server's setting.
 * A copy is encrypted as its request and target bucket say, whatever its source was.
 */
final class Encryptions {
    private final ControlService control;
    private final EncryptionKeys keys;
    private final ObjectReader reader;
    private final EncryptionSettings settings;
    private final RandomGenerator random;
    private final String region;

    Encryptions(S3Services services) {
        this.control = services.control();
        this.keys = services.keys();
        this.reader = services.reader();
        this.settings = services.settings().encryption();
        this.random = services.random();
        this.region = services.settings().region();
    }

    // ---- what is made ----

    /** Of an object or upload that the request makes. */
    Encrypted ofNew(S3Request request, Bucket bucket) {
        BucketEncryption configured = configured(bucket);
        WantedEncryption wanted = WantedEncryption.of(fields(request));
        return switch (wanted) {
            case WantedEncryption.Customer(CustomerKey key) -> {
                admitCustomerKey(request);
                if (configured.refusesCustomerKeys()) {
                    throw new S3Exception(S3Error.ACCESS_DENIED);
                }
                yield customers(bucket, key, key.mark(random));
            }
            case WantedEncryption.Unsaid unsaid -> managed(bucket, byDefault(configured), false);
            case WantedEncryption.Managed said -> managed(bucket, said, false);
            case WantedEncryption.Kms said -> managed(bucket, said, configured.bucketKey());
        };
    }

    private WantedEncryption byDefault(BucketEncryption configured) {
        WantedEncryption byDefault = configured.byDefault();
        boolean unsaid = byDefault instanceof WantedEncryption.Unsaid;
        return unsaid && settings.always() ? new WantedEncryption.Managed() : byDefault;
    }

    private Encrypted managed(Bucket bucket, WantedEncryption wanted, boolean bucketKey) {
        return switch (wanted) {
            case WantedEncryption.Managed said -> {
                EncryptionKeys.Domain domain = keys.managed(bucket.domain());
                yield new Encrypted(
                        Optional.of(new ObjectEncryption.Managed(domain.id())),
                        domain.id(),
                        Sealing.domain(domain.key(), false),
                        null);
            }
            case WantedEncryption.Kms kms -> kms(bucket, kms, bucketKey);
            case WantedEncryption.Unsaid unsaid -> Encrypted.not(bucket.domain());
            case WantedEncryption.Customer customer ->
                    throw new IllegalStateException("no default is a client's key");
        };
    }

    private Encrypted kms(Bucket bucket, WantedEncryption.Kms wanted, boolean bucketKey) {
        NamedKey key;
        String name;
        if (wanted.keyId().isPresent()) {
            name = wanted.keyId().get();
            key = named(bucket.owner(), name);
        } else {
            key = keys.defaultKey(bucket.owner());
            name = "arn:aws:kms:%s:%s:key/%s".formatted(region, bucket.owner(), key.id());
        }
        EncryptionKeys.Domain domain = keys.domain(bucket.domain(), key.id(), wanted.twice());
        return new Encrypted(
                Optional.of(
                        new ObjectEncryption.Kms(
                                domain.id(),
                                name,
                                wanted.context(),
                                wanted.bucketKey().orElse(bucketKey),
                                wanted.twice())),
                domain.id(),
                Sealing.domain(domain.key(), wanted.twice()),
                null);
    }

    private NamedKey named(String account, String name) {
        return keys.find(account, name)
                .or(() -> settings.makesKeys() ? keys.make(account, name) : Optional.empty())
                .orElseThrow(() -> noKey(name));
    }

    private static S3Exception noKey(String name) {
        return new S3Exception(S3Error.KMS_NOT_FOUND, "Key '" + name + "' does not exist");
    }

    private static Encrypted customers(
            Bucket bucket, CustomerKey key, ObjectEncryption.Customer mark) {
        return new Encrypted(Optional.of(mark), bucket.domain(), Sealing.customer(key.key()), key);
    }

    /** Of a part of an upload: as the upload was begun. */
    Encrypted ofPart(S3Request request, Bucket bucket, Upload upload) {
        WantedEncryption said = WantedEncryption.of(fields(request));
        Optional<ObjectEncryption> begun = upload.attributes().encryption();
        if (said instanceof WantedEncryption.Customer(CustomerKey key)) {
            admitCustomerKey(request);
            return ofPart(bucket, begun, key);
        }
        if (begun.isPresent() && begun.get() instanceof ObjectEncryption.Customer) {
            throw S3Exception.invalidRequest(
                    "The multipart upload initiate requested encryption. Subsequent part requests"
                            + " must include the appropriate encryption parameters.");
        }
        requireSame(said, begun, request);
        return begun.map(this::present).orElseGet(() -> Encrypted.not(bucket.domain()));
    }

    private static Encrypted ofPart(
            Bucket bucket, Optional<ObjectEncryption> begun, CustomerKey key) {
        if (begun.isEmpty() || !(begun.get() instanceof ObjectEncryption.Customer mark)) {
            throw S3Exception.invalidRequest(
                    "The multipart upload initiate did not request encryption. Please resend the"
                            + " request without sending encryption parameters.");
        }
        if (!key.fits(mark)) {
            throw S3Exception.invalidRequest(
                    "The provided encryption parameters did not match the ones used originally.");
        }
        return customers(bucket, key, mark);
    }

    /** Parts need not say it again; what they say must not be something else. */
    private static void requireSame(
            WantedEncryption said, Optional<ObjectEncryption> begun, S3Request request) {
        boolean same =
                switch (said) {
                    case WantedEncryption.Unsaid unsaid -> true;
                    case WantedEncryption.Managed managed ->
                            begun.isPresent() && begun.get() instanceof ObjectEncryption.Managed;
                    case WantedEncryption.Kms kms ->
                            begun.isPresent()
                                    && begun.get() instanceof ObjectEncryption.Kms of
                                    && of.twice() == kms.twice()
                                    && kms.keyId().map(of.keyId()::equals).orElse(true);
                    case WantedEncryption.Customer customer -> false;
                };
        if (!same) {
            throw S3Exception.invalidArgument(
                    WantedEncryption.ALGORITHM + " header is not supported for this operation.",
                    WantedEncryption.ALGORITHM,
                    request.header(WantedEncryption.ALGORITHM).orElse(""));
        }
    }

    /** With the server's own keys, as something is encrypted that is there. */
    private Encrypted present(ObjectEncryption encryption) {
        return switch (encryption) {
            case ObjectEncryption.Managed managed ->
                    new Encrypted(
                            Optional.of(managed),
                            managed.domain(),
                            Sealing.domain(keys.open(managed.domain()), false),
                            null);
            case ObjectEncryption.Kms kms ->
                    new Encrypted(
                            Optional.of(kms),
                            kms.domain(),
                            Sealing.domain(keys.open(kms.domain()), kms.twice()),
                            null);
            case ObjectEncryption.Customer customer ->
                    throw new IllegalStateException("a client's key is not the server's");
        };
    }

    /** The configuration of a bucket, or what the server does where there is none. */
    BucketEncryption configured(Bucket bucket) {
        return BucketConfigurations.find(control, bucket, BucketConfiguration.ENCRYPTION)
                .map(BucketEncryption::parse)
                .orElse(settings.always() ? BucketEncryption.MANAGED : BucketEncryption.NONE);
    }

    // ---- what is read ----

    /** Reads a version of which GET and HEAD tell. */
    ObjectReader readerOf(S3Request request, ObjectVersion version) {
        if (request.header(WantedEncryption.ALGORITHM).isPresent()) {
            throw S3Exception.invalidArgument(
                    WantedEncryption.ALGORITHM + " header is not supported for this operation.",
                    WantedEncryption.ALGORITHM,
                    request.header(WantedEncryption.ALGORITHM).get());
        }
        return reader(request, version, CustomerKey.PREFIX);
    }

    /** Reads the source of a copy. */
    ObjectReader readerOfSource(S3Request request, ObjectVersion version) {
        return reader(request, version, CustomerKey.SOURCE_PREFIX);
    }

    private ObjectReader reader(S3Request request, ObjectVersion version, String prefix) {
        Optional<CustomerKey> key = CustomerKey.of(fields(request), prefix);
        key.ifPresent(given -> admitCustomerKey(request));
        Optional<ObjectEncryption> encryption = version.attributes().encryption();
        if (encryption.isPresent() && encryption.get() instanceof ObjectEncryption.Customer mark) {
            CustomerKey given =
                    key.orElseThrow(
                            () ->
                                    S3Exception.invalidRequest(
                                            "The object was stored using a form of Server Side"
                                                    + " Encryption. The correct parameters must be"
                                                    + " provided to retrieve the object."));
            if (!given.fits(mark)) {
                throw new S3Exception(S3Error.ACCESS_DENIED);
            }
            return reader.withCustomerKey(given.key());
        }
        if (key.isPresent()) {
            throw S3Exception.invalidRequest(
                    "The encryption parameters are not applicable to this object.");
        }
        if (encryption.isPresent() && encryption.get() instanceof ObjectEncryption.Kms kms) {
            keys.requireUsable(kms.domain());
        }
        return reader;
    }

    /** Adds what GET and HEAD say of a version's encryption. */
    static void addHeaders(S3Request request, ObjectVersion version, ResponseHeaders headers) {
        version.attributes()
                .encryption()
                .ifPresent(
                        encryption -> {
                            Encrypted.add(headers, encryption);
                            if (encryption instanceof ObjectEncryption.Customer) {
                                addCustomer(request, headers);
                            }
                        });
    }

    private static void addCustomer(S3Request request, ResponseHeaders headers) {
        request.nonEmptyHeader(CustomerKey.PREFIX + "key-md5")
                .ifPresent(
                        md5 ->
                                headers.add(CustomerKey.PREFIX + "algorithm", CustomerKey.ALGORITHM)
                                        .add(CustomerKey.PREFIX + "key-MD5", md5));
    }

    // ---- the way of a client's key ----

    private void admitCustomerKey(S3Request request) {
        boolean admitted =
                switch (settings.customerKeys()) {
                    case OFF ->
                            throw new S3Exception(
                                    S3Error.NOT_IMPLEMENTED,
                                    "Server Side Encryption with Customer provided keys is switched"
                                            + " off on this server");
                    case TLS -> request.secure();
                    case LOCAL -> request.secure() || request.staysOnThisMachine();
                    case ANY -> true;
                };
        if (!admitted) {
            throw S3Exception.invalidRequest(
                    "Requests specifying Server Side Encryption with Customer provided keys must be"
                            + " made over a secure connection.");
        }
    }

    /** An empty algorithm is a wrong one, other empty fields are none. */
    private static Function<String, Optional<String>> fields(S3Request request) {
        return name ->
                name.equals(WantedEncryption.ALGORITHM)
                        ? request.header(name).map(String::strip)
                        : request.nonEmptyHeader(name);
    }
}
