#!/usr/bin/env bash
# ./run soak parameters [PYTEST_ARGUMENT...]: the tests whose parameters ./run test leaves out, as they
# find what others find, too: more numbers of ranks, bounds, and pairs of a mode and a codec
set -euo pipefail
source "$TIGHTWIRE_ROOT/tools/setup.sh"
status=0
python -m pytest -m long tests "$@" || status=$?
# More of the random schedules of messages than ./run test takes, and others.
TIGHTWIRE_SEMANTICS_SEED=121 TIGHTWIRE_SEMANTICS_COUNT=400 \
  python -m pytest tests/mpi/test_semantics.py "$@" || status=$?
exit "$status"
