package io.dedupstore.client.admin;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/**
 * What a bucket or the whole store holds. A bucket's distinct chunks are those that were new to the
 * store when this bucket wrote them, and its zero chunk.
 *
 * @param uploads unfinished multipart uploads
 * @param logicalBytes bytes as clients see them, unfinished parts included
 * @param inlineBytes of them, kept in the metadata itself
 * @param referencedChunkBytes of them, in chunks; zero chunks included
 * @param chunks references to chunks
 * @param distinctChunkBytes bytes of different chunks, before compression; the zero chunk counts
 *     once
 */
public record UsageReport(
        long objects,
        long uploads,
        long logicalBytes,
        long inlineBytes,
        long referencedChunkBytes,
        long chunks,
        long distinctChunkBytes) {
    private static final int RATIO_DECIMALS = 2;

    /**
     * Referenced over distinct chunk bytes, two decimals; 1.00 where there are no chunks. A bucket
     * whose every chunk was there before it has none: it would be infinite.
     */
    @JsonProperty
    public @Nullable BigDecimal dedupRatio() {
        if (referencedChunkBytes == 0) {
            return BigDecimal.ONE.setScale(RATIO_DECIMALS);
        }
        return distinctChunkBytes == 0
                ? null
                : BigDecimal.valueOf(referencedChunkBytes)
                        .divide(
                                BigDecimal.valueOf(distinctChunkBytes),
                                RATIO_DECIMALS,
                                RoundingMode.HALF_UP);
    }
}
