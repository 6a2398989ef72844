#!/usr/bin/env bash
# ./run soak early [SECONDS] [--rounds N] [--mechanism M]: see build/bin/soak_early --help
set -euo pipefail
exec "$(dirname "$0")/../../build/bin/soak_early" "$@"
