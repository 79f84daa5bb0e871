package io.dedupstore.server.s3.operation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BucketLoggingTest {
    private final TestGateway gateway = new TestGateway();

    @BeforeEach
    void makeBuckets() {
        gateway.put("/source", "");
        gateway.put("/logs", "");
    }

    @AfterEach
    void close() {
        gateway.close();
    }

    private Answer set(String content) {
        String document = "<BucketLoggingStatus>" + content + "</BucketLoggingStatus>";
        return gateway.send(
                new Call("PUT", "/source?logging")
                        .header("content-md5", Md5.base64(document))
                        .body(document));
    }

    private static String enabled(String bucket, String more) {
        return "<LoggingEnabled><TargetBucket>%s</TargetBucket><TargetPrefix>log/</TargetPrefix>%s</LoggingEnabled>"
                .formatted(bucket, more);
    }

    @Test
    void isSetReadAndSwitchedOff() {
        assertThat(gateway.send("GET", "/source?logging").text())
                .contains("<BucketLoggingStatus")
                .doesNotContain("LoggingEnabled");
        assertThat(set(enabled("logs", "")).status()).isEqualTo(200);
        assertThat(gateway.send("GET", "/source?logging").element("TargetBucket"))
                .isEqualTo("logs");
        assertThat(set("").status()).isEqualTo(200);
        assertThat(gateway.send("GET", "/source?logging").text()).doesNotContain("LoggingEnabled");
    }

    @Test
    void targetsThatCannotBeAreRefused() {
        assertThat(set(enabled("nowhere", "")).code()).isEqualTo("InvalidTargetBucketForLogging");
        assertThat(set("<LoggingEnabled/>").code()).isEqualTo("MalformedXML");
        assertThat(set(enabled("logs", "<TargetGrants><Grant/></TargetGrants>")).status())
                .isEqualTo(501);
        assertThat(
                        set(enabled(
                                        "logs",
                                        "<TargetObjectKeyFormat><PartitionedPrefix>"
                                                + "<PartitionDateSource>Now"
                                                + "</PartitionDateSource>"
                                                + "</PartitionedPrefix>"
                                                + "</TargetObjectKeyFormat>"))
                                .code())
                .isEqualTo("MalformedXML");
    }

    @Test
    void everyRequestLeavesALine() {
        set(enabled("logs", ""));
        gateway.put("/source/a b", "content");
        gateway.send(
                new Call("GET", "/source/a%20b?versionId=null")
                        .header("user-agent", "a \"browser\"\n")
                        .header("authorization", "AWS4-HMAC-SHA256 x"));
        gateway.send("GET", "/source/missing");
        gateway.send("GET", "/logs");
        assertThat(gateway.send("GET", "/logs").elements("Key")).isEmpty();
        gateway.deliverLogs();
        List<String> keys = gateway.send("GET", "/logs").elements("Key");
        assertThat(keys).hasSize(1);
        assertThat(keys.getFirst()).matches("log/[0-9]{4}(-[0-9]{2}){5}-[0-9A-F]{16}");
        String[] lines = gateway.send("GET", "/logs/" + keys.getFirst()).text().split("\n");
        assertThat(lines).hasSize(4);
        String owner = gateway.account;
        assertThat(lines[0])
                .contains(" REST.PUT.LOGGING_STATUS - \"PUT /source?logging HTTP/1.1\" 200 ");
        assertThat(lines[1])
                .startsWith(owner + " source [02/Jan/2026:03:04:05 +0000] 127.0.0.1 " + owner + " ")
                .contains(" REST.PUT.OBJECT a%20b \"PUT /source/a b HTTP/1.1\" 200 - - 7 ");
        assertThat(lines[2])
                .contains(" REST.GET.OBJECT a%20b ")
                .contains(" 200 - 7 7 ")
                .contains(" \"-\" \"a ?browser??\" null ")
                .contains(" SigV4 - AuthHeader localhost:9000 ");
        assertThat(lines[3]).contains(" REST.GET.OBJECT missing ").contains(" 404 NoSuchKey ");
        gateway.deliverLogs();
        assertThat(gateway.send("GET", "/logs").elements("Key")).hasSize(1);
    }

    @Test
    void keysMayBePartitioned() {
        set(
                enabled(
                        "logs",
                        "<TargetObjectKeyFormat><PartitionedPrefix><PartitionDateSource>EventTime"
                                + "</PartitionDateSource></PartitionedPrefix>"
                                + "</TargetObjectKeyFormat>"));
        gateway.put("/source/k", "1");
        gateway.deliverLogs();
        assertThat(gateway.send("GET", "/logs").elements("Key").getFirst())
                .startsWith("log/" + gateway.account + "/us-east-1/source/2026/01/02/2026-01-02-");
    }
}
