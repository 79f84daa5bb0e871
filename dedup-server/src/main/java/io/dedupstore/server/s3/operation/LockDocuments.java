package io.dedupstore.server.s3.operation;

import io.dedupstore.core.metadata.ObjectLock;
import io.dedupstore.core.metadata.Retention;
import io.dedupstore.server.http.ResponseHeaders;
import io.dedupstore.server.s3.S3Dates;
import io.dedupstore.server.s3.S3Error;
import io.dedupstore.server.s3.S3Exception;
import io.dedupstore.server.s3.S3Request;
import io.dedupstore.server.s3.XmlElement;
import io.dedupstore.server.s3.XmlReader;
import io.dedupstore.server.s3.XmlWriter;
import java.time.Instant;
import java.util.Optional;

/** Locks of versions in documents and headers. */
final class LockDocuments {
    private static final String PREFIX = "x-amz-object-lock-";
    private static final String MODE = "x-amz-object-lock-mode";
    private static final String UNTIL = "x-amz-object-lock-retain-until-date";
    private static final String LEGAL_HOLD = "x-amz-object-lock-legal-hold";
    private static final String RETENTION_ROOT = "Retention";
    private static final String LEGAL_HOLD_ROOT = "LegalHold";
    private static final String ON = "ON";
    private static final String OFF = "OFF";

    private LockDocuments() {}

    static Retention.Mode mode(String text) {
        return switch (text) {
            case "GOVERNANCE" -> Retention.Mode.GOVERNANCE;
            case "COMPLIANCE" -> Retention.Mode.COMPLIANCE;
            default -> throw new S3Exception(S3Error.MALFORMED_XML);
        };
    }

    // ---- documents ----

    static XmlWriter retention(Retention retention) {
        return XmlWriter.s3(RETENTION_ROOT)
                .text("Mode", retention.mode().name())
                .text("RetainUntilDate", S3Dates.iso(retention.untilMillis()));
    }

    /**
     * Empty where the document takes the retention away.
     *
     * @throws S3Exception MalformedXML, InvalidArgument
     */
    static Optional<Retention> retention(byte[] document, long nowMillis) {
        XmlElement given = XmlReader.parse(document, RETENTION_ROOT);
        Optional<String> mode = given.childText("Mode").map(String::strip);
        Optional<String> until = given.childText("RetainUntilDate").map(String::strip);
        if (mode.isEmpty() && until.isEmpty()) {
            return Optional.empty();
        }
        if (mode.isEmpty() || until.isEmpty()) {
            throw new S3Exception(S3Error.MALFORMED_XML);
        }
        Instant date =
                S3Dates.parse(until.get())
                        .orElseThrow(() -> new S3Exception(S3Error.MALFORMED_XML));
        return Optional.of(
                new Retention(
                        mode(mode.get()), future(date, "RetainUntilDate", until.get(), nowMillis)));
    }

    static XmlWriter legalHold(boolean on) {
        return XmlWriter.s3(LEGAL_HOLD_ROOT).text("Status", on ? ON : OFF);
    }

    static boolean legalHold(byte[] document) {
        XmlElement given = XmlReader.parse(document, LEGAL_HOLD_ROOT);
        return switch (given.requiredText("Status").strip()) {
            case ON -> true;
            case OFF -> false;
            default -> throw new S3Exception(S3Error.MALFORMED_XML);
        };
    }

    // ---- headers ----

    static boolean inHeaders(S3Request request) {
        return request.headerNames().stream().anyMatch(name -> name.startsWith(PREFIX));
    }

    /**
     * What a write says about the lock of the version it makes.
     *
     * @throws S3Exception InvalidArgument
     */
    static ObjectLock ofHeaders(S3Request request, long nowMillis) {
        Optional<String> mode = request.nonEmptyHeader(MODE);
        Optional<String> until = request.nonEmptyHeader(UNTIL);
        if (mode.isPresent() != until.isPresent()) {
            throw S3Exception.invalidArgument(
                    "x-amz-object-lock-retain-until-date and x-amz-object-lock-mode must both be"
                            + " supplied",
                    mode.isPresent() ? UNTIL : MODE,
                    "null");
        }
        Optional<Retention> retention =
                mode.map(
                        text ->
                                new Retention(
                                        modeOfHeader(text), date(until.orElseThrow(), nowMillis)));
        return new ObjectLock(
                retention, request.nonEmptyHeader(LEGAL_HOLD).map(LockDocuments::isOn));
    }

    private static Retention.Mode modeOfHeader(String text) {
        return switch (text) {
            case "GOVERNANCE" -> Retention.Mode.GOVERNANCE;
            case "COMPLIANCE" -> Retention.Mode.COMPLIANCE;
            default -> throw S3Exception.invalidArgument("Unknown wormMode directive.", MODE, text);
        };
    }

    private static long date(String text, long nowMillis) {
        Instant date =
                S3Dates.parse(text)
                        .orElseThrow(
                                () ->
                                        S3Exception.invalidArgument(
                                                "The retain until date must be provided in ISO 8601"
                                                        + " format",
                                                UNTIL,
                                                text));
        return future(date, UNTIL, text, nowMillis);
    }

    private static long future(Instant date, String name, String text, long nowMillis) {
        if (date.toEpochMilli() <= nowMillis) {
            throw S3Exception.invalidArgument(
                    "The retain until date must be in the future!", name, text);
        }
        return date.toEpochMilli();
    }

    private static boolean isOn(String hold) {
        return switch (hold) {
            case ON -> true;
            case OFF -> false;
            default ->
                    throw S3Exception.invalidArgument(
                            "Legal Hold must be either of 'ON' or 'OFF'", LEGAL_HOLD, hold);
        };
    }

    /** Of answers to GET and HEAD. */
    static void addHeaders(ResponseHeaders headers, ObjectLock lock) {
        lock.retention()
                .ifPresent(
                        retention ->
                                headers.add(MODE, retention.mode().name())
                                        .add(UNTIL, S3Dates.iso(retention.untilMillis())));
        lock.legalHold().ifPresent(on -> headers.add(LEGAL_HOLD, on ? ON : OFF));
    }
}
