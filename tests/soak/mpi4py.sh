#!/usr/bin/env bash
# All of mpi4py's own tests, plain and under Tightwire: docs/user/conformance.md.
set -euo pipefail
exec python "$TIGHTWIRE_ROOT/tests/mpi4py/whole.py" "$@"
