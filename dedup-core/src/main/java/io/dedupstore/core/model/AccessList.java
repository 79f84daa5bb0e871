package io.dedupstore.core.model;

import java.util.List;

/** The grants of a bucket or object, in the order they were given. */
public record AccessList(List<Grant> grants) {
    public static final int MAX_GRANTS = 100;

    /** One permission of one grantee. */
    public record Grant(Grantee grantee, Permission permission) {}

    public AccessList {
        grants = List.copyOf(grants);
        if (grants.size() > MAX_GRANTS) {
            throw new IllegalArgumentException(grants.size() + " grants");
        }
    }

    /** What there is where nothing was said: the owner may do everything. */
    public static AccessList ofOwner(String canonicalId) {
        return new AccessList(
                List.of(new Grant(new Grantee.Canonical(canonicalId), Permission.FULL_CONTROL)));
    }

    public boolean grants(Grantee grantee, Permission permission) {
        return grants.stream()
                .anyMatch(
                        grant ->
                                grant.grantee().equals(grantee)
                                        && grant.permission().includes(permission));
    }

    /** Whether anybody at all has something by it, or anybody who has signed. */
    public boolean isPublic() {
        return grants.stream()
                .map(Grant::grantee)
                .anyMatch(
                        grantee ->
                                grantee == Grantee.Group.ALL_USERS
                                        || grantee == Grantee.Group.AUTHENTICATED_USERS);
    }
}
