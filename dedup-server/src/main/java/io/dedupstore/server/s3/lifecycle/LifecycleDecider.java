package io.dedupstore.server.s3.lifecycle;

import io.dedupstore.core.metadata.ObjectVersion;
import io.dedupstore.core.model.ObjectKey;
import io.dedupstore.server.s3.lifecycle.LifecycleRule.Noncurrent;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Says what rules want done, version by version, in the order of a listing: by key, of one key the
 * newest first. A version stopped being current when the next newer one was written; whether a
 * delete marker hides nothing is known when the next key comes. Decides only; one thread.
 */
final class LifecycleDecider {
    private final List<LifecycleRule> rules;
    private final ExpiryDates dates;
    private final Instant now;
    private @Nullable ObjectKey key;
    private long newerMillis;
    private int noncurrent;
    private @Nullable ObjectVersion loneMarker;

    /**
     * @param rules enabled ones
     */
    LifecycleDecider(List<LifecycleRule> rules, ExpiryDates dates, Instant now) {
        this.rules = rules;
        this.dates = dates;
        this.now = now;
    }

    /**
     * @param latest whether it is the newest of its key
     */
    List<LifecycleAction> next(ObjectVersion version, boolean latest) {
        Optional<LifecycleAction> ofBefore = Optional.empty();
        if (latest || !version.key().equals(key)) {
            ofBefore = end();
            noncurrent = 0;
        }
        key = version.key();
        loneMarker = null;
        Optional<LifecycleAction> action = latest ? ofLatest(version) : ofNoncurrent(version);
        newerMillis = version.modifiedMillis();
        return Stream.of(ofBefore, action).flatMap(Optional::stream).toList();
    }

    /** What the end of the listing tells of the last key. */
    Optional<LifecycleAction> end() {
        ObjectVersion marker = loneMarker;
        loneMarker = null;
        return marker != null && rules.stream().anyMatch(rule -> tidies(rule, marker))
                ? Optional.of(new LifecycleAction.Tidy(marker))
                : Optional.empty();
    }

    private Optional<LifecycleAction> ofLatest(ObjectVersion version) {
        if (version.deleteMarker()) {
            loneMarker = version;
            return Optional.empty();
        }
        return rules.stream().anyMatch(rule -> expires(rule, version))
                ? Optional.of(new LifecycleAction.Expire(version))
                : Optional.empty();
    }

    private boolean expires(LifecycleRule rule, ObjectVersion version) {
        return rule.expiration()
                .filter(
                        expiration ->
                                switch (expiration) {
                                    case LifecycleRule.AfterDays(int days) ->
                                            isOver(version.modifiedMillis(), days);
                                    case LifecycleRule.OnDate(Instant date) -> !now.isBefore(date);
                                    case LifecycleRule.OfMarkers() -> false;
                                })
                .filter(expiration -> rule.filter().matches(version))
                .isPresent();
    }

    private boolean tidies(LifecycleRule rule, ObjectVersion marker) {
        return rule.expiration()
                .filter(
                        expiration ->
                                switch (expiration) {
                                    case LifecycleRule.AfterDays(int days) ->
                                            isOver(marker.modifiedMillis(), days);
                                    case LifecycleRule.OnDate(Instant date) -> false;
                                    case LifecycleRule.OfMarkers() -> true;
                                })
                .filter(expiration -> rule.filter().matchesKey(marker.key().text()))
                .isPresent();
    }

    private Optional<LifecycleAction> ofNoncurrent(ObjectVersion version) {
        int newer = noncurrent++;
        for (LifecycleRule rule : rules) {
            Optional<Noncurrent> ends =
                    rule.noncurrent()
                            .filter(rest -> newer >= rest.kept())
                            .filter(rest -> isOver(newerMillis, rest.afterDays()))
                            .filter(rest -> matches(rule, version));
            if (ends.isPresent()) {
                return Optional.of(new LifecycleAction.Remove(version));
            }
        }
        return Optional.empty();
    }

    /** Delete markers have neither tags nor a size. */
    private static boolean matches(LifecycleRule rule, ObjectVersion version) {
        return version.deleteMarker()
                ? rule.filter().matchesKey(version.key().text())
                : rule.filter().matches(version);
    }

    private boolean isOver(long sinceMillis, int days) {
        return !now.isBefore(dates.after(sinceMillis, days));
    }
}
