package io.dedupstore.core.metadata;

/**
 * A request that will not take effect, found before it wrote anything. Never leaves the state
 * machine: it becomes the fate of the attempt.
 */
final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final MetadataProto.Refusal refusal;

    Refused(MetadataProto.Refusal refusal, String message) {
        super(message, null, false, false);
        this.refusal = refusal;
    }

    MetadataProto.Refusal refusal() {
        return refusal;
    }
}
