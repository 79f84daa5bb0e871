#!/usr/bin/env bash
# Java as google-java-format writes it, C as clang-format does (where it is installed). `./dedup fmt` mends both.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=../../dedup-server/src/dist/bin/find-java.sh
. dedup-server/src/dist/bin/find-java.sh
JAVA_HOME=$(find_java javac) || { explain_missing_java javac; exit 1; }
export JAVA_HOME
MAVEN_OPTS="--sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED ${MAVEN_OPTS:-}" \
  "${MAVEN:-mvn}" -B -ntp -q spotless:check
if command -v clang-format >/dev/null; then
  find native \( -name target -o -name build \) -prune -o \( -name '*.c' -o -name '*.h' \) -print0 |
    xargs -0 -r clang-format --dry-run --Werror
else
  echo "clang-format is not installed: C sources were not checked" >&2
fi
