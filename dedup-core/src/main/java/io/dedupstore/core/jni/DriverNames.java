package io.dedupstore.core.jni;

import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * Names of a function's drivers on this processor, the one used by default first; none where there
 * is no library. Native code takes an index of this list.
 */
record DriverNames(List<String> names) {

    /**
     * @param joined asked for once the library is there, and only then
     */
    static DriverNames of(Supplier<String> joined) {
        return new DriverNames(
                NativeLibrary.available() ? List.of(joined.get().split(" ")) : List.of());
    }

    int checked(int driver) {
        return Objects.checkIndex(driver, names.size());
    }
}
