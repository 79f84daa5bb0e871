package io.dedupstore.server;

import io.dedupstore.core.fingerprint.HashEngine;
import io.dedupstore.core.object.BufferBudget;
import io.dedupstore.core.object.ObjectReader;
import io.dedupstore.core.object.ObjectWriter;
import io.dedupstore.core.sigv4.SigV2Verifier;
import io.dedupstore.server.admin.AdminApi;
import io.dedupstore.server.admin.AdminToken;
import io.dedupstore.server.auth.Authenticator;
import io.dedupstore.server.auth.ControlCredentials;
import io.dedupstore.server.auth.CredentialStore;
import io.dedupstore.server.auth.FormAuthenticator;
import io.dedupstore.server.auth.KeyMaker;
import io.dedupstore.server.auth.QueryAuthenticator;
import io.dedupstore.server.config.BucketConfig;
import io.dedupstore.server.config.EncryptionConfig;
import io.dedupstore.server.config.ServerConfig;
import io.dedupstore.server.config.TimeoutConfig;
import io.dedupstore.server.config.TlsConfig;
import io.dedupstore.server.http.HttpLimits;
import io.dedupstore.server.http.HttpServer;
import io.dedupstore.server.http.HttpServerConfig;
import io.dedupstore.server.http.HttpTimeouts;
import io.dedupstore.server.http.SelfSignedCertificate;
import io.dedupstore.server.http.TlsSource;
import io.dedupstore.server.iam.IamGateway;
import io.dedupstore.server.keys.EncryptionKeys;
import io.dedupstore.server.metrics.MetricRegistry;
import io.dedupstore.server.s3.CustomerKeyRule;
import io.dedupstore.server.s3.EncryptionSettings;
import io.dedupstore.server.s3.PostForms;
import io.dedupstore.server.s3.ProtocolErrors;
import io.dedupstore.server.s3.S3Gateway;
import io.dedupstore.server.s3.S3RequestParser;
import io.dedupstore.server.s3.S3Settings;
import io.dedupstore.server.s3.access.AccessCheck;
import io.dedupstore.server.s3.access.NewBuckets;
import io.dedupstore.server.s3.access.Ownership;
import io.dedupstore.server.s3.operation.Operations;
import io.dedupstore.server.s3.operation.S3Services;
import io.dedupstore.server.storage.StorageNode;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The two ports: S3 with its gateway, admin with its API. */
final class Front implements AutoCloseable {
    private static final int S3_EVENT_LOOPS = 2;
    private static final Duration TLS_CHECK = Duration.ofSeconds(10);

    private final ServerConfig config;
    private final LiveAdminService admin;
    private final Optional<TlsSource> tls;
    private final HttpServer s3Port;
    private final HttpServer adminPort;
    private final LogUpkeep logs;

    Front(
            ServerConfig config,
            DataDirectory directory,
            NodeCore core,
            StorageNode storage,
            Background background,
            IndexUpkeep upkeep,
            LifecycleUpkeep lifecycle,
            ObjectWriter writer,
            ObjectReader reader,
            HashEngine engine,
            EncryptionKeys keys,
            BufferBudget budget,
            String adminToken,
            InstantSource clock,
            SecureRandom random)
            throws IOException {
        this.config = config;
        this.tls = tls(config, directory, clock);
        S3Settings settings =
                new S3Settings(
                        config.s3().domains(),
                        config.s3().region(),
                        false,
                        config.bucket().chunking(),
                        config.bucket().compression(),
                        newBuckets(config.bucket()),
                        encryption(config.encryption()));
        AccessCheck access =
                new AccessCheck(core.control(), core.metadata(), clock, Operations::versionId);
        S3Services services =
                new S3Services(
                        core.metadata(),
                        core.control(),
                        access,
                        writer,
                        reader,
                        background.sessions(),
                        engine,
                        keys,
                        random,
                        settings,
                        clock);
        CredentialStore credentials = new ControlCredentials(core.control());
        Optional<SigV2Verifier> version2 =
                config.s3().signature2()
                        ? Optional.of(
                                new SigV2Verifier(
                                        head ->
                                                S3RequestParser.bucketOfHost(
                                                        head.header("host"),
                                                        settings.baseDomains())))
                        : Optional.empty();
        Authenticator authenticator =
                new Authenticator(
                        credentials,
                        config.s3().region(),
                        clock,
                        new EnginePayloadHasher(engine),
                        version2);
        FormAuthenticator forms =
                new FormAuthenticator(
                        credentials, config.s3().region(), config.s3().signature2(), clock);
        Operations operations = new Operations(services);
        this.logs =
                new LogUpkeep(
                        core,
                        operations,
                        clock,
                        random,
                        config.s3().region(),
                        config.s3().logDelivery());
        S3Gateway gateway =
                new S3Gateway(
                        settings,
                        authenticator::authenticate,
                        access,
                        core.control(),
                        operations,
                        new PostForms(forms, clock),
                        logs.logs(),
                        random,
                        config.network()::trusts);
        HttpServerConfig s3 =
                port("s3", config.s3().port())
                        .withEventLoops(S3_EVENT_LOOPS)
                        .withLimits(limits(config))
                        .withErrors(gateway, new ProtocolErrors(random));
        KeyMaker keyMaker = new KeyMaker(random);
        IamGateway iam =
                new IamGateway(
                        core.control(),
                        new QueryAuthenticator(credentials, clock, new EnginePayloadHasher(engine)),
                        access.callers(),
                        keyMaker,
                        clock,
                        random);
        this.s3Port =
                HttpServer.start(
                        withTls(s3),
                        exchange -> (IamGateway.takes(exchange) ? iam : gateway).handle(exchange));
        MetricRegistry metrics = new MetricRegistry();
        this.admin =
                new LiveAdminService(
                        config, core, storage, background, engine, budget, s3Endpoint(), clock);
        ServerMetrics.register(metrics, s3Port, storage, budget, core);
        HashReports.register(metrics, engine);
        lifecycle.register(metrics);
        logs.register(metrics);
        IndexMetrics.register(metrics, core, upkeep, background);
        metrics.gauge(
                "dedup_outbox_index_items",
                "Items on their way from metadata to the index: confirmations and releases.",
                background::itemsForIndex);
        this.adminPort =
                HttpServer.start(
                        withTls(port("admin", config.admin().port()).withEventLoops(1)),
                        new AdminApi(
                                new AdminToken(adminToken),
                                admin,
                                new LiveIndexService(core, upkeep, clock),
                                new LiveJobService(upkeep.jobs()),
                                new LiveKeyService(core.control()),
                                new LiveAccountService(core.control(), keyMaker, clock),
                                metrics));
    }

