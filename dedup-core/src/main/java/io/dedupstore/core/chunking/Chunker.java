package io.dedupstore.core.chunking;

import io.dedupstore.core.jni.NativeGear;
import io.dedupstore.core.jni.NativeLibrary;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts a sliding window of bytes into chunks.
 *
 * <p>A chunker keeps no state between calls: all it needs stands in the window, which always begins
 * at a chunk's start. The caller fills the window, asks for cuts, consumes those chunks, moves the
 * undecided tail (shorter than {@link #maxChunkLength()}) to the front and goes on. Cut points
 * depend on the bytes alone, never on how they were split into windows. The tail is scanned again
 * by the next call, so windows should be large (1 MiB and more) beside the longest chunk.
 *
 * <p>Implementations are immutable and may be called by any number of threads.
 */
public sealed interface Chunker permits FixedChunker, JavaGearChunker, NativeGearChunker {

    /**
     * Lengths of the chunks at the front of the window.
     *
     * @param window bytes between position and limit, beginning at a chunk's start; neither
     *     position nor limit changes; a direct buffer, for speed, but any will do
     * @param endOfInput whether nothing follows the window: its remainder is then the last chunk
     * @param lengths receives the lengths, in order; when it is full the caller consumes these
     *     chunks and calls again
     * @return how many lengths were written; 0 when the window is empty or must grow first, which
     *     never happens once it holds {@link #maxChunkLength()} bytes
     */
    int cuts(ByteBuffer window, boolean endOfInput, int[] lengths);

    /** The window must be able to hold at least this many bytes. */
    int maxChunkLength();

    /**
     * {@code gfni}, {@code avx2}, {@code scalar}, {@code java} or {@code fixed}: for people who ask
     * what is in use.
     */
    String driverName();

    /**
     * The fastest chunker for a spec; the same one each time.
     *
     * @param table the dedup domain's gear table; {@code fixed} does not look at it
     */
    static Chunker of(ChunkingSpec spec, GearTable table) {
        return switch (spec) {
            case ChunkingSpec.Fixed fixed -> new FixedChunker(fixed);
            case ChunkingSpec.Cdc cdc -> table.chunker(cdc);
        };
    }

    /**
     * A chunker with each driver of this machine, the fastest first, Java's last; for tests and
     * benchmarks. All give the same cuts.
     */
    static List<Chunker> drivers(ChunkingSpec.Cdc spec, GearTable table) {
        List<Chunker> all = new ArrayList<>();
        if (NativeLibrary.available()) {
            for (int driver = 0; driver < NativeGear.drivers().size(); driver++) {
                all.add(new NativeGearChunker(spec, table, driver));
            }
        }
        all.add(new JavaGearChunker(spec, table));
        return List.copyOf(all);
    }
}
