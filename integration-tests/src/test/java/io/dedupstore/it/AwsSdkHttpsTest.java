package io.dedupstore.it;

import java.io.IOException;

class AwsSdkHttpsTest extends AwsSdkContract {
    @Override
    ServerProcess startServer() throws IOException {
        return ServerProcess.start("aws-sdk-https", "--tls-self-signed");
    }
}
