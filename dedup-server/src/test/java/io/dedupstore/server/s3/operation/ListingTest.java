package io.dedupstore.server.s3.operation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ListingTest {
    private final TestGateway gateway = new TestGateway();

    @BeforeEach
    void createBucket() {
        gateway.send("PUT", "/docs");
    }

    @AfterEach
    void close() {
        gateway.close();
    }

    private void put(String... targets) {
        for (String target : targets) {
            assertThat(gateway.put("/docs/" + target, "x").status()).isEqualTo(200);
        }
    }

    @Test
    void keysComeInOrderOfTheirBytesNotOfTheirChars() {
        put("b", "a/b", "a", "a+1", "%F0%9F%98%80", "%EF%BF%BD");
        assertThat(gateway.send("GET", "/docs").elements("Key"))
                .containsExactly("a", "a+1", "a/b", "b", "\ufffd", "\ud83d\ude00");
    }

    @Test
    void aDelimiterGroupsAndEachGroupCountsOnce() {
        put("a", "d/1", "d/2", "e/1", "z");
        Answer all = gateway.send("GET", "/docs?list-type=2&delimiter=/");
        assertThat(all.elements("Key")).containsExactly("a", "z");
        assertThat(all.elements("CommonPrefixes"))
                .containsExactly("<Prefix>d/</Prefix>", "<Prefix>e/</Prefix>");
        assertThat(all.element("KeyCount")).isEqualTo("4");
        Answer under = gateway.send("GET", "/docs?list-type=2&delimiter=/&prefix=d/");
        assertThat(under.elements("Key")).containsExactly("d/1", "d/2");
    }

    @Test
    void tokensLeadThroughAllPages() {
        put("a", "d/1", "d/2", "e/1", "f", "z");
        List<String> seen = new ArrayList<>();
        String token = "";
        do {
            String more = token.isEmpty() ? "" : "&continuation-token=" + token;
            Answer page = gateway.send("GET", "/docs?list-type=2&delimiter=/&max-keys=2" + more);
            seen.addAll(page.elements("Key"));
            seen.addAll(page.elements("CommonPrefixes"));
            assertThat(page.element("IsTruncated").equals("true"))
                    .isEqualTo(!page.element("NextContinuationToken").isEmpty());
            token = page.element("NextContinuationToken");
        } while (!token.isEmpty());
        assertThat(seen)
                .containsExactly("a", "<Prefix>d/</Prefix>", "f", "<Prefix>e/</Prefix>", "z");
        assertThat(gateway.send("GET", "/docs?list-type=2&continuation-token=x").code())
                .isEqualTo("InvalidArgument");
        assertThat(gateway.send("GET", "/docs?list-type=2&continuation-token=").elements("Key"))
                .hasSize(6);
    }

    @Test
    void markersOfTheFirstApiAreKeys() {
        put("a", "d/1", "d/2", "z");
        Answer first = gateway.send("GET", "/docs?delimiter=/&max-keys=2");
        assertThat(first.element("NextMarker")).isEqualTo("d/");
        Answer second = gateway.send("GET", "/docs?delimiter=/&marker=d/");
        assertThat(second.elements("Key")).containsExactly("z");
        assertThat(second.elements("CommonPrefixes")).isEmpty();
        Answer plain = gateway.send("GET", "/docs?max-keys=2");
        assertThat(plain.element("IsTruncated")).isEqualTo("true");
        assertThat(plain.text()).doesNotContain("NextMarker");
        assertThat(plain.elements("Owner")).hasSize(2);
    }

    @Test
    void startAfterIsUsedUntilThereIsAToken() {
        put("a", "b", "c");
        Answer after = gateway.send("GET", "/docs?list-type=2&start-after=a");
        assertThat(after.elements("Key")).containsExactly("b", "c");
        assertThat(after.element("StartAfter")).isEqualTo("a");
        assertThat(after.elements("Owner")).isEmpty();
        assertThat(gateway.send("GET", "/docs?list-type=2&fetch-owner=true").elements("Owner"))
                .hasSize(3);
    }

    @Test
    void urlEncodingAppliesToKeysAndPrefixes() {
        put("a%20b%2B%01/x", "p%25/y");
        Answer url = gateway.send("GET", "/docs?encoding-type=url&delimiter=/&prefix=a%20");
        assertThat(url.element("CommonPrefixes")).isEqualTo("<Prefix>a%20b%2B%01/</Prefix>");
        assertThat(url.element("Prefix")).isEqualTo("a%20");
        assertThat(url.element("EncodingType")).isEqualTo("url");
        assertThat(url.element("Delimiter")).isEqualTo("/");
        Answer plain = gateway.send("GET", "/docs?prefix=a");
        assertThat(plain.element("Key")).isEqualTo("a b+&#x1;/x");
        assertThat(gateway.send("GET", "/docs?encoding-type=x").code())
                .isEqualTo("InvalidArgument");
    }

    @ParameterizedTest
    @CsvSource({
        "max-keys=0, 0, false",
        "max-keys=5000, 1000, false",
        "max-keys=1, 1, true",
        "max-keys=, 1000, false"
    })
    void pageSizesAreClampedAndEchoed(String query, String echoed, String truncated) {
        put("a", "b");
        Answer page = gateway.send("GET", "/docs?" + query);
        assertThat(page.element("MaxKeys")).isEqualTo(echoed);
        assertThat(page.element("IsTruncated")).isEqualTo(truncated);
    }

    @ParameterizedTest
    @CsvSource({"-1", "blah", "99999999999"})
    void otherPageSizesAreInvalid(String size) {
        assertThat(gateway.send("GET", "/docs?max-keys=" + size).code())
                .isEqualTo("InvalidArgument");
    }

    @Test
    void linesDescribeTheirObjects() {
        put("a");
        Answer page = gateway.send("GET", "/docs?list-type=2");
        assertThat(page.element("Size")).isEqualTo("1");
        assertThat(page.element("ETag")).isEqualTo("&quot;9dd4e461268c8034f5c8564e155c67a6&quot;");
        assertThat(page.element("LastModified")).isEqualTo("2026-01-02T03:04:05.678Z");
        assertThat(page.element("StorageClass")).isEqualTo("STANDARD");
        assertThat(page.element("ChecksumAlgorithm")).isEqualTo("CRC64NVME");
    }

    @Test
    void withoutVersioningEachKeyHasTheNullVersion() {
        put("a", "b", "c");
        Answer first = gateway.send("GET", "/docs?versions&max-keys=2");
        assertThat(first.elements("VersionId")).containsExactly("null", "null");
        assertThat(first.element("NextKeyMarker")).isEqualTo("b");
        Answer second = gateway.send("GET", "/docs?versions&key-marker=b&version-id-marker=null");
        assertThat(second.elements("Key")).containsExactly("c");
    }
}
