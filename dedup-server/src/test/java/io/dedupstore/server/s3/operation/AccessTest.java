package io.dedupstore.server.s3.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.core.control.Account;
import io.dedupstore.core.control.Identity;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who may do what: policies, access lists, ownership and blocks, over whole requests. */
class AccessTest {
    private static final String ALL_USERS = "http://acs.amazonaws.com/groups/global/AllUsers";

    private final TestGateway gateway = new TestGateway();
    private final Account other = gateway.control.createAccount("other", "other@example.com");
    private final String owner = gateway.control.rootAccount().canonicalId();

    @BeforeEach
    void makeBucket() {
        gateway.send("PUT", "/docs");
        gateway.put("/docs/k", "x");
    }

    @AfterEach
    void close() {
        gateway.close();
    }

    private String as(String who, String method, String target) {
        return as(who, new Call(method, target));
    }

    private String as(String who, Call call) {
        return gateway.sendAs(who.equals("other") ? other.id() : who, call).code();
    }

    private static Call put(String target) {
        return new Call("PUT", target).body("x");
    }

    private void user(String name, String... policies) {
        TreeMap<String, String> documents = new TreeMap<>();
        for (int i = 0; i < policies.length; i++) {
            documents.put("p" + i, policies[i]);
        }
        gateway.control.putIdentity(
                Identity.user(gateway.account, name, "AIDA" + name.toUpperCase(), "/", 1)
                        .withPolicies(documents));
    }

    private Answer policy(String statements) {
        return gateway.put(
                "/docs?policy", "{\"Version\":\"2012-10-17\",\"Statement\":[" + statements + "]}");
    }

    private static String allow(String principal, String action, String resource, String more) {
        return "{\"Effect\":\"Allow\",\"Principal\":%s,\"Action\":\"%s\",\"Resource\":\"%s\"%s}"
                .formatted(principal, action, resource, more);
    }

    @Test
    void nobodyButTheOwnerMayAnything() {
        for (String who : List.of("other", "anonymous")) {
            assertThat(as(who, "GET", "/docs/k")).isEqualTo("AccessDenied");
            assertThat(as(who, "HEAD", "/docs/k")).isEqualTo("403");
            assertThat(as(who, "GET", "/docs")).isEqualTo("AccessDenied");
            assertThat(as(who, put("/docs/k"))).isEqualTo("AccessDenied");
            assertThat(as(who, "DELETE", "/docs/k")).isEqualTo("AccessDenied");
            assertThat(as(who, "GET", "/docs/none")).isEqualTo("AccessDenied");
            assertThat(as(who, "GET", "/none")).isEqualTo("NoSuchBucket");
        }
        assertThat(as("anonymous", "GET", "/")).isEqualTo("AccessDenied");
        assertThat(as("anonymous", "PUT", "/mine")).isEqualTo("AccessDenied");
        assertThat(as("other", "GET", "/")).isEqualTo("200");
    }

    @ParameterizedTest
    @CsvSource({
        // canned, anonymous list, anonymous write, other list, other write
        "private, AccessDenied, AccessDenied, AccessDenied, AccessDenied",
        "public-read, 200, AccessDenied, 200, AccessDenied",
        "public-read-write, 200, 200, 200, 200",
        "authenticated-read, AccessDenied, AccessDenied, 200, AccessDenied",
    })
    void cannedListsOpenBuckets(
            String canned, String list, String write, String otherList, String otherWrite) {
        assertThat(gateway.send(new Call("PUT", "/docs?acl").header("x-amz-acl", canned)).status())
                .isEqualTo(200);
        assertThat(as("anonymous", "GET", "/docs")).isEqualTo(list);
        assertThat(as("anonymous", put("/docs/new"))).isEqualTo(write);
        assertThat(as("other", "GET", "/docs")).isEqualTo(otherList);
        assertThat(as("other", put("/docs/new"))).isEqualTo(otherWrite);
        assertThat(as("other", "GET", "/docs/k")).isEqualTo("AccessDenied");
        assertThat(as("anonymous", "GET", "/docs/none"))
                .isEqualTo(list.equals("200") ? "NoSuchKey" : "AccessDenied");
    }

    @ParameterizedTest
    @CsvSource({
        "private, AccessDenied, AccessDenied",
        "public-read, 200, 200",
        "authenticated-read, AccessDenied, 200",
    })
    void cannedListsOpenObjects(String canned, String anonymous, String others) {
        gateway.send(put("/docs/made").header("x-amz-acl", canned));
        gateway.send(new Call("PUT", "/docs/k?acl").header("x-amz-acl", canned));
        for (String key : List.of("/docs/made", "/docs/k")) {
            assertThat(as("anonymous", "GET", key)).isEqualTo(anonymous);
            assertThat(as("other", "GET", key)).isEqualTo(others);
            assertThat(as("other", put(key))).isEqualTo("AccessDenied");
            assertThat(as("other", "GET", key + "?acl")).isEqualTo("AccessDenied");
        }
    }

