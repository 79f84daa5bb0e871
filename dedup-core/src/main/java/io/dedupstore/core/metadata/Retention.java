package io.dedupstore.core.metadata;

/**
 * Until when a version must not be removed.
 *
 * @param untilMillis ms since 1970 UTC
 */
public record Retention(Mode mode, long untilMillis) {
    /** Who may do it all the same. */
    public enum Mode {
        /** Those who are permitted to, and say that they mean it. */
        GOVERNANCE(1),
        /** Nobody. */
        COMPLIANCE(2);

        private final int code;

        Mode(int code) {
            this.code = code;
        }

        int code() {
            return code;
        }

        static Mode ofCode(int code) {
            return switch (code) {
                case 1 -> GOVERNANCE;
                case 2 -> COMPLIANCE;
                default -> throw new IllegalArgumentException("retention mode " + code);
            };
        }
    }

    public Retention {
        if (untilMillis < 0) {
            throw new IllegalArgumentException("retention until " + untilMillis);
        }
    }
}
