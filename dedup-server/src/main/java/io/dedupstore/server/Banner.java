package io.dedupstore.server;

import io.dedupstore.server.config.ServerConfig;

/** What the server prints when it serves. The secret is printed once, by the start that made it. */
final class Banner {
    private Banner() {}

    static String of(RootCredentials credentials, ServerConfig config, boolean first) {
        StringBuilder text = new StringBuilder();
        text.append("DedupStore serves S3 at ").append(credentials.s3Endpoint());
        text.append(", admin at ").append(credentials.adminEndpoint()).append('\n');
        text.append("Data: ").append(config.storage().dataDirectory()).append('\n');
        if (first) {
            text.append(
                    """

                    New credentials (also in %s/%s, shown only now):

                      aws configure set --profile dedup aws_access_key_id %s
                      aws configure set --profile dedup aws_secret_access_key %s
                      aws configure set --profile dedup region %s
                      aws configure set --profile dedup endpoint_url %s
                      aws --profile dedup s3 mb s3://first

                    Admin token: %s
                    """
                            .formatted(
                                    config.storage().dataDirectory(),
                                    RootCredentials.FILE,
                                    credentials.accessKey(),
                                    credentials.secretKey(),
                                    config.s3().region(),
                                    credentials.s3Endpoint(),
                                    credentials.adminToken()));
        } else {
            text.append("Credentials: ")
                    .append(config.storage().dataDirectory())
                    .append('/')
                    .append(RootCredentials.FILE)
                    .append('\n');
        }
        return text.toString();
    }
}
