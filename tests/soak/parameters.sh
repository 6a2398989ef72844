#!/usr/bin/env bash
# ./run soak parameters [PYTEST_ARGUMENT...]: the tests whose parameters ./run test leaves out, as they
# find what others find, too: more numbers of ranks, bounds, and pairs of a mode and a codec
set -euo pipefail
source "$TIGHTWIRE_ROOT/tools/setup.sh"
exec python -m pytest -m long tests "$@"
