#!/usr/bin/env bash
# ./run soak sanitizers [PYTEST_ARGUMENT...]: MPI tests with the library built under ASan and UBSan.
# tests/mpi/sanitizer.py knows what the jobs need for it.
set -euo pipefail
source "$TIGHTWIRE_ROOT/tools/setup.sh"
export TIGHTWIRE_SEMANTICS_COUNT=${TIGHTWIRE_SEMANTICS_COUNT:-60}

folder=build-mpi-sanitize
build_targets="src/interpose/all src/cli/all tests/mpi/all" build_tree "$folder" \
  -DCMAKE_BUILD_TYPE=RelWithDebInfo -DTIGHTWIRE_BENCH=OFF -DTIGHTWIRE_SANITIZE=address,undefined
tests=(messages fortran operations semantics rules early helper_thread)
tests=("${tests[@]/#/tests/mpi/test_}")
[[ $# -gt 0 ]] || set -- "${tests[@]/%/.py}"
TIGHTWIRE_BUILD=$folder exec python -m pytest "$@"
