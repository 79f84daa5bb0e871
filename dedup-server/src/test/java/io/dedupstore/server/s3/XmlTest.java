package io.dedupstore.server.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class XmlTest {
    @Test
    void whatIsWrittenIsReadBack() {
        String text = "<a> & \"b\" 'c'\t\n\r \u20ac \ud83d\ude00";
        byte[] document =
                XmlWriter.s3("Root")
                        .text("Plain", text)
                        .open("List")
                        .text("Item", 1)
                        .text("Item", true)
                        .close()
                        .toBytes();
        XmlElement root = XmlReader.parse(document, "Root");
        assertThat(root.requiredText("Plain")).isEqualTo(text);
        assertThat(root.child("List").orElseThrow().children("Item"))
                .extracting(XmlElement::text)
                .containsExactly("1", "true");
    }

    @Test
    void controlsAreWrittenAsReferences() {
        byte[] document = XmlWriter.plain("Key").content("a\u0001\uffff").toBytes();
        assertThat(new String(document, StandardCharsets.UTF_8))
                .endsWith("<Key>a&#x1;&#xffff;</Key>");
    }

    @Test
    void namespacesAndPrefixesAreDropped() {
        XmlElement root =
                parse(
                        "<s:Delete xmlns:s='http://s3.amazonaws.com/doc/2006-03-01/'><s:Key>k</s:Key></s:Delete>");
        assertThat(root.name()).isEqualTo("Delete");
        assertThat(root.requiredText("Key")).isEqualTo("k");
    }

    @Test
    void characterDataIsKeptAsItIs() {
        assertThat(parse("<A><K> a&amp;<![CDATA[<b>]]>&#x20;</K></A>").requiredText("K"))
                .isEqualTo(" a&<b> ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "   ",
                "no xml",
                "<A>",
                "<A></B>",
                "<A/><B/>",
                "<A>&unknown;</A>",
                "<A b='1' b='2'/>",
                "<!DOCTYPE A><A/>",
                "<!DOCTYPE A [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><A>&e;</A>",
                "<!DOCTYPE A SYSTEM 'http://127.0.0.1:1/x.dtd'><A/>",
                "<!DOCTYPE l [<!ENTITY a 'x'><!ENTITY b '&a;&a;'>]><l>&b;</l>",
                "<A>\u0001</A>",
                "<A>&#x1;</A>"
            })
    void hostileAndBrokenDocumentsAreMalformed(String document) {
        assertMalformed(document);
    }

    @Test
    void depthAndNumberOfElementsAreBounded() {
        assertMalformed(
                "<A>".repeat(XmlReader.MAX_DEPTH + 1) + "</A>".repeat(XmlReader.MAX_DEPTH + 1));
        assertMalformed("<A>" + "<B/>".repeat(XmlReader.MAX_ELEMENTS) + "</A>");
        assertThat(parse("<A>" + "<B/>".repeat(50_000) + "</A>").children()).hasSize(50_000);
    }

    @Test
    void aSingleChildMustBeSingle() {
        assertThatThrownBy(() -> parse("<A><K>1</K><K>2</K></A>").child("K"))
                .isInstanceOf(S3Exception.class);
        assertThatThrownBy(() -> XmlReader.parse("<A/>".getBytes(StandardCharsets.UTF_8), "B"))
                .isInstanceOf(S3Exception.class);
    }

    private static void assertMalformed(String document) {
        assertThatThrownBy(() -> parse(document))
                .isInstanceOfSatisfying(
                        S3Exception.class,
                        e -> assertThat(e.error()).isEqualTo(S3Error.MALFORMED_XML));
    }

    private static XmlElement parse(String document) {
        return XmlReader.parse(document.getBytes(StandardCharsets.UTF_8));
    }
}
