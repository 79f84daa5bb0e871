package io.dedupstore.core.jni;

import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * Names of a function's drivers on this processor, the one used by default first; none where there
 * is no library, or not the one that the function needs. Native code takes an index of this list.
 */
record DriverNames(List<String> names) {

    /**
     * @param joined asked for once the library is there, and only then
     */
    static DriverNames of(Supplier<String> joined) {
        String names = NativeLibrary.available() ? joined.get() : "";
        return new DriverNames(names.isEmpty() ? List.of() : List.of(names.split(" ")));
    }

    int checked(int driver) {
        return Objects.checkIndex(driver, names.size());
    }
}
