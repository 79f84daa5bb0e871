package io.dedupstore.core.control;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A user, group or role of an account. Names have no case: there are no two that differ by it only.
 *
 * @param id never used again, also when the name is
 * @param path begins and ends with a slash
 * @param revision raised by every change; 0 for one that is to be made
 * @param policies documents by name
 * @param managedPolicies ARNs of policies that come with the server
 * @param groups ids of the groups a user is in
 * @param trustPolicy of a role: who may assume it; empty for others
 * @param maxSessionSeconds of a role; 0 for others
 */
public record Identity(
        String account,
        Kind kind,
        String name,
        String id,
        String path,
        String description,
        long createdMillis,
        long revision,
        SortedMap<String, String> policies,
        List<String> managedPolicies,
        List<String> groups,
        String trustPolicy,
        int maxSessionSeconds) {
    public static final int MAX_POLICIES = 50;
    public static final int MAX_GROUPS = 100;

    /** Bytes of all its documents together. */
    public static final int MAX_DOCUMENT_CHARS = 64 << 10;

    /** Numbers are persistent. */
    public enum Kind {
        USER(1),
        GROUP(2),
        ROLE(3);

        private final int code;

        Kind(int code) {
            this.code = code;
        }

        int code() {
            return code;
        }

        static Kind ofCode(int code) {
            return Arrays.stream(values())
                    .filter(kind -> kind.code == code)
                    .findFirst()
                    .orElseThrow(
                            () ->
                                    new IllegalArgumentException(
                                            "there is no kind of identity " + code));
        }
    }

    public Identity {
        Names.check("account id", account, Names.ACCOUNT_ID);
        Names.check("name", name, Names.IDENTITY);
        Names.check("id", id, Names.IDENTITY_ID);
        Names.check("path", path, Names.PATH);
        Names.checkText("description", description);
        policies = Collections.unmodifiableSortedMap(new TreeMap<>(policies));
        managedPolicies = List.copyOf(managedPolicies);
        groups = List.copyOf(groups);
        int chars = policies.values().stream().mapToInt(String::length).sum();
        if (policies.size() > MAX_POLICIES
                || managedPolicies.size() > MAX_POLICIES
                || groups.size() > MAX_GROUPS
                || chars + trustPolicy.length() > MAX_DOCUMENT_CHARS) {
            throw new IllegalArgumentException("too many or too large policies or groups");
        }
    }

    public static Identity user(
            String account, String name, String id, String path, long createdMillis) {
        return of(account, Kind.USER, name, id, path, createdMillis);
    }

    public static Identity group(
            String account, String name, String id, String path, long createdMillis) {
        return of(account, Kind.GROUP, name, id, path, createdMillis);
    }

    private static Identity of(
            String account, Kind kind, String name, String id, String path, long createdMillis) {
        return new Identity(
                account,
                kind,
                name,
                id,
                path,
                "",
                createdMillis,
                0,
                new TreeMap<>(),
                List.of(),
                List.of(),
                "",
                0);
    }

    /** What names of a kind are kept by. */
    String nameKey() {
        return name.toLowerCase(Locale.ROOT);
    }

    public Identity withPolicies(SortedMap<String, String> others) {
        return new Identity(
                account,
                kind,
                name,
                id,
                path,
                description,
                createdMillis,
                revision,
                others,
                managedPolicies,
                groups,
                trustPolicy,
                maxSessionSeconds);
    }

    public Identity withManagedPolicies(List<String> others) {
        return new Identity(
                account,
                kind,
                name,
                id,
                path,
                description,
                createdMillis,
                revision,
                policies,
                others,
                groups,
                trustPolicy,
                maxSessionSeconds);
    }

    public Identity withGroups(List<String> others) {
        return new Identity(
                account,
                kind,
                name,
                id,
                path,
                description,
                createdMillis,
                revision,
                policies,
                managedPolicies,
                others,
                trustPolicy,
                maxSessionSeconds);
    }

    public Identity withMaxSessionSeconds(int other) {
        return new Identity(
                account,
                kind,
                name,
                id,
                path,
                description,
                createdMillis,
                revision,
                policies,
                managedPolicies,
                groups,
                trustPolicy,
                other);
    }

    Identity withRevision(long other) {
        return new Identity(
                account,
                kind,
                name,
                id,
                path,
                description,
                createdMillis,
                other,
                policies,
                managedPolicies,
                groups,
                trustPolicy,
                maxSessionSeconds);
    }

    public Identity withTrustPolicy(String other) {
        return new Identity(
                account,
                kind,
                name,
                id,
                path,
                description,
                createdMillis,
                revision,
                policies,
                managedPolicies,
                groups,
                other,
                maxSessionSeconds);
    }
}
