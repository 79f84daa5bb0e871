package io.dedupstore.server.admin;

import io.dedupstore.client.admin.BucketList;
import io.dedupstore.client.admin.BucketReport;
import io.dedupstore.client.admin.CompactionReport;
import io.dedupstore.client.admin.HashReport;
import io.dedupstore.client.admin.HashSetting;
import io.dedupstore.client.admin.NewBucket;
import io.dedupstore.client.admin.ScrubReport;
import io.dedupstore.client.admin.SessionList;
import io.dedupstore.client.admin.StatsReport;
import io.dedupstore.client.admin.StatusReport;

/**
 * What operators can ask and command. Blocking; called by any number of virtual threads at once.
 *
 * <p>Methods throw {@link AdminException} for what the caller did wrong or can wait for; anything
 * else is answered as an internal error and logged.
 */
public interface AdminService {

    /** Whether S3 can be served now. Cheap: asked every second by whoever watches the process. */
    Readiness readiness();

    StatsReport stats();

    StatusReport status();

    HashReport hash();

    /** Changes what the setting names, for as long as the server runs. */
    HashReport setHash(HashSetting setting);

    BucketList buckets();

    /** Makes a bucket of the root account. */
    BucketReport createBucket(NewBucket bucket);

    SessionList sessions();

    /** One round of compaction, from beginning to end. */
    CompactionReport compact();

    /** How the verification of stored chunks stands. */
    ScrubReport scrub();

    /** Has one begin unless one is running. */
    ScrubReport startScrub();
}
