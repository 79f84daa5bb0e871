package io.dedupstore.server.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PolicyTest {
    private static final Caller ANN =
            new Caller(
                    "111111111111", "a".repeat(64), List.of("arn:aws:iam::111111111111:user/ann"));
    private static final Caller ROOT =
            new Caller("111111111111", "a".repeat(64), List.of("arn:aws:iam::111111111111:root"));

    private static final BucketPolicyRules.Directory DIRECTORY =
            new BucketPolicyRules.Directory() {
                @Override
                public boolean hasAccount(String id) {
                    return id.equals("111111111111");
                }

                @Override
                public boolean hasCanonicalId(String id) {
                    return id.equals("a".repeat(64));
                }

                @Override
                public boolean hasPrincipal(String arn) {
                    return arn.endsWith("/ann");
                }
            };

    private static Facts facts(Map<String, List<String>> facts) {
        return key -> facts.getOrDefault(key, List.of());
    }

    private static Policy withCondition(String condition) {
        return Policy.ofResource(
                "{\"Version\":\"2012-10-17\",\"Statement\":{\"Effect\":\"Allow\",\"Principal\":\"*\","
                        + "\"Action\":\"s3:*\",\"Resource\":\"arn:aws:s3:::b/*\",\"Condition\":"
                        + condition.replace('\'', '"')
                        + "}}");
    }

    private static boolean allows(Policy policy, Map<String, List<String>> facts) {
        return policy.decide(ANN, "s3:GetObject", "arn:aws:s3:::b/k", facts(facts))
                == Verdict.ALLOW;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{'StringEquals':{'s3:prefix':'a'}} | s3:prefix | a | true",
                "{'StringEquals':{'s3:prefix':'a'}} | s3:prefix | A | false",
                "{'StringEquals':{'s3:prefix':['b','a']}} | s3:prefix | a | true",
                "{'StringEquals':{'s3:prefix':'a*'}} | s3:prefix | ab | false",
                "{'StringNotEquals':{'s3:prefix':['b','a']}} | s3:prefix | a | false",
                "{'StringNotEquals':{'s3:prefix':'a'}} | s3:delimiter | a | true",
                "{'StringEqualsIgnoreCase':{'S3:Prefix':'a'}} | s3:prefix | A | true",
                "{'StringLike':{'s3:prefix':'a?c*'}} | s3:prefix | abcd | true",
                "{'StringLike':{'s3:prefix':'${*}'}} | s3:prefix | a | false",
                "{'StringNotLike':{'s3:prefix':'a*'}} | s3:prefix | abc | false",
                "{'StringEqualsIfExists':{'s3:prefix':'a'}} | s3:delimiter | a | true",
                "{'StringEquals':{'s3:prefix':'${aws:username}'}} | s3:prefix | ann | false",
                "{'NumericLessThan':{'s3:max-keys':'10'}} | s3:max-keys | 9 | true",
                "{'NumericLessThan':{'s3:max-keys':10}} | s3:max-keys | 10 | false",
                "{'NumericLessThanEquals':{'s3:max-keys':'10'}} | s3:max-keys | 10.0 | true",
                "{'NumericEquals':{'s3:max-keys':'10'}} | s3:max-keys | ten | false",
                "{'NumericNotEquals':{'s3:max-keys':'10'}} | s3:max-keys | 11 | true",
                "{'DateGreaterThan':{'aws:CurrentTime':'2026-01-01T00:00:00Z'}} | aws:currenttime | 2026-01-02T00:00:00Z | true",
                "{'DateLessThan':{'aws:CurrentTime':'2026-01-01'}} | aws:currenttime | 2026-01-02T00:00:00Z | false",
                "{'DateLessThan':{'aws:EpochTime':'1000'}} | aws:epochtime | 999 | true",
                "{'Bool':{'aws:SecureTransport':'false'}} | aws:securetransport | false | true",
                "{'Bool':{'aws:SecureTransport':true}} | aws:securetransport | false | false",
                "{'BinaryEquals':{'s3:prefix':'YQ=='}} | s3:prefix | YQ== | true",
                "{'IpAddress':{'aws:SourceIp':'10.0.0.0/8'}} | aws:sourceip | 10.1.2.3 | true",
                "{'IpAddress':{'aws:SourceIp':'10.0.0.0/31'}} | aws:sourceip | 10.0.0.2 | false",
                "{'IpAddress':{'aws:SourceIp':'2001:db8::/33'}} | aws:sourceip | 2001:db8:7fff::1 | true",
                "{'NotIpAddress':{'aws:SourceIp':'10.0.0.1'}} | aws:sourceip | 10.0.0.1 | false",
                "{'ArnLike':{'aws:PrincipalArn':'arn:aws:iam::*:user/a*'}} | aws:principalarn | arn:aws:iam::1:user/ann | true",
                "{'ArnLike':{'aws:PrincipalArn':'arn:*:iam:::user/ann'}} | aws:principalarn | arn:aws:iam::1:user/ann | false",
                "{'ArnNotEquals':{'aws:PrincipalArn':'arn:aws:iam::1:user/ann'}} | aws:principalarn | arn:aws:iam::1:user/ann | false",
                "{'Null':{'s3:prefix':'true'}} | s3:delimiter | a | true",
                "{'Null':{'s3:prefix':'false'}} | s3:prefix | a | true",
                "{'StringEquals':{'s3:ExistingObjectTag/Team':'a'}} | s3:existingobjecttag/Team | a | true",
                "{'StringEquals':{'s3:ExistingObjectTag/Team':'a'}} | s3:existingobjecttag/team | a | false",
            })
    void conditionsCompare(String condition, String key, String value, boolean holds) {
        assertThat(allows(withCondition(condition), Map.of(key, List.of(value)))).isEqualTo(holds);
    }

    @Test
    void qualifiersTakeSeveralValues() {
        Policy all =
                withCondition("{'ForAllValues:StringLike':{'s3:RequestObjectTagKeys':['a*']}}");
        Policy any = withCondition("{'ForAnyValue:StringLike':{'s3:RequestObjectTagKeys':['a*']}}");
        String key = "s3:requestobjecttagkeys";
        assertThat(allows(all, Map.of(key, List.of("a", "ab")))).isTrue();
        assertThat(allows(all, Map.of(key, List.of("a", "b")))).isFalse();
        assertThat(allows(all, Map.of())).isTrue();
        assertThat(allows(any, Map.of(key, List.of("a", "b")))).isTrue();
        assertThat(allows(any, Map.of(key, List.of("b")))).isFalse();
        assertThat(allows(any, Map.of())).isFalse();
    }

    @Test
    void everyConditionMustHold() {
        Policy policy =
                withCondition(
                        "{'StringEquals':{'s3:prefix':'a','s3:delimiter':'/'},'Bool':{'aws:SecureTransport':'true'}}");
        Map<String, List<String>> facts =
                Map.of(
                        "s3:prefix", List.of("a"),
                        "s3:delimiter", List.of("/"),
                        "aws:securetransport", List.of("true"));
        assertThat(allows(policy, facts)).isTrue();
        for (String key : facts.keySet()) {
            Map<String, List<String>> less = new HashMap<>(facts);
            less.remove(key);
            assertThat(allows(policy, less)).as(key).isFalse();
        }
    }

    @Test
    void variablesAreFilledInAndAreNoWildcards() {
        Policy policy =
                Policy.ofIdentity(
                        "{\"Version\":\"2012-10-17\",\"Statement\":{\"Effect\":\"Allow\",\"Action\":\"s3:*\","
                                + "\"Resource\":\"arn:aws:s3:::b/${aws:username}/*\"}}");
        Facts ann = facts(Map.of("aws:username", List.of("ann")));
        Facts star = facts(Map.of("aws:username", List.of("*")));
        assertThat(policy.decide(ANN, "s3:GetObject", "arn:aws:s3:::b/ann/k", ann))
                .isEqualTo(Verdict.ALLOW);
        assertThat(policy.decide(ANN, "s3:GetObject", "arn:aws:s3:::b/bob/k", ann))
                .isEqualTo(Verdict.NOTHING);
        assertThat(policy.decide(ANN, "s3:GetObject", "arn:aws:s3:::b/bob/k", star))
                .isEqualTo(Verdict.NOTHING);
        assertThat(policy.decide(ANN, "s3:GetObject", "arn:aws:s3:::b//k", Facts.NONE))
                .isEqualTo(Verdict.NOTHING);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "'*' | ALLOW | ALLOW | ALLOW",
                "{'AWS':'*'} | ALLOW | ALLOW | ALLOW",
                "{'AWS':'111111111111'} | ALLOW_ACCOUNT | ALLOW | NOTHING",
                "{'AWS':'arn:aws:iam::111111111111:root'} | ALLOW_ACCOUNT | ALLOW | NOTHING",
                "{'AWS':['arn:aws:iam::111111111111:user/ann']} | ALLOW | NOTHING | NOTHING",
                "{'AWS':'222222222222'} | NOTHING | NOTHING | NOTHING",
                "{'Service':'logging.s3.amazonaws.com'} | NOTHING | NOTHING | NOTHING",
            })
    void principalsMatch(String principal, Verdict ann, Verdict root, Verdict anonymous) {
        Policy policy = withPrincipal("\"Principal\":" + principal.replace('\'', '"'));
        assertThat(decide(policy, ANN)).isEqualTo(ann);
        assertThat(decide(policy, ROOT)).isEqualTo(root);
        assertThat(decide(policy, Caller.ANONYMOUS)).isEqualTo(anonymous);
    }

    @Test
    void exceptionsAreEverythingElse() {
        Policy others = withPrincipal("\"NotPrincipal\":{\"AWS\":\"111111111111\"}");
        assertThat(decide(others, ANN)).isEqualTo(Verdict.NOTHING);
        assertThat(decide(others, Caller.ANONYMOUS)).isEqualTo(Verdict.ALLOW);
        Policy policy =
                Policy.ofResource(
                        "{\"Statement\":[{\"Effect\":\"Allow\",\"Principal\":\"*\",\"NotAction\":\"s3:Put*\","
                                + "\"NotResource\":\"arn:aws:s3:::b/x*\"}]}");
        assertThat(policy.decide(ANN, "s3:GetObject", "arn:aws:s3:::b/k", Facts.NONE))
                .isEqualTo(Verdict.ALLOW);
        assertThat(policy.decide(ANN, "s3:PutObject", "arn:aws:s3:::b/k", Facts.NONE))
                .isEqualTo(Verdict.NOTHING);
        assertThat(policy.decide(ANN, "s3:GetObject", "arn:aws:s3:::b/xk", Facts.NONE))
                .isEqualTo(Verdict.NOTHING);
    }

    private static Policy withPrincipal(String principal) {
        return Policy.ofResource(
                "{\"Version\":\"2012-10-17\",\"Statement\":[{\"Effect\":\"Allow\","
                        + principal
                        + ",\"Action\":\"s3:*\",\"Resource\":\"arn:aws:s3:::b/*\"}]}");
    }

    private static Verdict decide(Policy policy, Caller caller) {
        return policy.decide(caller, "s3:GetObject", "arn:aws:s3:::b/k", Facts.NONE);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{'IpAddress':{'aws:SourceIp':'10.0.0.0/8'}} | false",
                "{'IpAddress':{'aws:SourceIp':'10.0.0.0/7'}} | true",
                "{'IpAddress':{'aws:SourceIp':['10.0.0.0/8','0.0.0.0/0']}} | true",
                "{'StringEquals':{'aws:SourceVpc':'vpc-1'}} | false",
                "{'StringLike':{'aws:SourceVpc':'vpc-*'}} | true",
                "{'StringNotEquals':{'aws:SourceVpc':'vpc-1'}} | true",
                "{'StringEqualsIfExists':{'aws:SourceVpc':'vpc-1'}} | true",
                "{'StringEquals':{'s3:prefix':'a'}} | true",
            })
    void aBucketIsPublicUnlessCallersAreFixed(String condition, boolean isPublic) {
        assertThat(withCondition(condition).isPublic()).isEqualTo(isPublic);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "{",
                "[]",
                "{}",
                "{'Version':'2012-10-17'}",
                "{'Version':'2011-10-17','Statement':[S]}",
                "{'Version':'2012-10-17','Statement':[]}",
                "{'Version':'2012-10-17','Statement':[S],'More':1}",
                "{'Version':'2012-10-17','Statement':[S],'Statement':[S]}",
                "{'Version':'2012-10-17','Statement':[S]} x",
                "{'Statement':[{'Principal':'*','Action':'s3:GetObject','Resource':'R'}]}",
                "{'Statement':[{'Effect':'Maybe','Principal':'*','Action':'s3:GetObject','Resource':'R'}]}",
                "{'Statement':[{'Effect':'Allow','Action':'s3:GetObject','Resource':'R'}]}",
                "{'Statement':[{'Effect':'Allow','Principal':'me','Action':'s3:GetObject','Resource':'R'}]}",
                "{'Statement':[{'Effect':'Allow','Principal':{},'Action':'s3:GetObject','Resource':'R'}]}",
                "{'Statement':[{'Effect':'Allow','Principal':{'AWS':'arn:aws:s3:::b'},'Action':'s3:GetObject','Resource':'R'}]}",
                "{'Statement':[{'Effect':'Allow','Principal':{'AWS':'333333333333'},'Action':'s3:GetObject','Resource':'R'}]}",
                "{'Statement':[{'Effect':'Allow','Principal':{'AWS':'arn:aws:iam::111111111111:user/bob'},'Action':'s3:GetObject','Resource':'R'}]}",
                "{'Statement':[{'Effect':'Allow','Principal':{'CanonicalUser':'b'},'Action':'s3:GetObject','Resource':'R'}]}",
                "{'Statement':[{'Effect':'Allow','Principal':'*','Resource':'R'}]}",
                "{'Statement':[{'Effect':'Allow','Principal':'*','Action':[],'Resource':'R'}]}",
                "{'Statement':[{'Effect':'Allow','Principal':'*','Action':'s3:Frobnicate','Resource':'R'}]}",
                "{'Statement':[{'Effect':'Allow','Principal':'*','Action':'s3:ListBucket','Resource':'R'}]}",
                "{'Statement':[{'Effect':'Allow','Principal':'*','Action':'s3:GetObject','NotAction':'s3:PutObject','Resource':'R'}]}",
                "{'Statement':[{'Effect':'Allow','Principal':'*','Action':'s3:GetObject'}]}",
                "{'Statement':[{'Effect':'Allow','Principal':'*','Action':'s3:GetObject','Resource':'arn:aws:s3:::other/*'}]}",
                "{'Statement':[{'Effect':'Allow','Principal':'*','Action':'s3:GetObject','Resource':'*'}]}",
                "{'Statement':[{'Effect':'Allow','Principal':'*','Action':'s3:GetObject','Resource':'arn:aws:s3:::b'}]}",
                "{'Statement':[{'Effect':'Allow','Principal':'*','Action':'s3:GetObject','Resource':'R','Condition':{'Likes':{'s3:prefix':'a'}}}]}",
                "{'Statement':[{'Effect':'Allow','Principal':'*','Action':'s3:GetObject','Resource':'R','Condition':{'StringEquals':{'s3:nonsense':'a'}}}]}",
                "{'Statement':[{'Effect':'Allow','Principal':'*','Action':'s3:GetObject','Resource':'R','Condition':{'NumericEquals':{'s3:max-keys':'ten'}}}]}",
                "{'Statement':[{'Effect':'Allow','Principal':'*','Action':'s3:GetObject','Resource':'R','Condition':{'IpAddress':{'aws:SourceIp':'10.0.0.0/33'}}}]}",
                "{'Statement':[{'Sid':'a','Effect':'Allow','Principal':'*','Action':'s3:GetObject','Resource':'R'},{'Sid':'a','Effect':'Allow','Principal':'*','Action':'s3:GetObject','Resource':'R'}]}",
            })
    void whatIsNoPolicyOfTheBucketIsRefused(String text) {
        String statement =
                "{'Effect':'Allow','Principal':'*','Action':'s3:GetObject','Resource':'R'}";
        String document =
                text.replace("[S]", "[" + statement + "]")
                        .replace("'R'", "'arn:aws:s3:::b/*'")
                        .replace('\'', '"');
        assertThatThrownBy(
                        () -> BucketPolicyRules.check(Policy.ofResource(document), "b", DIRECTORY))
                .isInstanceOf(PolicyException.class);
    }

    @Test
    void depthIsBounded() {
        String deep = "{\"Statement\":" + "[".repeat(100_000);
        assertThatThrownBy(() -> Policy.ofResource(deep)).isInstanceOf(PolicyException.class);
    }

    @Test
    void aPolicyMayNameItsBucketByWildcards() {
        for (String resource : Set.of("arn:aws:s3:::b*", "arn:aws:s3:::*/*", "arn:aws:s3:::b/k")) {
            BucketPolicyRules.check(
                    Policy.ofResource(
                            "{\"Statement\":[{\"Effect\":\"Allow\",\"Principal\":\"*\",\"Action\":\"s3:Get*\","
                                    + "\"Resource\":\""
                                    + resource
                                    + "\"}]}"),
                    "b",
                    DIRECTORY);
        }
    }
}
