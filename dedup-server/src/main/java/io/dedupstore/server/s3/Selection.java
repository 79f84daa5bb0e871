package io.dedupstore.server.s3;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The parameters that can select an operation: all but {@code x-id} and those of authentication.
 */
final class Selection {
    private static final Set<String> AUTHENTICATION =
            Set.of("awsaccesskeyid", "signature", "expires");

    private final QueryParameters query;
    private final List<String> names;

    Selection(QueryParameters query) {
        this.query = query;
        this.names = query.names().stream().filter(name -> !isIgnored(name)).toList();
    }

    private static boolean isIgnored(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return lower.startsWith("x-") || AUTHENTICATION.contains(lower);
    }

    boolean has(String name) {
        return names.contains(name);
    }

    Optional<String> first(String name) {
        return query.first(name);
    }

    String value(String name) {
        return query.first(name).orElse("");
    }

    Optional<String> unexpected(Set<String> allowed) {
        return names.stream().filter(name -> !allowed.contains(name)).findFirst();
    }

    /** No sub-resource, only these parameters. */
    boolean plain(Set<String> allowed) {
        return unexpected(allowed).isEmpty();
    }

    /** This sub-resource and only these parameters. */
    boolean is(String subResource, Set<String> allowed) {
        Set<String> all = new HashSet<>(allowed);
        all.add(subResource);
        return has(subResource) && plain(all);
    }

    Optional<BucketConfiguration> configuration() {
        return names.stream()
                .flatMap(name -> BucketConfiguration.ofSubResource(name).stream())
                .filter(found -> is(found.subResource(), Set.of("id", "continuation-token")))
                .findFirst();
    }

    String describe(String method) {
        return names.isEmpty() ? method : method + " ?" + names.getFirst();
    }
}
