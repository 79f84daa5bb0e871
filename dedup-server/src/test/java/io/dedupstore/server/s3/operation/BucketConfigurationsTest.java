package io.dedupstore.server.s3.operation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BucketConfigurationsTest {
    private static final String NAMESPACE = " xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"";

    private final TestGateway gateway = new TestGateway();

    @BeforeEach
    void makeBucket() {
        gateway.send("PUT", "/docs");
    }

    @AfterEach
    void close() {
        gateway.close();
    }

    private Answer set(String subResource, String document) {
        return gateway.send(
                new Call("PUT", "/docs?" + subResource)
                        .header("content-md5", Md5.base64(document))
                        .body(document));
    }

    private static String tags(int from, int to) {
        StringBuilder tags = new StringBuilder();
        for (int i = from; i < to; i++) {
            tags.append("<Tag><Key>k").append(i).append("</Key><Value>v</Value></Tag>");
        }
        return "<Tagging><TagSet>" + tags + "</TagSet></Tagging>";
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "tagging | <Tagging><TagSet><Tag><Key>a b</Key><Value>ü</Value></Tag></TagSet></Tagging>",
                "ownershipControls | <OwnershipControls><Rule><ObjectOwnership>BucketOwnerEnforced"
                        + "</ObjectOwnership></Rule></OwnershipControls>",
                "requestPayment | <RequestPaymentConfiguration><Payer>BucketOwner</Payer>"
                        + "</RequestPaymentConfiguration>",
                "publicAccessBlock | <PublicAccessBlockConfiguration><BlockPublicAcls>true"
                        + "</BlockPublicAcls><IgnorePublicAcls>false</IgnorePublicAcls>"
                        + "<BlockPublicPolicy>true</BlockPublicPolicy><RestrictPublicBuckets>false"
                        + "</RestrictPublicBuckets></PublicAccessBlockConfiguration>"
            })
    void whatIsSetIsReadUntilItIsRemoved(String subResource, String document) {
        Answer unset = gateway.send("GET", "/docs?" + subResource);

        assertThat(set(subResource, document).status()).isIn(200, 204);
        assertThat(gateway.send("GET", "/docs?" + subResource).text().replace(NAMESPACE, ""))
                .endsWith(document);
        assertThat(set(subResource, document).status()).isIn(200, 204);

        if (!subResource.equals("requestPayment")) {
            assertThat(gateway.send("DELETE", "/docs?" + subResource).status()).isEqualTo(204);
            assertThat(gateway.send("DELETE", "/docs?" + subResource).status()).isEqualTo(204);
            assertThat(gateway.send("GET", "/docs?" + subResource).code()).isEqualTo(unset.code());
        }
    }

    @Test
    void thereMayBeNoNotifications() {
        String none = "<NotificationConfiguration/>";
        String bucket = gateway.send("GET", "/").elements("Name").getFirst();
        Answer set =
                gateway.send(
                        new Call("PUT", "/" + bucket + "?notification")
                                .header("content-md5", Md5.base64(none))
                                .body(none));
        assertThat(set.status()).as(set.text()).isEqualTo(200);
        assertThat(gateway.send("GET", "/" + bucket + "?notification").text())
                .contains("NotificationConfiguration");
        String some =
                "<NotificationConfiguration><TopicConfiguration/></NotificationConfiguration>";
        Answer refused =
                gateway.send(
                        new Call("PUT", "/" + bucket + "?notification")
                                .header("content-md5", Md5.base64(some))
                                .body(some));
        assertThat(refused.code()).isEqualTo("NotImplemented");
    }

    @Test
    void anotherBucketOfTheSameNameKnowsNothingOfIt() {
        set("tagging", tags(0, 1));
        gateway.send("DELETE", "/docs");
        gateway.send("PUT", "/docs");
        assertThat(gateway.send("GET", "/docs?tagging").code()).isEqualTo("NoSuchTagSet");
    }

    @Test
    void whatIsLeftOutOfAPublicAccessBlockIsOff() {
        String root = "PublicAccessBlockConfiguration";
        set(
                "publicAccessBlock",
                "<%s><BlockPublicPolicy>TRUE</BlockPublicPolicy></%<s>".formatted(root));
        Answer answer = gateway.send("GET", "/docs?publicAccessBlock");
        assertThat(answer.element("BlockPublicPolicy")).isEqualTo("true");
        assertThat(answer.element("BlockPublicAcls")).isEqualTo("false");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "tagging | <Tagging/> | MalformedXML",
                "tagging | <Tagging><TagSet><Tag><Key>a</Key></Tag></TagSet></Tagging> | MalformedXML",
                "tagging | <Tagging><TagSet><Tag><Key></Key><Value>v</Value></Tag></TagSet></Tagging> | InvalidTag",
                "tagging | <Tagging><TagSet><Tag><Key>aws:x</Key><Value>v</Value></Tag></TagSet></Tagging> | InvalidTag",
                "tagging | <Tagging><TagSet><Tag><Key>a*</Key><Value>v</Value></Tag></TagSet></Tagging> | InvalidTag",
                "tagging | <Tagging><TagSet><Tag><Key>a</Key><Value>{</Value></Tag></TagSet></Tagging> | InvalidTag",
                "tagging | <Tagging><TagSet><Tag><Key>a</Key><Value>1</Value></Tag><Tag><Key>a</Key><Value>2</Value></Tag></TagSet></Tagging> | InvalidTag",
                "tagging | <Other/> | MalformedXML",
                "tagging | <Tagging> | MalformedXML",
                "ownershipControls | <OwnershipControls/> | MalformedXML",
                "ownershipControls | <OwnershipControls><Rule><ObjectOwnership>Nobody</ObjectOwnership></Rule></OwnershipControls> | MalformedXML",
                "requestPayment | <RequestPaymentConfiguration><Payer>Requester</Payer></RequestPaymentConfiguration> | NotImplemented",
                "requestPayment | <RequestPaymentConfiguration/> | MalformedXML",
                "publicAccessBlock | <PublicAccessBlockConfiguration><BlockPublicAcls>maybe</BlockPublicAcls></PublicAccessBlockConfiguration> | MalformedXML",
                "versioning | <VersioningConfiguration/> | IllegalVersioningConfigurationException",
                "versioning | <VersioningConfiguration><Status>on</Status></VersioningConfiguration>"
                        + " | MalformedXML",
                "versioning | <VersioningConfiguration><Status>Enabled</Status>"
                        + "<MfaDelete>Enabled</MfaDelete></VersioningConfiguration>"
                        + " | NotImplemented",
                "object-lock | <ObjectLockConfiguration><ObjectLockEnabled>Enabled"
                        + "</ObjectLockEnabled></ObjectLockConfiguration> | InvalidBucketState"
            })
    void whatMakesNoSenseOrCannotBeKeptIsRefusedAndChangesNothing(
            String subResource, String document, String code) {
        Answer before = gateway.send("GET", "/docs?" + subResource);
        assertThat(set(subResource, document).code()).isEqualTo(code);
        assertThat(gateway.send("GET", "/docs?" + subResource).code()).isEqualTo(before.code());
    }

    @Test
    void aBucketHasFiftyTagsAtMost() {
        assertThat(set("tagging", tags(0, 50)).status()).isEqualTo(204);
        assertThat(set("tagging", tags(0, 51)).code()).isEqualTo("BadRequest");
        assertThat(gateway.send("GET", "/docs?tagging").elements("Tag")).hasSize(50);
    }

    @Test
    void aDocumentNeedsADigestAndItsOwner() {
        String document = tags(0, 1);
        assertThat(gateway.put("/docs?tagging", document).code()).isEqualTo("InvalidRequest");
        Call wrong =
                new Call("PUT", "/docs?tagging")
                        .header("content-md5", Md5.base64("other"))
                        .body(document);
        assertThat(gateway.send(wrong).code()).isEqualTo("BadDigest");
        for (String caller : new String[] {"another", "anonymous"}) {
            Call call =
                    new Call("PUT", "/docs?tagging")
                            .header("content-md5", Md5.base64(document))
                            .body(document);
            assertThat(gateway.sendAs(caller, call).code()).isEqualTo("AccessDenied");
        }
        assertThat(gateway.send("GET", "/docs?tagging").code()).isEqualTo("NoSuchTagSet");
        assertThat(set("tagging&id=x", document).code()).isEqualTo("NotImplemented");
    }

    @Test
    void aDocumentHasItsLimit() {
        String large = "<Tagging><TagSet>" + " ".repeat(64 << 10) + "</TagSet></Tagging>";
        assertThat(set("tagging", large).code()).isEqualTo("MalformedXML");
    }
}
