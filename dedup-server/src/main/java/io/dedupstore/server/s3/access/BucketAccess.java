package io.dedupstore.server.s3.access;

import io.dedupstore.core.model.AccessList;
import io.dedupstore.server.policy.Policy;
import java.util.Optional;

/**
 * What a bucket says about access to it.
 *
 * @param policy its policy
 * @param publicPolicy whether that lets in the public
 * @param list its own access list, empty for the owner alone
 * @param foreign whether objects in it may be owned by others than its owner
 */
public record BucketAccess(
        Optional<Policy> policy,
        boolean publicPolicy,
        Optional<AccessList> list,
        Ownership ownership,
        PublicAccessBlock block,
        boolean foreign) {

    public boolean enforced() {
        return ownership == Ownership.BUCKET_OWNER_ENFORCED;
    }

    /** Whether the public has anything of the bucket itself. */
    public boolean isPublic() {
        boolean byList =
                !enforced() && !block.ignoreAcls() && list.filter(AccessList::isPublic).isPresent();
        return byList || (publicPolicy && !block.restrict());
    }
}
