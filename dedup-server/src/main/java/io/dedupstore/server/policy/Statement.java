package io.dedupstore.server.policy;

import java.util.List;
import java.util.Optional;

/**
 * One statement of a policy.
 *
 * @param principals who it is about; empty in policies of the caller itself
 * @param exceptPrincipals whether it is about everybody else
 * @param actions patterns of action names, which have no case
 * @param exceptActions whether it is about all other actions
 * @param exceptResources whether it is about all other resources
 */
record Statement(
        String sid,
        Effect effect,
        Optional<PrincipalSet> principals,
        boolean exceptPrincipals,
        List<PolicyPattern> actions,
        boolean exceptActions,
        List<PolicyPattern> resources,
        boolean exceptResources,
        List<Condition> conditions) {
    Statement {
        actions = List.copyOf(actions);
        resources = List.copyOf(resources);
        conditions = List.copyOf(conditions);
    }

    PrincipalSet.Match match(Caller caller, String action, String resource, Facts facts) {
        PrincipalSet.Match match = match(caller);
        if (match == PrincipalSet.Match.NO
                || !isAbout(action)
                || matchesResource(resource, facts) == exceptResources
                || !conditions.stream().allMatch(condition -> condition.holds(facts))) {
            return PrincipalSet.Match.NO;
        }
        return match;
    }

    boolean isAbout(String action) {
        boolean named =
                actions.stream()
                        .anyMatch(pattern -> pattern.matchesIgnoringCase(action, Facts.NONE));
        return named != exceptActions;
    }

    private boolean matchesResource(String resource, Facts facts) {
        // A policy about a role's trust has none.
        return (resources.isEmpty() && !exceptResources)
                || resources.stream().anyMatch(pattern -> pattern.matches(resource, facts));
    }

    private PrincipalSet.Match match(Caller caller) {
        if (principals.isEmpty()) {
            return PrincipalSet.Match.SELF;
        }
        PrincipalSet.Match match = principals.get().match(caller);
        if (!exceptPrincipals) {
            return match;
        }
        return match == PrincipalSet.Match.NO ? PrincipalSet.Match.SELF : PrincipalSet.Match.NO;
    }
}
