#!/usr/bin/env bash
# Every script parses; shellcheck reads them where it is installed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
scripts=(dedup .ci/run dedup-server/src/dist/bin/dedup dedup-server/src/dist/bin/find-java.sh dev/checks/*.sh)
for script in "${scripts[@]}"; do bash -n "$script"; done
if command -v shellcheck >/dev/null; then
  shellcheck -x -S warning "${scripts[@]}"
else
  echo "shellcheck is not installed: scripts were only parsed" >&2
fi