    @Test
    void listsAreAnsweredAsTheyWereGiven() {
        gateway.send(
                new Call("PUT", "/docs/k?acl")
                        .header("x-amz-grant-read", "uri=\"" + ALL_USERS + "\", id=" + owner)
                        .header("x-amz-grant-write-acp", "emailAddress=other@example.com"));
        Answer acl = gateway.send("GET", "/docs/k?acl");
        assertThat(acl.elements("Permission")).containsExactly("READ", "READ", "WRITE_ACP");
        assertThat(acl.elements("URI")).containsExactly(ALL_USERS);
        assertThat(acl.elements("ID")).containsExactly(owner, owner, other.canonicalId());
        assertThat(acl.text())
                .contains(
                        "<Grantee xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\""
                                + " xsi:type=\"Group\">");
        assertThat(gateway.put("/docs/k?acl", acl.text()).status()).isEqualTo(200);
        assertThat(gateway.send("GET", "/docs/k?acl").text()).isEqualTo(acl.text());
        assertThat(
                        gateway.sendAs(other.id(), new Call("PUT", "/docs/k?acl").body(acl.text()))
                                .code())
                .isEqualTo("200");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "x-amz-acl | nonsense | InvalidArgument",
                "x-amz-grant-read | id=nobody | InvalidArgument",
                "x-amz-grant-read | uri=http://example.com/ | InvalidArgument",
                "x-amz-grant-read | emailAddress=no@example.com | UnresolvableGrantByEmailAddress",
                "x-amz-grant-read | nonsense | InvalidArgument",
                "x-other | a | MissingSecurityHeader",
            })
    void whatIsNoListIsRefused(String header, String value, String code) {
        for (String target : List.of("/docs?acl", "/docs/k?acl")) {
            assertThat(gateway.send(new Call("PUT", target).header(header, value)).code())
                    .isEqualTo(code);
        }
    }

    @Test
    void documentsThatAreNoListAreRefused() {
        assertThat(gateway.put("/docs?acl", "<x/>").code()).isEqualTo("MalformedACLError");
        String text = gateway.send("GET", "/docs?acl").text();
        assertThat(gateway.put("/docs?acl", text.replace("FULL_CONTROL", "MUCH")).code())
                .isEqualTo("MalformedACLError");
        assertThat(gateway.put("/docs?acl", text.replace(owner, "nobody")).code())
                .isEqualTo("InvalidArgument");
        assertThat(gateway.put("/docs?acl", text.replaceFirst(owner, other.canonicalId())).code())
                .isEqualTo("AccessDenied");
        Call both = new Call("PUT", "/docs?acl").header("x-amz-acl", "private").body(text);
        assertThat(gateway.send(both).code()).isEqualTo("UnexpectedContent");
        Call two =
                new Call("PUT", "/docs?acl")
                        .header("x-amz-acl", "private")
                        .header("x-amz-grant-read", "id=" + owner);
        assertThat(gateway.send(two).code()).isEqualTo("InvalidRequest");
    }

    @Test
    void anOwnerCanGiveUpEverythingButTheList() {
        String empty = "<AccessControlList></AccessControlList>";
        String text =
                gateway.send("GET", "/docs?acl")
                        .text()
                        .replaceAll("(?s)<AccessControlList>.*</AccessControlList>", empty);
        assertThat(gateway.put("/docs?acl", text).status()).isEqualTo(200);
        assertThat(gateway.put("/docs/new", "x").code()).isEqualTo("AccessDenied");
        assertThat(gateway.send("GET", "/docs").code()).isEqualTo("AccessDenied");
        assertThat(gateway.send("GET", "/docs/k").code()).isEqualTo("200");
        assertThat(gateway.send("GET", "/docs?acl").code()).isEqualTo("200");
        assertThat(gateway.send(new Call("PUT", "/docs?acl").header("x-amz-acl", "private")).code())
                .isEqualTo("200");
        assertThat(gateway.put("/docs/new", "x").code()).isEqualTo("200");
    }

    @Test
    void whatOthersWriteIsTheirs() {
        gateway.send(new Call("PUT", "/docs?acl").header("x-amz-acl", "public-read-write"));
        assertThat(as("other", put("/docs/theirs"))).isEqualTo("200");
        assertThat(gateway.send("GET", "/docs/theirs").code()).isEqualTo("AccessDenied");
        assertThat(gateway.send("GET", "/docs/theirs?acl").code()).isEqualTo("AccessDenied");
        assertThat(as("other", "GET", "/docs/theirs")).isEqualTo("200");
        assertThat(as("other", "GET", "/docs/theirs?acl")).isEqualTo("200");
        assertThat(gateway.send("GET", "/docs?list-type=2&fetch-owner=true").elements("ID"))
                .containsExactly(owner, other.canonicalId());
        Call open = put("/docs/open").header("x-amz-acl", "bucket-owner-full-control");
        assertThat(as("other", open)).isEqualTo("200");
        assertThat(gateway.send("GET", "/docs/open").code()).isEqualTo("200");
        assertThat(gateway.send("GET", "/docs/open?acl").elements("ID"))
                .containsExactly(other.canonicalId(), other.canonicalId(), owner);
        assertThat(gateway.send("DELETE", "/docs/theirs").code()).isEqualTo("204");
        assertThat(gateway.send("GET", "/docs/k").code()).isEqualTo("200");
    }

    private int ownership(String text) {
        String document =
                "<OwnershipControls><Rule><ObjectOwnership>"
                        + text
                        + "</ObjectOwnership></Rule></OwnershipControls>";
        return gateway.send(
                        new Call("PUT", "/docs?ownershipControls")
                                .header("content-md5", Md5.base64(document))
                                .body(document))
                .status();
    }

    @Test
    void ownershipDecidesWhoseObjectsAre() {
        assertThat(policy(allow("\"*\"", "s3:*", "arn:aws:s3:::docs/*", "")).status())
                .isEqualTo(204);
        assertThat(ownership("BucketOwnerPreferred")).isEqualTo(200);
        Call given = put("/docs/given").header("x-amz-acl", "bucket-owner-full-control");
        assertThat(as("other", given)).isEqualTo("200");
        assertThat(gateway.send("GET", "/docs/given?acl").elements("ID"))
                .containsExactly(owner, owner);
        assertThat(as("other", put("/docs/kept"))).isEqualTo("200");
        assertThat(gateway.send("GET", "/docs/kept").code()).isEqualTo("AccessDenied");
        assertThat(ownership("BucketOwnerEnforced")).isEqualTo(200);
        assertThat(gateway.send("GET", "/docs/kept").code()).isEqualTo("200");
        assertThat(gateway.send(put("/docs/a").header("x-amz-acl", "public-read")).code())
                .isEqualTo("AccessControlListNotSupported");
        assertThat(gateway.send(new Call("PUT", "/docs?acl").header("x-amz-acl", "private")).code())
                .isEqualTo("AccessControlListNotSupported");
        assertThat(gateway.send("GET", "/docs?acl").elements("ID")).containsExactly(owner, owner);
        assertThat(gateway.send("DELETE", "/docs?ownershipControls").code()).isEqualTo("204");
        gateway.send(new Call("PUT", "/docs?acl").header("x-amz-acl", "public-read"));
        assertThat(ownership("BucketOwnerEnforced")).isEqualTo(400);
    }

    @ParameterizedTest
    @CsvSource({
        "BucketOwnerEnforced, public-read, InvalidBucketAclWithObjectOwnership",
        "BucketOwnerEnforced, private, 200",
        "ObjectWriter, public-read, 200",
        "Nonsense, private, InvalidArgument",
    })
    void ownershipIsNamedAtCreation(String ownership, String canned, String code) {
        Call call =
                new Call("PUT", "/more")
                        .header("x-amz-object-ownership", ownership)
                        .header("x-amz-acl", canned);
        assertThat(gateway.send(call).code()).isEqualTo(code);
        if (code.equals("200")) {
            assertThat(gateway.send("GET", "/more?ownershipControls").element("ObjectOwnership"))
                    .isEqualTo(ownership);
        }
    }

    private void block(String name) {
        String document =
                "<PublicAccessBlockConfiguration><%s>true</%<s></PublicAccessBlockConfiguration>"
                        .formatted(name);
        Answer answer =
                gateway.send(
                        new Call("PUT", "/docs?publicAccessBlock")
                                .header("content-md5", Md5.base64(document))
                                .body(document));
        assertThat(answer.status()).isEqualTo(200);
    }

    @Test
    void publicListsAreBlockedOrIgnored() {
        gateway.send(new Call("PUT", "/docs/k?acl").header("x-amz-acl", "public-read"));
        block("BlockPublicAcls");
        assertThat(as("anonymous", "GET", "/docs/k")).isEqualTo("200");
        for (Call call :
                List.of(
                        new Call("PUT", "/docs?acl").header("x-amz-acl", "public-read"),
                        new Call("PUT", "/docs/k?acl").header("x-amz-acl", "authenticated-read"),
                        put("/docs/new").header("x-amz-acl", "public-read"),
                        put("/docs/new").header("x-amz-grant-read", "uri=" + ALL_USERS))) {
            assertThat(gateway.send(call).code()).isEqualTo("AccessDenied");
        }
        assertThat(gateway.send(put("/docs/new").header("x-amz-acl", "private")).code())
                .isEqualTo("200");
        block("IgnorePublicAcls");
        assertThat(as("anonymous", "GET", "/docs/k")).isEqualTo("AccessDenied");
        assertThat(gateway.send("GET", "/docs/k?acl").elements("URI")).containsExactly(ALL_USERS);
    }

    @Test
    void publicPoliciesAreBlockedOrRestricted() {
        String open = allow("\"*\"", "s3:GetObject", "arn:aws:s3:::docs/*", "");
        assertThat(gateway.send("GET", "/docs?policyStatus").element("IsPublic"))
                .isEqualTo("false");
        assertThat(policy(open).status()).isEqualTo(204);
        assertThat(gateway.send("GET", "/docs?policyStatus").element("IsPublic")).isEqualTo("true");
        assertThat(as("anonymous", "GET", "/docs/k")).isEqualTo("200");
        block("RestrictPublicBuckets");
        assertThat(as("anonymous", "GET", "/docs/k")).isEqualTo("AccessDenied");
        assertThat(as("other", "GET", "/docs/k")).isEqualTo("AccessDenied");
        block("BlockPublicPolicy");
        assertThat(policy(open).code()).isEqualTo("AccessDenied");
        String named =
                allow(
                        "{\"AWS\":\"" + other.id() + "\"}",
                        "s3:GetObject",
                        "arn:aws:s3:::docs/*",
                        "");
        assertThat(policy(named).status()).isEqualTo(204);
        assertThat(as("other", "GET", "/docs/k")).isEqualTo("200");
    }

    @Test
    void aPolicyIsAnsweredToTheLetter() {
        String text =
                " {\"Version\": \"2012-10-17\", \"Statement\": ["
                        + allow("\"*\"", "s3:ListBucket", "arn:aws:s3:::docs", "")
                        + "]}";
        assertThat(gateway.send("GET", "/docs?policy").code()).isEqualTo("NoSuchBucketPolicy");
        assertThat(gateway.put("/docs?policy", text).code()).isEqualTo("MalformedPolicy");
        assertThat(gateway.put("/docs?policy", text.strip()).status()).isEqualTo(204);
        Answer answer = gateway.send("GET", "/docs?policy");
        assertThat(answer.text()).isEqualTo(text.strip());
        assertThat(answer.header("Content-Type")).isEqualTo("application/json");
        assertThat(as("anonymous", "GET", "/docs")).isEqualTo("200");
        assertThat(as("anonymous", "GET", "/docs/none")).isEqualTo("NoSuchKey");
        assertThat(gateway.send("DELETE", "/docs?policy").status()).isEqualTo(204);
        assertThat(gateway.send("DELETE", "/docs?policy").status()).isEqualTo(204);
        assertThat(gateway.send("GET", "/docs?policy").code()).isEqualTo("NoSuchBucketPolicy");
        assertThat(gateway.put("/docs?policy", "{" + " ".repeat(20 << 10)).code())
                .isEqualTo("PolicyTooLarge");
    }

    @Test
    void conditionsAreHeldAgainstTheRequest() {
        policy(
                allow(
                                "\"*\"",
                                "s3:GetObject",
                                "arn:aws:s3:::docs/*",
                                ",\"Condition\":{\"StringEquals\":{\"s3:ExistingObjectTag/team\":\"blue\"}}")
                        + ","
                        + allow("\"*\"", "s3:PutObject", "arn:aws:s3:::docs/*", "")
                        + ",{\"Effect\":\"Deny\",\"Principal\":\"*\",\"Action\":\"s3:PutObject\","
                        + "\"Resource\":\"arn:aws:s3:::docs/*\",\"Condition\":{\"StringLike\":"
                        + "{\"s3:x-amz-acl\":\"public*\"}}}");
        gateway.send(put("/docs/blue").header("x-amz-tagging", "team=blue"));
        gateway.send(put("/docs/red").header("x-amz-tagging", "team=red"));
        assertThat(as("other", "GET", "/docs/blue")).isEqualTo("200");
        assertThat(as("other", "GET", "/docs/red")).isEqualTo("AccessDenied");
        assertThat(as("other", "GET", "/docs/none")).isEqualTo("AccessDenied");
        assertThat(as("other", put("/docs/new"))).isEqualTo("200");
        assertThat(as("other", put("/docs/new").header("x-amz-acl", "public-read")))
                .isEqualTo("AccessDenied");
        assertThat(gateway.send(put("/docs/new").header("x-amz-acl", "public-read")).code())
                .isEqualTo("AccessDenied");
    }

    @Test
    void theRootCanAlwaysTakeThePolicyAway() {
        policy(
                "{\"Effect\":\"Deny\",\"Principal\":\"*\",\"Action\":\"s3:*\",\"Resource\":"
                        + "[\"arn:aws:s3:::docs\",\"arn:aws:s3:::docs/*\"]}");
        assertThat(gateway.send("GET", "/docs/k").code()).isEqualTo("AccessDenied");
        assertThat(gateway.send("GET", "/docs").code()).isEqualTo("AccessDenied");
        assertThat(gateway.send("GET", "/docs?policy").status()).isEqualTo(200);
        assertThat(gateway.send("DELETE", "/docs?policy").status()).isEqualTo(204);
        assertThat(gateway.send("GET", "/docs/k").code()).isEqualTo("200");
    }

    @Test
    void usersNeedPolicies() {
        String allow =
                "{\"Version\":\"2012-10-17\",\"Statement\":{\"Effect\":\"Allow\",\"Action\":"
                        + "\"s3:GetObject\",\"Resource\":\"arn:aws:s3:::docs/${aws:username}/*\"}}";
        user("ann", allow);
        user("bob");
        gateway.put("/docs/ann/k", "x");
        String ann = gateway.account + "/ann";
        String bob = gateway.account + "/bob";
        assertThat(as(ann, "GET", "/docs/ann/k")).isEqualTo("200");
        assertThat(as(ann, "GET", "/docs/k")).isEqualTo("AccessDenied");
        assertThat(as(ann, "GET", "/docs/ann/none")).isEqualTo("AccessDenied");
        assertThat(as(ann, "GET", "/")).isEqualTo("AccessDenied");
        assertThat(as(bob, "GET", "/docs/ann/k")).isEqualTo("AccessDenied");
        String arn = "\"arn:aws:iam::" + gateway.account + ":user/bob\"";
        policy(allow("{\"AWS\":" + arn + "}", "s3:GetObject", "arn:aws:s3:::docs/*", ""));
        assertThat(as(bob, "GET", "/docs/ann/k")).isEqualTo("200");
        policy(
                "{\"Effect\":\"Deny\",\"Principal\":{\"AWS\":%s},\"Action\":\"s3:Get*\",\"Resource\":\"arn:aws:s3:::docs/*\"}"
                        .formatted(arn.replace("bob", "ann")));
        assertThat(as(ann, "GET", "/docs/ann/k")).isEqualTo("AccessDenied");
        assertThat(as(bob, "GET", "/docs/ann/k")).isEqualTo("AccessDenied");
    }

    @Test
    void aCopyNeedsItsSourceToo() {
        gateway.sendAs(other.id(), new Call("PUT", "/others"));
        Call copy = new Call("PUT", "/others/k").header("x-amz-copy-source", "docs/k");
        assertThat(as("other", copy)).isEqualTo("AccessDenied");
        policy(
                allow(
                        "{\"AWS\":\"arn:aws:iam::" + other.id() + ":root\"}",
                        "s3:GetObject",
                        "arn:aws:s3:::docs/*",
                        ""));
        Call again = new Call("PUT", "/others/k").header("x-amz-copy-source", "docs/k");
        assertThat(as("other", again)).isEqualTo("200");
        Call back = new Call("PUT", "/docs/back").header("x-amz-copy-source", "others/k");
        assertThat(as("other", back)).isEqualTo("AccessDenied");
    }

    @Test
    void everyKeyOfAMultiDeleteIsDecidedByItself() {
        policy(allow("\"*\"", "s3:DeleteObject", "arn:aws:s3:::docs/k", ""));
        gateway.put("/docs/l", "x");
        String document =
                "<Delete><Object><Key>k</Key></Object><Object><Key>l</Key></Object></Delete>";
        Call call =
                new Call("POST", "/docs?delete")
                        .header("content-md5", Md5.base64(document))
                        .body(document);
        Answer answer = gateway.sendAs(other.id(), call);
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.elements("Deleted")).hasSize(1);
        assertThat(answer.elements("Code")).containsExactly("AccessDenied");
        assertThat(gateway.send("GET", "/docs/l").code()).isEqualTo("200");
    }
}
