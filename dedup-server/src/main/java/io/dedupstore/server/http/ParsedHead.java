package io.dedupstore.server.http;

import java.util.Locale;

/**
 * A request head.
 *
 * @param contentLength -1 for a chunked body
 */
record ParsedHead(
        String method,
        String target,
        int minorVersion,
        RequestHeaders headers,
        long contentLength) {

    /**
     * Also without a body: botocore sends it with empty ones and then waits like with any other.
     */
    boolean expectsContinue() {
        return minorVersion == 1
                && headers.all("expect").stream().anyMatch("100-continue"::equalsIgnoreCase);
    }

    boolean keepAlive() {
        boolean close = hasConnectionOption("close");
        return minorVersion == 1 ? !close : hasConnectionOption("keep-alive") && !close;
    }

    private boolean hasConnectionOption(String option) {
        for (String value : headers.all("connection")) {
            for (String piece : value.split(",")) {
                if (piece.strip().toLowerCase(Locale.ROOT).equals(option)) {
                    return true;
                }
            }
        }
        return false;
    }
}
