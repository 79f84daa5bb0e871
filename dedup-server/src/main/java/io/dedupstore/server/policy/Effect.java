package io.dedupstore.server.policy;

enum Effect {
    ALLOW,
    DENY
}
