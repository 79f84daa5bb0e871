package io.dedupstore.server.s3.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.server.s3.CustomerKeyRule;
import io.dedupstore.server.s3.EncryptionSettings;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EncryptionTest {
    private static final String SSE = "x-amz-server-side-encryption";
    private static final String KEY_ID = SSE + "-aws-kms-key-id";
    private static final String NAMESPACE = "http://s3.amazonaws.com/doc/2006-03-01/";

    private TestGateway gateway = new TestGateway(1);

    @BeforeEach
    void createBucket() {
        gateway.control.createKey("first", "");
        gateway.control.createKey("second", "");
        gateway.send("PUT", "/docs");
    }

    @AfterEach
    void close() {
        gateway.close();
    }

    private static Call put(String key, byte[] body) {
        return new Call("PUT", "/docs/" + key).body(body);
    }

    private static byte[] words(int length) {
        byte[] words = "the words that may not be seen, ".getBytes(StandardCharsets.UTF_8);
        byte[] all = new byte[length];
        for (int i = 0; i < length; i++) {
            all[i] = words[i % words.length];
        }
        return all;
    }

    private static Call withKey(Call call, int seed, String prefix) {
        byte[] key = new byte[32];
        Arrays.fill(key, (byte) seed);
        return call.header(prefix + "algorithm", "AES256")
                .header(prefix + "key", Base64.getEncoder().encodeToString(key))
                .header(prefix + "key-md5", Base64.getEncoder().encodeToString(md5(key)));
    }

    private static Call withKey(Call call, int seed) {
        return withKey(call, seed, CustomerKey.PREFIX);
    }

    private static byte[] md5(byte[] bytes) {
        try {
            return MessageDigest.getInstance("MD5").digest(bytes);
        } catch (java.security.GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    // ---- what is made ----

    @Test
    void answersSayHowAnObjectIsEncrypted() {
        byte[] body = words(10_000);
        Answer managed = gateway.send(put("m", body).header(SSE, "AES256"));
        assertThat(managed.header(SSE)).isEqualTo("AES256");
        assertThat(managed.header("etag"))
                .isEqualTo('"' + HexFormat.of().formatHex(md5(body)) + '"');
        Answer kms = gateway.send(put("k", body).header(SSE, "aws:kms").header(KEY_ID, "first"));
        assertThat(kms.header(KEY_ID)).isEqualTo("first");
        assertThat(kms.header("etag"))
                .matches("\"[0-9a-f]{32}\"")
                .isNotEqualTo(managed.header("etag"));
        Answer head = gateway.send("HEAD", "/docs/k");
        assertThat(head.header(SSE)).isEqualTo("aws:kms");
        assertThat(head.header(KEY_ID)).isEqualTo("first");
        assertThat(gateway.send("GET", "/docs/k").body()).isEqualTo(body);
        assertThat(gateway.send(put("c", body)).header(SSE)).isEmpty();
        assertThat(gateway.send("HEAD", "/docs/c").header(SSE)).isEmpty();
    }

    @Test
    void whereNoKeyIsNamedTheAccountHasOne() {
        Answer answer = gateway.send(put("k", words(10)).header(SSE, "aws:kms"));
        assertThat(answer.header(KEY_ID))
                .startsWith("arn:aws:kms:us-east-1:" + gateway.account + ":key/");
        Answer named =
                gateway.send(
                        put("k", words(10))
                                .header(SSE, "aws:kms")
                                .header(KEY_ID, answer.header(KEY_ID)));
        assertThat(named.header(KEY_ID)).isEqualTo(answer.header(KEY_ID));
    }

    @ParameterizedTest
    @CsvSource({
        "aes256, , InvalidArgument",
        "'', , InvalidArgument",
        "AES256, first, InvalidArgument",
        ", first, InvalidArgument",
        "aws:kms, nobody, KMS.NotFoundException",
        "aws:kms, dedupstore-managed, KMS.NotFoundException",
        "aws:kms:dsse, arn:aws:kms:us-east-1:999999999999:key/first, KMS.NotFoundException",
    })
    void wrongWordsAreRefusedBeforeTheBodyIsRead(String algorithm, String key, String code) {
        Call call = put("k", words(10));
        if (algorithm != null) {
            call.header(SSE, algorithm);
        }
        if (key != null) {
            call.header(KEY_ID, key);
        }
        Answer answer = gateway.send(call);
        assertThat(answer.code()).isEqualTo(code);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(call.bodyRead()).isFalse();
    }

    @Test
    void aDisabledKeyOpensNothing() {
        gateway.send(put("k", words(10)).header(SSE, "aws:kms").header(KEY_ID, "first"));
        gateway.control.enableKey("first", false);
        assertThat(gateway.send("GET", "/docs/k").code()).isEqualTo("KMS.DisabledException");
        assertThat(gateway.send("HEAD", "/docs/k").status()).isEqualTo(400);
        assertThat(
                        gateway.send(
                                        put("k", words(10))
                                                .header(SSE, "aws:kms")
                                                .header(KEY_ID, "first"))
                                .code())
                .isEqualTo("KMS.DisabledException");
        gateway.control.enableKey("first", true);
        assertThat(gateway.send("GET", "/docs/k").body()).isEqualTo(words(10));
    }

    @Test
    void rotationChangesNothingForClients() {
        byte[] body = words(100_000);
        gateway.send(put("k", body).header(SSE, "aws:kms").header(KEY_ID, "first"));
        int before = gateway.chunks.appended();
        gateway.control.rotateKey("first");
        assertThat(gateway.send("GET", "/docs/k").body()).isEqualTo(body);
        gateway.send(put("again", body).header(SSE, "aws:kms").header(KEY_ID, "first"));
        assertThat(gateway.chunks.appended()).isEqualTo(before);
    }

    @Test
    void equalBytesAreSharedUnderOneKeyOnly() {
        byte[] body = words(100_000);
        String[][] kinds = {
            {"", ""},
            {"AES256", ""},
            {"aws:kms", "first"},
            {"aws:kms", "second"},
            {"aws:kms:dsse", "first"},
        };
        for (String[] kind : kinds) {
            for (int i = 0; i < 2; i++) {
                int before = gateway.chunks.appended();
                Call call = put("same-" + kind[0] + kind[1] + i, body);
                if (!kind[0].isEmpty()) {
                    call.header(SSE, kind[0]);
                }
                if (!kind[1].isEmpty()) {
                    call.header(KEY_ID, kind[1]);
                }
                assertThat(gateway.send(call).status()).isEqualTo(200);
                assertThat(gateway.chunks.appended() > before)
                        .as("%s %s %d", kind[0], kind[1], i)
                        .isEqualTo(i == 0);
            }
        }
    }

    @Test
    void copiesUnderTheSameKeyMoveNothing() {
        byte[] body = words(100_000);
        gateway.send(put("k", body).header(SSE, "aws:kms").header(KEY_ID, "first"));
        int before = gateway.chunks.appended();
        Call same =
                new Call("PUT", "/docs/same")
                        .header("x-amz-copy-source", "docs/k")
                        .header(SSE, "aws:kms")
                        .header(KEY_ID, "alias/first");
        assertThat(gateway.send(same).header(KEY_ID)).isEqualTo("alias/first");
        assertThat(gateway.chunks.appended()).isEqualTo(before);
        Call other = new Call("PUT", "/docs/other").header("x-amz-copy-source", "docs/k");
        assertThat(gateway.send(other).header(SSE)).isEmpty();
        assertThat(gateway.chunks.appended()).isGreaterThan(before);
        assertThat(gateway.chunks.contains(Arrays.copyOf(body, 64))).isTrue();
        for (String key : new String[] {"k", "same", "other"}) {
            assertThat(gateway.send("GET", "/docs/" + key).body()).isEqualTo(body);
        }
        assertThat(gateway.send("HEAD", "/docs/other").header("etag"))
                .isEqualTo('"' + HexFormat.of().formatHex(md5(body)) + '"');
    }

    @Test
    void requestsThatOnlyReadMayNotNameAnAlgorithm() {
        gateway.send(put("m", words(10)).header(SSE, "AES256"));
        Answer get = gateway.send(new Call("GET", "/docs/m").header(SSE, "AES256"));
        assertThat(get.code()).isEqualTo("InvalidArgument");
        assertThat(gateway.send(new Call("HEAD", "/docs/m").header(SSE, "AES256")).status())
                .isEqualTo(400);
    }

    // ---- the bucket's default ----

    private Answer configure(String inRule) {
        String document =
                "<ServerSideEncryptionConfiguration xmlns=\"%s\"><Rule>%s</Rule>"
                                .formatted(NAMESPACE, inRule)
                        + "</ServerSideEncryptionConfiguration>";
        byte[] md5 = md5(document.getBytes(StandardCharsets.UTF_8));
        return gateway.send(
                new Call("PUT", "/docs?encryption")
                        .header("content-md5", Base64.getEncoder().encodeToString(md5))
                        .body(document));
    }

    private static String byDefault(String algorithm, String more) {
        return "<ApplyServerSideEncryptionByDefault><SSEAlgorithm>"
                + algorithm
                + "</SSEAlgorithm>"
                + more
                + "</ApplyServerSideEncryptionByDefault>";
    }

    @Test
    void aConfigurationIsAnsweredAsItWasSet() {
        Answer unset = gateway.send("GET", "/docs?encryption");
        assertThat(unset.code()).isEqualTo("ServerSideEncryptionConfigurationNotFoundError");
        assertThat(unset.status()).isEqualTo(404);
        String key = "<KMSMasterKeyID>second</KMSMasterKeyID>";
        assertThat(
                        configure(
                                        byDefault("aws:kms", key)
                                                + "<BucketKeyEnabled>true</BucketKeyEnabled>")
                                .status())
                .isEqualTo(200);
        assertThat(gateway.send("GET", "/docs?encryption").text())
                .endsWith(
                        "<ServerSideEncryptionConfiguration xmlns=\""
                                + NAMESPACE
                                + "\"><Rule>"
                                + byDefault("aws:kms", key)
                                + "<BucketKeyEnabled>true</BucketKeyEnabled></Rule>"
                                + "</ServerSideEncryptionConfiguration>");
        Answer put = gateway.send(put("k", words(10)));
        assertThat(put.header(KEY_ID)).isEqualTo("second");
        assertThat(put.header(SSE + "-bucket-key-enabled")).isEqualTo("true");
        assertThat(gateway.send("DELETE", "/docs?encryption").status()).isEqualTo(204);
        assertThat(gateway.send("GET", "/docs?encryption").status()).isEqualTo(404);
        assertThat(gateway.send("HEAD", "/docs/k").header(KEY_ID)).isEqualTo("second");
    }

    @Test
    void wrongConfigurationsAreRefused() {
        assertThat(configure(byDefault("AES512", "")).code()).isEqualTo("MalformedXML");
        assertThat(configure("").status()).isEqualTo(400);
        assertThat(configure("<ApplyServerSideEncryptionByDefault/>").code())
                .isEqualTo("MalformedXML");
        String key = "<KMSMasterKeyID>first</KMSMasterKeyID>";
        assertThat(configure(byDefault("AES256", key)).code()).isEqualTo("InvalidArgument");
        String rule = byDefault("AES256", "");
        assertThat(configure(rule + "</Rule><Rule>" + rule).code()).isEqualTo("MalformedXML");
        assertThat(configure(rule + "<BucketKeyEnabled>maybe</BucketKeyEnabled>").code())
                .isEqualTo("MalformedXML");
        String blocked =
                "<BlockedEncryptionTypes><EncryptionType>SSE-X</EncryptionType>"
                        + "</BlockedEncryptionTypes>";
        assertThat(configure(rule + blocked).code()).isEqualTo("MalformedXML");
    }

    @Test
    void aBucketCanRefuseKeysOfClients() {
        assertThat(gateway.send(withKey(put("c", words(10)), 1)).status()).isEqualTo(200);
        configure(
                byDefault("AES256", "")
                        + "<BlockedEncryptionTypes><EncryptionType>SSE-C</EncryptionType>"
                        + "</BlockedEncryptionTypes>");
        assertThat(gateway.send(withKey(put("c2", words(10)), 1)).code()).isEqualTo("AccessDenied");
        assertThat(gateway.send(withKey(new Call("GET", "/docs/c"), 1)).body())
                .isEqualTo(words(10));
    }

    @Test
    void theServerCanEncryptEverything() {
        gateway.close();
        gateway = new TestGateway(1, new EncryptionSettings(true, CustomerKeyRule.LOCAL, false));
        gateway.send("PUT", "/docs");
        byte[] body = words(50_000);
        assertThat(gateway.send(put("k", body)).header(SSE)).isEqualTo("AES256");
        assertThat(gateway.chunks.contains(Arrays.copyOf(body, 32))).isFalse();
        assertThat(gateway.send("GET", "/docs?encryption").element("SSEAlgorithm"))
                .isEqualTo("AES256");
        assertThat(gateway.send("GET", "/docs/k").body()).isEqualTo(body);
    }

    @Test
    void keysAreMadeWhenTheyAreFirstNamedWhereThatIsSet() {
        gateway.close();
        gateway = new TestGateway(1, new EncryptionSettings(false, CustomerKeyRule.LOCAL, true));
        gateway.send("PUT", "/docs");
        for (String key : new String[] {"k1", "k2"}) {
            Answer put =
                    gateway.send(
                            put(key, words(10)).header(SSE, "aws:kms").header(KEY_ID, "testkey-1"));
            assertThat(put.status()).isEqualTo(200);
            assertThat(put.header(KEY_ID)).isEqualTo("testkey-1");
            assertThat(gateway.send("GET", "/docs/" + key).body()).isEqualTo(words(10));
        }
        for (String none :
                new String[] {"alias/nobody", "dedupstore-managed", "x".repeat(65), "a b"}) {
            Call call = put("k", words(10)).header(SSE, "aws:kms").header(KEY_ID, none);
            assertThat(gateway.send(call).code()).as(none).isEqualTo("KMS.NotFoundException");
        }
    }

    // ---- keys of clients ----

    @Test
    void anObjectUnderAClientsKeyNeedsIt() {
        for (int size : new int[] {100, 300_000}) {
            byte[] body = words(size);
            Answer put = gateway.send(withKey(put("c", body), 1));
            assertThat(put.header(CustomerKey.PREFIX + "algorithm")).isEqualTo("AES256");
            assertThat(put.header(SSE)).isEmpty();
            assertThat(gateway.send(withKey(new Call("GET", "/docs/c"), 1)).body()).isEqualTo(body);
            assertThat(gateway.send("GET", "/docs/c").code()).isEqualTo("InvalidRequest");
            assertThat(gateway.send("HEAD", "/docs/c").status()).isEqualTo(400);
            assertThat(gateway.send(withKey(new Call("GET", "/docs/c"), 2)).code())
                    .isEqualTo("AccessDenied");
            assertThat(gateway.send(withKey(new Call("HEAD", "/docs/c"), 2)).status())
                    .isEqualTo(403);
            assertThat(gateway.send("DELETE", "/docs/c").status()).isEqualTo(204);
        }
    }

    @Test
    void aKeyIsNeverTold() {
        Call call = put("c", words(10)).header(CustomerKey.PREFIX + "algorithm", "AES256");
        call.header(CustomerKey.PREFIX + "key", "bm90IGEga2V5IG9mIDMyIGJ5dGVz")
                .header(CustomerKey.PREFIX + "key-md5", "x");
        Answer answer = gateway.send(call);
        assertThat(answer.code()).isEqualTo("InvalidArgument");
        assertThat(answer.text()).doesNotContain("bm90");
    }

    @Test
    void inClearTextKeysAreTakenFromThisMachineOnly() {
        assertThat(sseCFrom("203.0.113.9", false)).isEqualTo("InvalidRequest");
        assertThat(sseCFrom("203.0.113.9", true)).isEqualTo("200");
        assertThat(sseCFrom("127.0.0.1", false)).isEqualTo("200");
        Call forwarded = withKey(put("c", words(10)), 1).header("x-forwarded-for", "203.0.113.9");
        assertThat(gateway.send(forwarded).code()).isEqualTo("InvalidRequest");
        gateway.close();
        gateway = new TestGateway(1, new EncryptionSettings(false, CustomerKeyRule.TLS, false));
        gateway.send("PUT", "/docs");
        assertThat(sseCFrom("127.0.0.1", false)).isEqualTo("InvalidRequest");
        assertThat(sseCFrom("127.0.0.1", true)).isEqualTo("200");
        gateway.close();
        gateway = new TestGateway(1, new EncryptionSettings(false, CustomerKeyRule.OFF, false));
        gateway.send("PUT", "/docs");
        assertThat(sseCFrom("127.0.0.1", true)).isEqualTo("NotImplemented");
    }

    private String sseCFrom(String peer, boolean secure) {
        return gateway.send(withKey(put("c", words(10)), 1).from(peer, secure)).code();
    }

    @Test
    void everyPartComesWithTheUploadsKey() {
        Answer created = gateway.send(withKey(new Call("POST", "/docs/u?uploads"), 1));
        assertThat(created.header(CustomerKey.PREFIX + "algorithm")).isEqualTo("AES256");
        String part = "/docs/u?partNumber=1&uploadId=" + created.element("UploadId");
        byte[] body = words(1000);
        assertThat(gateway.send(new Call("PUT", part).body(body)).code())
                .isEqualTo("InvalidRequest");
        assertThat(gateway.send(withKey(new Call("PUT", part).body(body), 2)).code())
                .isEqualTo("InvalidRequest");
        Answer sent = gateway.send(withKey(new Call("PUT", part).body(body), 1));
        assertThat(sent.status()).isEqualTo(200);
        Answer done =
                gateway.send(
                        new Call("POST", "/docs/u?uploadId=" + created.element("UploadId"))
                                .body(
                                        "<CompleteMultipartUpload><Part><PartNumber>1</PartNumber>"
                                                + "<ETag>"
                                                + sent.header("etag")
                                                + "</ETag></Part></CompleteMultipartUpload>"));
        assertThat(done.status()).isEqualTo(200);
        assertThat(gateway.send(withKey(new Call("GET", "/docs/u"), 1)).body()).isEqualTo(body);
    }

    @Test
    void aCopyReadsWithTheSourcesKey() {
        byte[] body = words(100_000);
        gateway.send(withKey(put("c", body), 1));
        Call without = new Call("PUT", "/docs/d").header("x-amz-copy-source", "docs/c");
        assertThat(gateway.send(without).code()).isEqualTo("InvalidRequest");
        Call with = new Call("PUT", "/docs/d").header("x-amz-copy-source", "docs/c");
        withKey(with, 1, CustomerKey.SOURCE_PREFIX).header(SSE, "AES256");
        assertThat(gateway.send(with).status()).isEqualTo(200);
        assertThat(gateway.send("GET", "/docs/d").body()).isEqualTo(body);
        Call rekey = new Call("PUT", "/docs/c").header("x-amz-copy-source", "docs/c");
        withKey(withKey(rekey, 1, CustomerKey.SOURCE_PREFIX), 2);
        assertThat(gateway.send(rekey).status()).isEqualTo(200);
        assertThat(gateway.send(withKey(new Call("GET", "/docs/c"), 1)).code())
                .isEqualTo("AccessDenied");
        assertThat(gateway.send(withKey(new Call("GET", "/docs/c"), 2)).body()).isEqualTo(body);
    }
}
