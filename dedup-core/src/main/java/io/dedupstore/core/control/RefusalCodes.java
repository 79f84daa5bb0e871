package io.dedupstore.core.control;

/** Refusals as numbers in replies; 0 is none. */
final class RefusalCodes {
    private RefusalCodes() {}

    static int toNumber(ControlException.Code code) {
        return switch (code) {
            case BUCKET_EXISTS_OWNED_BY_YOU -> 1;
            case BUCKET_EXISTS -> 2;
            case NO_SUCH_BUCKET -> 3;
            case TOO_MANY_BUCKETS -> 4;
            case STALE_SESSION -> 5;
            case NO_SUCH_ACCOUNT -> 6;
            case ACCOUNT_EXISTS -> 7;
            case ACCESS_KEY_EXISTS -> 8;
            case REFUSED -> 9;
            case UNKNOWN -> 10;
            case UNAVAILABLE -> 11;
            case NO_SUCH_IDENTITY -> 12;
            case IDENTITY_EXISTS -> 13;
            case IDENTITY_CHANGED -> 14;
            case NO_SUCH_KEY -> 20;
            case KEY_EXISTS -> 21;
            case KEY_DISABLED -> 22;
            case KEY_CHANGED -> 23;
        };
    }

    static ControlException.Code ofNumber(int number) {
        for (ControlException.Code code : ControlException.Code.values()) {
            if (toNumber(code) == number) {
                return code;
            }
        }
        return ControlException.Code.REFUSED;
    }
}
