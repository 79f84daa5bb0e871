package io.dedupstore.core.model;

import java.util.Arrays;

/** What a grant of an access list allows. Numbers are persistent. */
public enum Permission {
    READ(1),
    WRITE(2),
    READ_ACP(3),
    WRITE_ACP(4),
    FULL_CONTROL(5);

    private final int code;

    Permission(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }

    public static Permission ofCode(int code) {
        return Arrays.stream(values())
                .filter(permission -> permission.code == code)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no permission " + code));
    }

    /** Whether who has this one may do what that one allows. */
    public boolean includes(Permission other) {
        return this == other || this == FULL_CONTROL;
    }
}