    private static NewBuckets newBuckets(BucketConfig config) {
        Ownership ownership =
                switch (config.ownership()) {
                    case OBJECT_WRITER -> Ownership.OBJECT_WRITER;
                    case BUCKET_OWNER_PREFERRED -> Ownership.BUCKET_OWNER_PREFERRED;
                    case BUCKET_OWNER_ENFORCED -> Ownership.BUCKET_OWNER_ENFORCED;
                };
        return new NewBuckets(ownership, config.blockPublicAccess());
    }

    private static EncryptionSettings encryption(EncryptionConfig config) {
        boolean always =
                switch (config.byDefault()) {
                    case NONE -> false;
                    case SSE_S3 -> true;
                };
        CustomerKeyRule rule =
                switch (config.customerKeys()) {
                    case OFF -> CustomerKeyRule.OFF;
                    case TLS -> CustomerKeyRule.TLS;
                    case LOCAL -> CustomerKeyRule.LOCAL;
                    case ANY -> CustomerKeyRule.ANY;
                };
        boolean makesKeys =
                switch (config.unknownKeys()) {
                    case CREATE -> true;
                    case REFUSE -> false;
                };
        return new EncryptionSettings(always, rule, makesKeys);
    }

    private static Optional<TlsSource> tls(
            ServerConfig config, DataDirectory directory, InstantSource clock) throws IOException {
        return switch (config.tls()) {
            case TlsConfig.Off() -> Optional.empty();
            case TlsConfig.Files(Path certificate, Path key) ->
                    Optional.of(TlsSource.pemFiles(certificate, key, TLS_CHECK));
            case TlsConfig.SelfSigned() -> {
                Path folder = Files.createDirectories(directory.resolve("tls"));
                Path certificate = folder.resolve("cert.pem");
                Path key = folder.resolve("key.pem");
                SelfSignedCertificate.writeIfAbsent(
                        certificate, key, names(config), clock.instant());
                yield Optional.of(TlsSource.pemFiles(certificate, key, TLS_CHECK));
            }
        };
    }

    private static List<String> names(ServerConfig config) {
        List<String> names = new ArrayList<>(List.of("localhost", "127.0.0.1", "::1"));
        config.s3()
                .domains()
                .forEach(
                        domain -> {
                            names.add(domain);
                            names.add("*." + domain);
                        });
        return names;
    }

    private HttpServerConfig port(String name, int port) {
        return HttpServerConfig.of(name, new InetSocketAddress(config.network().bind(), port))
                .withTimeouts(timeouts(config.timeout()));
    }

    private HttpServerConfig withTls(HttpServerConfig port) {
        return tls.map(port::withTls).orElse(port);
    }

    private static HttpLimits limits(ServerConfig config) {
        return HttpLimits.defaults()
                .withMaxConnections(config.network().maxConnections())
                .withMaxTotalBodyBufferBytes(config.memory().requestsBytes() / 2);
    }

    private static HttpTimeouts timeouts(TimeoutConfig config) {
        HttpTimeouts defaults = HttpTimeouts.defaults();
        return new HttpTimeouts(
                config.idle(),
                config.header(),
                config.stall(),
                defaults.minBodyBytes(),
                config.stall(),
                defaults.linger(),
                defaults.handshake());
    }

    String s3Endpoint() {
        return endpoint(s3Port);
    }

    String adminEndpoint() {
        return endpoint(adminPort);
    }

    /** An address that a client on this machine can use. */
    private String endpoint(HttpServer server) {
        InetSocketAddress bound = server.boundAddress();
        String host =
                bound.getAddress().isAnyLocalAddress()
                        ? "127.0.0.1"
                        : bound.getAddress().getHostAddress();
        return "%s://%s:%d"
                .formatted(
                        tls.isPresent() ? "https" : "http",
                        host.contains(":") ? "[" + host + "]" : host,
                        bound.getPort());
    }

    /** Says on the admin port that S3 can be served. */
    void ready() {
        logs.start();
        admin.ready();
    }

    @Override
    public void close() {
        admin.stopping();
        s3Port.stop(config.timeout().shutdown());
        adminPort.stop(Duration.ofSeconds(1));
        logs.close();
        tls.ifPresent(TlsSource::close);
    }
}
