#!/usr/bin/env bash
# ./run soak codec [SECONDS] [--values N]: see build/bin/soak_codec --help
set -euo pipefail
exec "$(dirname "$0")/../../build/bin/soak_codec" "$@"
