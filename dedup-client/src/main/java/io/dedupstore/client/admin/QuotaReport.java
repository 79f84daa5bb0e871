package io.dedupstore.client.admin;

import org.jspecify.annotations.Nullable;

/**
 * The quota and what it comes to.
 *
 * @param quota as it was set
 * @param entryLimit no entries are added at this many; absent for no limit
 * @param entries now
 * @param over whether new chunks are stored unindexed now
 */
public record QuotaReport(String quota, @Nullable Long entryLimit, long entries, boolean over) {}
