package io.dedupstore.core.sigv4;

import io.dedupstore.core.sigv4.SigV4Exception.Reason;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** A query's parameters, percent-decoded once, in their order. */
record QueryString(List<Parameter> parameters) {
    record Parameter(String name, String value) {}

    static QueryString parse(String rawQuery) {
        List<Parameter> parameters = new ArrayList<>();
        for (String piece : rawQuery.split("&")) {
            if (!piece.isEmpty()) {
                int equals = piece.indexOf('=');
                String name = equals < 0 ? piece : piece.substring(0, equals);
                String value = equals < 0 ? "" : piece.substring(equals + 1);
                parameters.add(new Parameter(UriEncoding.decode(name), UriEncoding.decode(value)));
            }
        }
        return new QueryString(List.copyOf(parameters));
    }

    boolean contains(String name) {
        return parameters.stream().anyMatch(parameter -> parameter.name().equals(name));
    }

    /** The value of a parameter that may come once at most. */
    Optional<String> single(String name) {
        List<String> values =
                parameters.stream()
                        .filter(parameter -> parameter.name().equals(name))
                        .map(Parameter::value)
                        .toList();
        if (values.size() > 1) {
            throw new SigV4Exception(
                    Reason.QUERY_PARAMETERS_MALFORMED, "Query parameter " + name + " is repeated.");
        }
        return values.stream().findFirst();
    }

    /** Sorted by encoded name, then encoded value; without the signature itself. */
    String canonical() {
        return parameters.stream()
                .filter(parameter -> !parameter.name().equals(PresignedQuery.SIGNATURE))
                .map(
                        parameter ->
                                new Parameter(
                                        UriEncoding.encode(parameter.name(), false),
                                        UriEncoding.encode(parameter.value(), false)))
                .sorted(Comparator.comparing(Parameter::name).thenComparing(Parameter::value))
                .map(parameter -> parameter.name() + "=" + parameter.value())
                .reduce((left, right) -> left + "&" + right)
                .orElse("");
    }
}
