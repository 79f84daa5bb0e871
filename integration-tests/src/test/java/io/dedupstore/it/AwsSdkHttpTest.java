package io.dedupstore.it;

import java.io.IOException;

class AwsSdkHttpTest extends AwsSdkContract {
    @Override
    ServerProcess startServer() throws IOException {
        return ServerProcess.start("aws-sdk-http");
    }
}
