package io.dedupstore.core.container;

/**
 * A container file as it stands.
 *
 * @param slots slots ever given out; those missing from the table are lost or were dropped
 * @param dataEnd where the records end
 */
public record ContainerContents(ContainerHeader header, SlotTable table, int slots, long dataEnd) {
    /** Length of the sealed file. */
    public long sealedBytes() {
        return dataEnd
                + (long) table.size() * ContainerFormat.DIRECTORY_ENTRY_BYTES
                + ContainerFormat.FOOTER_BYTES;
    }
}
