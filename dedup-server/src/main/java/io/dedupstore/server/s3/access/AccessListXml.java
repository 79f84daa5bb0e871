package io.dedupstore.server.s3.access;

import io.dedupstore.core.model.AccessList;
import io.dedupstore.core.model.Grantee;
import io.dedupstore.core.model.Permission;
import io.dedupstore.server.s3.S3Error;
import io.dedupstore.server.s3.S3Exception;
import io.dedupstore.server.s3.XmlElement;
import io.dedupstore.server.s3.XmlReader;
import io.dedupstore.server.s3.XmlWriter;
import java.util.List;
import java.util.Optional;

/** Access lists as documents. */
public final class AccessListXml {
    private static final String ROOT = "AccessControlPolicy";
    private static final String TYPED =
            " xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:type=\"%s\"";

    private final Directory directory;

    public AccessListXml(Directory directory) {
        this.directory = directory;
    }

    /**
     * @param owner canonical id
     */
    public XmlWriter write(String owner, AccessList list) {
        XmlWriter xml = XmlWriter.s3(ROOT).open("Owner");
        user(xml, owner);
        xml.close().open("AccessControlList");
        for (AccessList.Grant grant : list.grants()) {
            xml.open("Grant");
            grantee(xml, grant.grantee());
            xml.text("Permission", grant.permission().name()).close();
        }
        return xml.close();
    }

    /** A grantee as an element of its name, also in other documents. */
    void grantee(XmlWriter xml, Grantee grantee) {
        switch (grantee) {
            case Grantee.Canonical(String id) -> {
                xml.open("Grantee", TYPED.formatted("CanonicalUser"));
                user(xml, id);
            }
            case Grantee.Group group ->
                    xml.open("Grantee", TYPED.formatted("Group")).text("URI", group.uri());
        }
        xml.close();
    }

    private void user(XmlWriter xml, String canonicalId) {
        xml.text("ID", canonicalId);
        directory.displayName(canonicalId).ifPresent(name -> xml.text("DisplayName", name));
    }

    /** A list and the owner that is to have it. */
    public record Parsed(String owner, AccessList list) {}

    /**
     * @throws S3Exception MalformedACLError, and what is wrong with grantees
     */
    public Parsed parse(byte[] document) {
        XmlElement root;
        try {
            root = XmlReader.parse(document, ROOT);
        } catch (S3Exception e) {
            throw malformed();
        }
        String owner =
                root.child("Owner").flatMap(element -> element.childText("ID")).orElse("").strip();
        XmlElement list = root.child("AccessControlList").orElseThrow(AccessListXml::malformed);
        List<XmlElement> grants = list.children("Grant");
        if (owner.isEmpty() || grants.size() > AccessList.MAX_GRANTS) {
            throw malformed();
        }
        return new Parsed(owner, new AccessList(grants.stream().map(this::grant).toList()));
    }

    /** A list that was accepted before: its grantees may be gone by now. */
    AccessList kept(byte[] document) {
        return new AccessList(
                XmlReader.parse(document, ROOT)
                        .child("AccessControlList")
                        .orElseThrow(AccessListXml::malformed)
                        .children("Grant")
                        .stream()
                        .map(AccessListXml::keptGrant)
                        .toList());
    }

    private static AccessList.Grant keptGrant(XmlElement grant) {
        XmlElement grantee = grant.child("Grantee").orElseThrow(AccessListXml::malformed);
        Optional<String> uri = grantee.childText("URI");
        return new AccessList.Grant(
                uri.isPresent()
                        ? Grantees.ofUri(uri.get())
                        : new Grantee.Canonical(grantee.requiredText("ID")),
                permission(grant.requiredText("Permission")));
    }

    private AccessList.Grant grant(XmlElement grant) {
        XmlElement grantee = grant.child("Grantee").orElseThrow(AccessListXml::malformed);
        String permission = grant.childText("Permission").orElse("").strip();
        return new AccessList.Grant(grantee(grantee), permission(permission));
    }

    private static Permission permission(String text) {
        for (Permission permission : Permission.values()) {
            if (permission.name().equals(text)) {
                return permission;
            }
        }
        throw malformed();
    }

    private Grantee grantee(XmlElement element) {
        Optional<String> id = element.childText("ID").map(String::strip);
        Optional<String> uri = element.childText("URI").map(String::strip);
        Optional<String> email = element.childText("EmailAddress").map(String::strip);
        if (id.isPresent()) {
            return Grantees.ofId(id.get(), directory);
        }
        if (uri.isPresent()) {
            return Grantees.ofUri(uri.get());
        }
        return Grantees.ofEmail(email.orElseThrow(AccessListXml::malformed), directory);
    }

    private static S3Exception malformed() {
        return new S3Exception(S3Error.MALFORMED_ACL);
    }
}
