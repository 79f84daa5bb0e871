package io.dedupstore.core.chunking;

import io.dedupstore.core.jni.NativeGear;
import java.nio.ByteBuffer;

/** The native scan; windows on the heap go to the Java twin, which gives the same cuts. */
final class NativeGearChunker implements Chunker {
    private final JavaGearChunker twin;
    private final NativeGear gear;
    private final int driver;

    NativeGearChunker(ChunkingSpec.Cdc spec, GearTable table) {
        this(spec, table, 0);
    }

    /**
     * @param driver index in {@link NativeGear#drivers()}
     */
    NativeGearChunker(ChunkingSpec.Cdc spec, GearTable table, int driver) {
        this.driver = driver;
        twin = new JavaGearChunker(spec, table);
        gear =
                new NativeGear(
                        driver,
                        table.seed(),
                        spec.min(),
                        spec.avg(),
                        spec.max(),
                        spec.strictThreshold(),
                        spec.looseThreshold());
    }

    @Override
    public int cuts(ByteBuffer window, boolean endOfInput, int[] lengths) {
        return window.isDirect()
                ? gear.cuts(window, endOfInput, lengths)
                : twin.cuts(window, endOfInput, lengths);
    }

    @Override
    public int maxChunkLength() {
        return twin.maxChunkLength();
    }

    @Override
    public String driverName() {
        return NativeGear.drivers().get(driver);
    }
}
