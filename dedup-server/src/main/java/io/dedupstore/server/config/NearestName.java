package io.dedupstore.server.config;

import java.util.Collection;
import java.util.Comparator;

/** Finds what a misspelt name was probably meant to be. */
final class NearestName {
    private NearestName() {}

    /** " Did you mean X?", or nothing when no candidate is near. */
    static String hint(String name, Collection<String> candidates) {
        int limit = Math.max(2, name.length() / 3);
        return candidates.stream()
                .min(Comparator.comparingInt(candidate -> distance(name, candidate)))
                .filter(candidate -> distance(name, candidate) <= limit)
                .map(candidate -> " Did you mean " + candidate + "?")
                .orElse("");
    }

    /** Levenshtein's, two rows at a time. */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int above = row[j];
                int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(change, Math.min(above, row[j - 1]) + 1);
                diagonal = above;
            }
        }
        return row[b.length()];
    }
}
