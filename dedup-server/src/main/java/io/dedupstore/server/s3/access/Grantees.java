package io.dedupstore.server.s3.access;

import io.dedupstore.core.model.Grantee;
import io.dedupstore.server.s3.S3Error;
import io.dedupstore.server.s3.S3Exception;
import java.util.Set;

/** Grantees as clients name them. */
final class Grantees {
    /** Services that may be granted something though they have no account here. */
    static final String EXEC_READ =
            "6aa5a366c34c1cbe25dc49211496e913e0351eb0e8c37aa3477e40942ec6b97c";

    private static final Set<String> WITHOUT_ACCOUNT =
            Set.of(EXEC_READ, Directory.ANONYMOUS_CANONICAL_ID);

    private Grantees() {}

    static Grantee ofId(String id, Directory directory) {
        if (!directory.hasCanonicalId(id) && !WITHOUT_ACCOUNT.contains(id)) {
            throw S3Exception.invalidArgument("Invalid id", "CanonicalUser/ID", id);
        }
        return new Grantee.Canonical(id);
    }

    static Grantee ofUri(String uri) {
        return Grantee.Group.ofUri(uri)
                .orElseThrow(
                        () -> S3Exception.invalidArgument("Invalid group uri", "Group/URI", uri));
    }

    static Grantee ofEmail(String email, Directory directory) {
        return directory
                .canonicalIdOfEmail(email)
                .map(Grantee.Canonical::new)
                .orElseThrow(
                        () ->
                                new S3Exception(S3Error.UNRESOLVABLE_GRANT_BY_EMAIL)
                                        .with("EmailAddress", email));
    }
}
