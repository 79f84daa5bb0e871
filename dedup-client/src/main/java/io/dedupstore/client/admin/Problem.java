package io.dedupstore.client.admin;

/**
 * Why a request was refused (RFC 9457).
 *
 * @param type about:blank, the code says it all
 * @param code for programs
 * @param detail for people: what happened, and what to do
 */
public record Problem(String type, String title, int status, String code, String detail) {
    public static final String MEDIA_TYPE = "application/problem+json";
}
