package io.dedupstore.client.admin;

/**
 * What was made of the manifests.
 *
 * @param references of holders, each once
 * @param entries made
 * @param forgotten references at other addresses than their entry's, as if pruned
 * @param adoptedSlots slots that did not know of their owner
 * @param freedSlots slots that had none
 * @param lost references to slots that are freed: their chunks cannot be read
 * @param balanced whether the books agree with what metadata has told
 */
public record RebuildReport(
        long holders,
        long references,
        long entries,
        long forgotten,
        long adoptedSlots,
        long freedSlots,
        long lost,
        boolean balanced,
        double seconds) {}
