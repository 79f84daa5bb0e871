#!/usr/bin/env bash
# Rules that need no compiler: each prints what breaks it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
status=0

refuse() { # WHY, matching lines
  [ -n "$2" ] || return 0
  printf 'refused: %s\n%s\n' "$1" "$2" >&2
  status=1
}

search() { git grep -nIE "$@" 2>/dev/null || true; }

refuse 'printing from product code; log, or return the text (the command line itself prints)' \
  "$(search 'System\.(out|err)\.|printStackTrace\(' -- '*/src/main/java/*' ':!dedup-client/src/main/java/io/dedupstore/client/cli/*' \
    ':!dedup-server/src/main/java/io/dedupstore/server/*.java' ':!benchmarks/*')"
refuse 'left-over marks' "$(search '\b(TODO|FIXME|XXX)\b' -- '*/src/*' native dedup .ci)"
refuse 'waiting by sleeping in a test; wait on a condition with a deadline' \
  "$(search 'Thread\.sleep' -- '*/src/test/*' ':!*/Eventually.java')"
refuse 'a test switched off' "$(search '@Disabled' -- '*/src/test/*')"
refuse 'a package without package-info.java' "$(
  git ls-files '*/src/main/java/*.java' | xargs -r -n 1 dirname | sort -u | while IFS= read -r folder; do
    [ -e "$folder/package-info.java" ] || echo "$folder"
  done
)"
exit "$status"
