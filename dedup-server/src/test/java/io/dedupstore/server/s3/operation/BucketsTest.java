package io.dedupstore.server.s3.operation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BucketsTest {
    private final TestGateway gateway = new TestGateway();

    @AfterEach
    void close() {
        gateway.close();
    }

    @Test
    void aBucketIsMadeFoundAndRemoved() {
        Answer made = gateway.send("PUT", "/docs");
        assertThat(made.status()).isEqualTo(200);
        assertThat(made.header("Location")).isEqualTo("/docs");
        assertThat(gateway.send("PUT", "/docs").status()).isEqualTo(200);
        assertThat(
                        gateway.send(new Call("PUT", "/docs").header("x-dedup-compression", "off"))
                                .code())
                .isEqualTo("BucketAlreadyOwnedByYou");
        assertThat(gateway.sendAs("another", new Call("PUT", "/docs")).status())
                .isGreaterThanOrEqualTo(400);
        Answer head = gateway.send("HEAD", "/docs");
        assertThat(head.header("x-amz-bucket-region")).isEqualTo("us-east-1");
        assertThat(gateway.send("DELETE", "/docs").status()).isEqualTo(204);
        assertThat(gateway.send("HEAD", "/docs").status()).isEqualTo(404);
        assertThat(gateway.send("DELETE", "/docs").code()).isEqualTo("NoSuchBucket");
        assertThat(gateway.send("PUT", "/docs").status()).isEqualTo(200);
    }

    @Test
    void onlyAnEmptyBucketGoesAndItsUploadsGoWithIt() {
        gateway.send("PUT", "/docs");
        gateway.put("/docs/k", "x");
        gateway.send("POST", "/docs/k?uploads");
        assertThat(gateway.send("DELETE", "/docs").code()).isEqualTo("BucketNotEmpty");
        assertThat(gateway.put("/docs/l", "x").status()).isEqualTo(200);
        gateway.send("DELETE", "/docs/k");
        gateway.send("DELETE", "/docs/l");
        assertThat(gateway.send("DELETE", "/docs").status()).isEqualTo(204);
        gateway.send("PUT", "/docs");
        assertThat(gateway.send("GET", "/docs?uploads").elements("Upload")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ab",
                "a_b",
                "Abc",
                "a..b",
                "a.-b",
                "a-.b",
                "-ab",
                "ab-",
                "192.168.5.4",
                "xn--abc",
                "abc-s3alias",
                "abc--ol-s3",
                "sthree-a"
            })
    void namesThatAreNoBucketNamesAreRefused(String name) {
        assertThat(gateway.send("PUT", "/" + name).code()).isEqualTo("InvalidBucketName");
        assertThat(gateway.send("PUT", "/" + "a".repeat(64)).code()).isEqualTo("InvalidBucketName");
    }

    @ParameterizedTest
    @CsvSource({
        "x-dedup-chunking, nonsense, InvalidArgument",
        "x-dedup-compression, nonsense, InvalidArgument",
        "x-amz-bucket-object-lock-enabled, maybe, InvalidArgument",
        "x-amz-acl, public-read, 200",
        "x-amz-acl, nonsense, InvalidArgument",
        "x-amz-object-ownership, nonsense, InvalidArgument",
        "x-dedup-chunking, fixed:128k, 200",
        "x-dedup-compression, lz4, 200",
        "x-amz-acl, private, 200",
        "x-amz-object-ownership, BucketOwnerEnforced, 200",
    })
    void headersOfCreationAreHeeded(String header, String value, String code) {
        assertThat(gateway.send(new Call("PUT", "/docs").header(header, value)).code())
                .isEqualTo(code);
    }

    @Test
    void onlyTheOwnRegionIsALocation() {
        assertThat(create("one", "us-east-1").status()).isEqualTo(200);
        assertThat(create("two", "").status()).isEqualTo(200);
        assertThat(create("three", "mars-north-1").code()).isEqualTo("InvalidLocationConstraint");
        assertThat(gateway.put("/four", "<nonsense").code()).isEqualTo("MalformedXML");
        Answer location = gateway.send("GET", "/one?location");
        assertThat(location.text()).endsWith("></LocationConstraint>");
    }

    private Answer create(String name, String constraint) {
        return gateway.put(
                "/" + name,
                "<CreateBucketConfiguration xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
                        + "<LocationConstraint>"
                        + constraint
                        + "</LocationConstraint></CreateBucketConfiguration>");
    }

    @Test
    void bucketsAreListedByPages() {
        for (String name : new String[] {"aaa", "abb", "bcc"}) {
            gateway.send("PUT", "/" + name);
        }
        assertThat(gateway.send("GET", "/").elements("Name")).containsExactly("aaa", "abb", "bcc");
        Answer first = gateway.send("GET", "/?max-buckets=1&prefix=a");
        assertThat(first.elements("Name")).containsExactly("aaa");
        String token = first.element("ContinuationToken");
        Answer second = gateway.send("GET", "/?max-buckets=1&prefix=a&continuation-token=" + token);
        assertThat(second.elements("Name")).containsExactly("abb");
        assertThat(second.element("ContinuationToken")).isEmpty();
        assertThat(gateway.send("GET", "/?max-buckets=0").code()).isEqualTo("InvalidArgument");
        assertThat(gateway.sendAs("anonymous", new Call("GET", "/")).code())
                .isEqualTo("AccessDenied");
    }

    @ParameterizedTest
    @CsvSource({
        "policy, NoSuchBucketPolicy",
        "policyStatus, 200",
        "cors, NoSuchCORSConfiguration",
        "lifecycle, NoSuchLifecycleConfiguration",
        "tagging, NoSuchTagSet",
        "website, NoSuchWebsiteConfiguration",
        "object-lock, ObjectLockConfigurationNotFoundError",
        "encryption, ServerSideEncryptionConfigurationNotFoundError",
        "replication, ReplicationConfigurationNotFoundError",
        "publicAccessBlock, NoSuchPublicAccessBlockConfiguration",
        "ownershipControls, OwnershipControlsNotFoundError",
        "versioning, 200",
        "acl, 200",
        "requestPayment, 200",
        "logging, 200",
        "notification, 200",
        "accelerate, 200",
        "inventory, 200",
        "inventory&id=x, NoSuchConfiguration",
        "frobnicate, NotImplemented",
    })
    void unsetConfigurationsAnswerAsUnset(String subResource, String code) {
        gateway.send("PUT", "/docs");
        Answer answer = gateway.send("GET", "/docs?" + subResource);
        assertThat(answer.code()).isEqualTo(code);
        assertThat(answer.text()).doesNotContain("ListBucketResult");
        assertThat(gateway.send("GET", "/none?" + subResource).code()).isEqualTo("NoSuchBucket");
        // What can be set needs a digest.
        assertThat(gateway.put("/docs?" + subResource, "<x/>").code())
                .isIn(
                        "NotImplemented",
                        "InvalidRequest",
                        "MalformedXML",
                        "MalformedPolicy",
                        "MalformedACLError");
    }

    @Test
    void theOwnerHasFullControl() {
        gateway.send("PUT", "/docs");
        gateway.put("/docs/k", "x");
        String id = gateway.control.rootAccount().canonicalId();
        for (String target : new String[] {"/docs?acl", "/docs/k?acl"}) {
            Answer acl = gateway.send("GET", target);
            assertThat(acl.elements("ID")).containsExactly(id, id);
            assertThat(acl.element("Permission")).isEqualTo("FULL_CONTROL");
        }
        assertThat(gateway.send("GET", "/docs/none?acl").code()).isEqualTo("NoSuchKey");
        assertThat(gateway.send("GET", "/docs/k?retention").code()).isEqualTo("InvalidRequest");
    }

    @Test
    void idsInErrorsMatchTheHeaders() {
        Answer missing = gateway.send("GET", "/none");
        assertThat(missing.element("RequestId")).isEqualTo(missing.header("x-amz-request-id"));
        assertThat(missing.element("HostId")).isEqualTo(missing.header("x-amz-id-2"));
        assertThat(missing.header("Content-Type")).isEqualTo("application/xml");
        assertThat(missing.element("BucketName")).isEqualTo("none");
    }
}
