package io.dedupstore.server.s3.operation;

import io.dedupstore.core.metadata.ChecksumAlgorithm;
import io.dedupstore.core.metadata.ObjectChecksum;
import io.dedupstore.server.s3.S3Error;
import io.dedupstore.server.s3.S3Exception;
import io.dedupstore.server.s3.S3Request;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a request says about its body, to be held against what arrived.
 *
 * @param algorithm of the additional checksum, in a header or in the trailer
 * @param value of it; empty when it comes in the trailer
 */
record BodyIntegrity(
        Optional<byte[]> md5, Optional<ChecksumAlgorithm> algorithm, Optional<byte[]> value) {
    private static final int MD5_BYTES = 16;
    private static final String SDK_ALGORITHM = "x-amz-sdk-checksum-algorithm";

    /** Headers of that prefix that carry no value of a body. */
    private static final Set<String> NO_VALUES =
            Set.of("x-amz-checksum-mode", "x-amz-checksum-type", "x-amz-checksum-algorithm");

    static BodyIntegrity of(S3Request request) {
        Optional<Named> header = inHeader(request);
        Optional<ChecksumAlgorithm> trailer = inTrailer(request);
        if (header.isPresent() && trailer.isPresent()) {
            throw S3Exception.invalidRequest(
                    "Expecting a single x-amz-checksum- header. Multiple checksum Types are not"
                            + " allowed.");
        }
        Optional<ChecksumAlgorithm> algorithm = header.map(Named::algorithm).or(() -> trailer);
        checkSdkAlgorithm(request, algorithm);
        return new BodyIntegrity(md5(request), algorithm, header.map(Named::value));
    }

    /** An algorithm with the value that a header gives for it. */
    private record Named(ChecksumAlgorithm algorithm, byte[] value) {}

    /** Digests that the writer has to compute besides those it always does. */
    Set<ChecksumAlgorithm> digests() {
        return Digester.costly(algorithm.stream().toList());
    }

    /** Whether anything was said at all. */
    boolean isGiven() {
        return md5.isPresent() || algorithm.isPresent();
    }

    /**
     * @return the checksum to keep: the client's, or else CRC64NVME
     * @throws S3Exception BadDigest, MalformedTrailerError, InvalidRequest
     */
    ObjectChecksum verify(Digests arrived, Map<String, String> trailers) {
        if (md5.isPresent() && !Arrays.equals(md5.get(), arrived.md5())) {
            throw new S3Exception(S3Error.BAD_DIGEST)
                    .with("ExpectedDigest", Base64.getEncoder().encodeToString(md5.get()))
                    .with("CalculatedDigest", Base64.getEncoder().encodeToString(arrived.md5()));
        }
        ChecksumAlgorithm kept = algorithm.orElse(ChecksumAlgorithm.CRC64NVME);
        byte[] computed = arrived.value(kept);
        if (algorithm.isPresent()) {
            byte[] said = value.orElseGet(() -> inTrailer(kept, trailers));
            if (!Arrays.equals(said, computed)) {
                throw mismatch(kept);
            }
        }
        return Checksums.full(kept, computed);
    }

    static S3Exception mismatch(ChecksumAlgorithm algorithm) {
        return new S3Exception(
                S3Error.BAD_DIGEST,
                "The " + algorithm + " you specified did not match the calculated checksum.");
    }

    private static byte[] inTrailer(ChecksumAlgorithm algorithm, Map<String, String> trailers) {
        String name = Checksums.header(algorithm);
        String text = trailers.get(name);
        if (text == null) {
            throw new S3Exception(S3Error.MALFORMED_TRAILER);
        }
        return Checksums.decode(algorithm, text)
                .orElseThrow(
                        () ->
                                S3Exception.invalidRequest(
                                        "Value for " + name + " trailing header is invalid."));
    }

    private static Optional<byte[]> md5(S3Request request) {
        Optional<String> header = request.header("content-md5");
        if (header.isEmpty()) {
            return Optional.empty();
        }
        try {
            byte[] value = Base64.getDecoder().decode(header.get().strip());
            if (value.length == MD5_BYTES) {
                return Optional.of(value);
            }
        } catch (IllegalArgumentException e) {
            // refused below
        }
        throw new S3Exception(S3Error.INVALID_DIGEST).with("Content-MD5", header.get());
    }

    private static Optional<Named> inHeader(S3Request request) {
        List<Named> found = new ArrayList<>();
        for (String name : request.headerNames()) {
            if (name.startsWith(Checksums.HEADER_PREFIX) && !NO_VALUES.contains(name)) {
                ChecksumAlgorithm algorithm = algorithmOf(name);
                String text = request.header(name).orElse("");
                found.add(
                        new Named(
                                algorithm,
                                Checksums.decode(algorithm, text)
                                        .orElseThrow(() -> invalidValue(name))));
            }
        }
        if (found.size() > 1) {
            throw S3Exception.invalidRequest(
                    "Expecting a single x-amz-checksum- header. Multiple checksum Types are not"
                            + " allowed.");
        }
        return found.stream().findFirst();
    }

    private static Optional<ChecksumAlgorithm> inTrailer(S3Request request) {
        List<String> names =
                request.headerValues("x-amz-trailer").stream()
                        .flatMap(value -> Arrays.stream(value.split(",")))
                        .map(name -> name.strip().toLowerCase(Locale.ROOT))
                        .filter(name -> !name.isEmpty())
                        .toList();
        if (names.isEmpty()) {
            return Optional.empty();
        }
        if (names.size() > 1 || !names.getFirst().startsWith(Checksums.HEADER_PREFIX)) {
            throw S3Exception.invalidRequest(
                    "The value specified in the x-amz-trailer header is not supported");
        }
        if (!request.expectsTrailer()) {
            throw new S3Exception(S3Error.MALFORMED_TRAILER);
        }
        return Optional.of(algorithmOf(names.getFirst()));
    }

    private static ChecksumAlgorithm algorithmOf(String name) {
        String suffix = name.substring(Checksums.HEADER_PREFIX.length());
        return Checksums.algorithm(suffix)
                .orElseThrow(
                        () ->
                                S3Exception.invalidRequest(
                                        "The algorithm type you specified in x-amz-checksum- header"
                                                + " is invalid."));
    }

    private static void checkSdkAlgorithm(
            S3Request request, Optional<ChecksumAlgorithm> algorithm) {
        Optional<String> named = request.nonEmptyHeader(SDK_ALGORITHM);
        if (named.isEmpty()) {
            return;
        }
        ChecksumAlgorithm sdk =
                Checksums.algorithm(named.get()).orElseThrow(() -> invalidValue(SDK_ALGORITHM));
        if (algorithm.isEmpty()) {
            if (request.header("content-md5").isPresent()) {
                return;
            }
            throw S3Exception.invalidRequest(
                    "x-amz-sdk-checksum-algorithm specified, but no corresponding x-amz-checksum-*"
                            + " or x-amz-trailer headers were found.");
        }
        if (sdk != algorithm.get()) {
            throw invalidValue(SDK_ALGORITHM);
        }
    }

    private static S3Exception invalidValue(String header) {
        return S3Exception.invalidRequest("Value for " + header + " header is invalid.");
    }
}
