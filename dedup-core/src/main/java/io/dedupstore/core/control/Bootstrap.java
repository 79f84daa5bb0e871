package io.dedupstore.core.control;

/** What a new cluster is made with. */
public record Bootstrap(ClusterLayout layout, String rootAccessKey, String rootSecretKey) {
    @Override
    public String toString() {
        return "Bootstrap[" + layout + ", " + rootAccessKey + "]";
    }
}
