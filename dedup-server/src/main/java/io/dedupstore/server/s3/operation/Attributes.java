package io.dedupstore.server.s3.operation;

import io.dedupstore.core.metadata.ObjectAttributes;
import io.dedupstore.server.s3.S3Error;
import io.dedupstore.server.s3.S3Exception;
import io.dedupstore.server.s3.S3Request;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What a request says about the object it makes. */
final class Attributes {
    static final String STORAGE_CLASS = "x-amz-storage-class";
    static final String STANDARD = "STANDARD";
    static final String REDIRECT = "x-amz-website-redirect-location";
    static final String USER_PREFIX = "x-amz-meta-";

    private static final int MAX_USER_METADATA_BYTES = 2 << 10;
    private static final List<String> KEPT =
            List.of(
                    "content-type",
                    "cache-control",
                    "content-disposition",
                    "content-language",
                    "expires");

    /** Classes whose objects can be read at once, which here all can. */
    private static final Set<String> STORAGE_CLASSES =
            Set.of(
                    STANDARD,
                    "REDUCED_REDUNDANCY",
                    "STANDARD_IA",
                    "ONEZONE_IA",
                    "INTELLIGENT_TIERING",
                    "GLACIER_IR");

    private Attributes() {}

    /**
     * @throws S3Exception MetadataTooLarge, InvalidStorageClass, and what is wrong with tags
     */
    static ObjectAttributes of(S3Request request) {
        SortedMap<String, String> headers = new TreeMap<>();
        for (String name : KEPT) {
            List<String> values = request.headerValues(name);
            if (!values.isEmpty()) {
                headers.put(name, String.join(", ", values));
            }
        }
        String encoding = contentEncoding(request);
        if (!encoding.isEmpty()) {
            headers.put("content-encoding", encoding);
        }
        addPlacement(request, headers);
        return new ObjectAttributes(
                headers, userMetadata(request), TagSet.ofHeader(request).byKey());
    }

    /**
     * As they are copied with an object: its storage class and redirect are the request's to say.
     */
    static ObjectAttributes copied(ObjectAttributes source, S3Request request) {
        SortedMap<String, String> headers = new TreeMap<>(source.headers());
        headers.remove(STORAGE_CLASS);
        headers.remove(REDIRECT);
        addPlacement(request, headers);
        return new ObjectAttributes(headers, source.userMetadata(), source.tags());
    }

    static String storageClass(ObjectAttributes attributes) {
        return attributes.headers().getOrDefault(STORAGE_CLASS, STANDARD);
    }

    private static void addPlacement(S3Request request, SortedMap<String, String> headers) {
        request.nonEmptyHeader(STORAGE_CLASS)
                .ifPresent(
                        storageClass -> {
                            if (!STORAGE_CLASSES.contains(storageClass)) {
                                throw new S3Exception(S3Error.INVALID_STORAGE_CLASS)
                                        .with("StorageClassRequested", storageClass);
                            }
                            if (!storageClass.equals(STANDARD)) {
                                headers.put(STORAGE_CLASS, storageClass);
                            }
                        });
        request.nonEmptyHeader(REDIRECT).ifPresent(location -> headers.put(REDIRECT, location));
    }

    /** Without {@code aws-chunked}, which describes the transfer. */
    private static String contentEncoding(S3Request request) {
        return request.headerValues("content-encoding").stream()
                .flatMap(value -> Arrays.stream(value.split(",")))
                .map(String::strip)
                .filter(coding -> !coding.isEmpty() && !coding.equalsIgnoreCase("aws-chunked"))
                .collect(Collectors.joining(","));
    }

    private static SortedMap<String, String> userMetadata(S3Request request) {
        SortedMap<String, String> metadata = new TreeMap<>();
        int bytes = 0;
        for (String header : request.headerNames()) {
            if (header.startsWith(USER_PREFIX) && header.length() > USER_PREFIX.length()) {
                String name = header.substring(USER_PREFIX.length()).toLowerCase(Locale.ROOT);
                String value = HeaderText.decode(String.join(",", request.headerValues(header)));
                bytes += utf8Length(name) + utf8Length(value);
                metadata.put(name, value);
            }
        }
        if (bytes > MAX_USER_METADATA_BYTES) {
            throw new S3Exception(S3Error.METADATA_TOO_LARGE)
                    .with("Size", Integer.toString(bytes))
                    .with("MaxSizeAllowed", Integer.toString(MAX_USER_METADATA_BYTES));
        }
        return metadata;
    }

    private static int utf8Length(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
