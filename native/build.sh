#!/bin/sh
# Builds the native library or runs its tests; called by Maven, works by hand as well.
#
#   build.sh library BUILD_DIR RESOURCE_DIR JAVA_HOME
#   build.sh test BUILD_DIR
#   build.sh sanitize BUILD_DIR        tests and a few seconds of fuzzing under address and undefined
#                                      behaviour sanitizers; with clang by libFuzzer
#   build.sh emulate BUILD_DIR         tests for aarch64 by cross compilation and user mode emulation
#
# Where there is no cmake or no C compiler nothing is built, and that is no error: the product then
# runs on the Java twins of all kernels.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
mode=$1
build=$2

not_built() {
    echo "native: not built ($1); the Java twins of all kernels will be used"
    exit 0
}

compiler() {
    for candidate in "${CC:-cc}" gcc clang; do
        if command -v "$candidate" >/dev/null 2>&1; then
            echo "$candidate"
            return
        fi
    done
}

# Whether a compiler can build and link with sanitizers; their libraries are packages of their own.
sanitizes() { # COMPILER OPTION...
    candidate_compiler=$1
    shift
    mkdir -p "$build"
    echo 'int main(void) { return 0; }' >"$build/probe.c"
    "$candidate_compiler" -fsanitize=address,undefined "$@" "$build/probe.c" -o "$build/probe" \
        >/dev/null 2>&1 && "$build/probe"
}

generator() {
    if command -v ninja >/dev/null 2>&1; then echo Ninja; else echo "Unix Makefiles"; fi
}

missing=""
command -v cmake >/dev/null 2>&1 || missing="cmake"
[ -n "$(compiler)" ] || missing="$missing C-compiler"
case "$(uname -s)" in
    Linux) ;;
    *) missing="$missing Linux" ;;
esac

if [ -n "$missing" ]; then
    not_built "missing: $missing"
fi

configure() {
    # The cache of a tree that was moved can't be used.
    cache="$build/CMakeCache.txt"
    if [ -f "$cache" ] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$here" "$cache"; then
        rm -rf "$build"
    fi
    mkdir -p "$build"
    # Every time, because what the library can use may have been installed or removed since.
    CC=$(compiler) cmake -S "$here" -B "$build" -G "$(generator)" "$@" >"$build/configure.log" 2>&1 || {
        cat "$build/configure.log" >&2
        rm -f "$build/CMakeCache.txt"
        echo "native: cmake failed" >&2
        exit 1
    }
}

compile() {
    cmake --build "$build" --parallel 2 >"$build/build.log" 2>&1 || {
        cat "$build/build.log" >&2
        echo "native: compilation failed" >&2
        exit 1
    }
}

run_tests() {
    (cd "$build" && ctest --output-on-failure --output-junit ctest.xml >"test.log" 2>&1) || {
        cat "$build/test.log" >&2
        echo "native: tests failed" >&2
        exit 1
    }
    echo "native: $(grep 'tests passed' "$build/test.log")"
}

case "$mode" in
    library)
        resources=$3
        java_home=$4
        if [ ! -f "$java_home/include/jni.h" ]; then
            not_built "no include/jni.h in $java_home"
        fi
        configure -DJAVA_HOME="$java_home"
        compile
        target="$resources/io/dedupstore/native/linux-$(uname -m)"
        mkdir -p "$target"
        cmp -s "$build/libdedup_native.so" "$target/libdedup_native.so" ||
            cp "$build/libdedup_native.so" "$target/libdedup_native.so"
        ;;
    test)
        if [ ! -f "$build/CMakeCache.txt" ]; then
            echo "native: no tests, nothing was built"
            exit 0
        fi
        run_tests
        ;;
    sanitize)
        for candidate in clang clang-14; do
            if command -v "$candidate" >/dev/null 2>&1 && sanitizes "$candidate" -fsanitize=fuzzer-no-link; then
                CC=$candidate
                break
            fi
        done
        if ! sanitizes "$(compiler)"; then
            echo "native: not tested under sanitizers, which $(compiler) lacks here"
            exit 0
        fi
        configure -DDEDUP_SANITIZE=ON -DDEDUP_JNI=OFF
        compile
        run_tests
        ;;
    emulate)
        cross=aarch64-linux-gnu
        if ! command -v $cross-gcc >/dev/null 2>&1 || ! command -v qemu-aarch64 >/dev/null 2>&1; then
            echo "native: not tested for aarch64, which needs $cross-gcc and qemu-aarch64 (gcc-$cross, qemu-user)"
            exit 0
        fi
        configure -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 \
            -DCMAKE_C_COMPILER=$cross-gcc \
            -DCMAKE_CROSSCOMPILING_EMULATOR="qemu-aarch64;-L;/usr/$cross" \
            -DDEDUP_ISAL=OFF -DDEDUP_JNI=OFF
        compile
        run_tests
        ;;
    *)
        echo "usage: build.sh library|test|sanitize|emulate BUILD_DIR ..." >&2
        exit 2
        ;;
esac
