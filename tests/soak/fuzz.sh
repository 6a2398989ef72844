#!/usr/bin/env bash
# ./run soak fuzz [SECONDS [TARGET...]]: every fuzzer for so long, or those that are named
set -euo pipefail
[[ $# -gt 0 ]] || set -- 600
exec "$(dirname "$0")/../../run" fuzz "$@"
