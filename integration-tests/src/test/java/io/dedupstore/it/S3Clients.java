package io.dedupstore.it;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.function.Consumer;
import javax.net.ssl.TrustManager;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.retry.RetryPolicy;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.S3Configuration;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;

/** The AWS SDK's client for a server. */
final class S3Clients {
    private S3Clients() {}

    static S3Client of(ServerProcess server) throws IOException {
        return of(server, builder -> {});
    }

    static S3Client of(ServerProcess server, Consumer<S3ClientBuilder> settings)
            throws IOException {
        Credentials credentials = server.credentials();
        UrlConnectionHttpClient.Builder http =
                UrlConnectionHttpClient.builder()
                        .connectionTimeout(Duration.ofSeconds(10))
                        .socketTimeout(Duration.ofMinutes(2));
        URI endpoint = credentials.s3Endpoint();
        if ("https".equals(endpoint.getScheme())) {
            TrustManager[] trusted = Tls.trusting(Tls.certificateOf(endpoint));
            http.tlsTrustManagersProvider(() -> trusted);
        }
        S3ClientBuilder builder =
                S3Client.builder()
                        .endpointOverride(endpoint)
                        .region(Region.US_EAST_1)
                        .forcePathStyle(true)
                        .credentialsProvider(provider(credentials))
                        .httpClientBuilder(http);
        settings.accept(builder);
        return builder.build();
    }

    /** One attempt for each call: what fails is seen. */
    static S3Client withoutRetries(ServerProcess server) throws IOException {
        return of(
                server,
                builder -> builder.overrideConfiguration(o -> o.retryPolicy(RetryPolicy.none())));
    }

    static S3Presigner presigner(ServerProcess server) throws IOException {
        return presigner(server, server.credentials().s3Endpoint(), true);
    }

    /**
     * @param pathStyle false names the bucket in the host
     */
    static S3Presigner presigner(ServerProcess server, URI endpoint, boolean pathStyle)
            throws IOException {
        return S3Presigner.builder()
                .endpointOverride(endpoint)
                .region(Region.US_EAST_1)
                .serviceConfiguration(
                        S3Configuration.builder().pathStyleAccessEnabled(pathStyle).build())
                .credentialsProvider(provider(server.credentials()))
                .build();
    }

    private static StaticCredentialsProvider provider(Credentials credentials) {
        return StaticCredentialsProvider.create(
                AwsBasicCredentials.create(credentials.accessKey(), credentials.secretKey()));
    }
}
