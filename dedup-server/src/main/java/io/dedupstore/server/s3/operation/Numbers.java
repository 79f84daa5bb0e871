package io.dedupstore.server.s3.operation;

import io.dedupstore.core.metadata.PartInfo;
import io.dedupstore.server.s3.S3Exception;
import io.dedupstore.server.s3.S3Request;
import java.util.Optional;

/** Numbers in queries and headers. */
final class Numbers {
    /** Lines of a page of any listing. */
    static final int MAX_PAGE = 1000;

    private Numbers() {}

    /**
     * The size of a page that a query asks for: 0 to 1000, more is cut.
     *
     * @throws S3Exception InvalidArgument
     */
    static int pageSize(S3Request request, String parameter) {
        return request.query()
                .nonEmpty(parameter)
                .map(text -> Math.min(MAX_PAGE, nonNegative(parameter, text)))
                .orElse(MAX_PAGE);
    }

    /** An integer from 0 to 2147483647. */
    static int nonNegative(String name, String text) {
        int number = -1;
        try {
            number = Integer.parseInt(text.strip());
        } catch (NumberFormatException e) {
            // refused below, as a negative one is
        }
        if (number < 0) {
            throw S3Exception.invalidArgument(
                    "Argument " + name + " must be an integer between 0 and 2147483647",
                    name,
                    text);
        }
        return number;
    }

    /**
     * @throws S3Exception InvalidArgument
     */
    static int partNumber(String text) {
        int number = 0;
        try {
            number = Integer.parseInt(text);
        } catch (NumberFormatException e) {
            // refused below, as 0 is
        }
        if (number < 1 || number > PartInfo.MAX_NUMBER) {
            throw S3Exception.invalidArgument(
                    "Part number must be an integer between 1 and 10000, inclusive",
                    "partNumber",
                    text);
        }
        return number;
    }

    static Optional<Integer> partNumber(S3Request request) {
        return request.query().first("partNumber").map(Numbers::partNumber);
    }
}
