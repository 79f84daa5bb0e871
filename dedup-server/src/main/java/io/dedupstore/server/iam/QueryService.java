package io.dedupstore.server.iam;

import java.util.Arrays;
import java.util.Optional;

/** The services of the query API, by their name in signatures. */
enum QueryService {
    IAM("iam", "https://iam.amazonaws.com/doc/2010-05-08/"),
    STS("sts", "https://sts.amazonaws.com/doc/2011-06-15/");

    private final String text;
    private final String namespace;

    QueryService(String text, String namespace) {
        this.text = text;
        this.namespace = namespace;
    }

    static Optional<QueryService> ofName(String name) {
        return Arrays.stream(values()).filter(service -> service.text.equals(name)).findFirst();
    }

    String text() {
        return text;
    }

    String namespace() {
        return namespace;
    }
}
