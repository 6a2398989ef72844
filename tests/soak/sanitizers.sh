#!/usr/bin/env bash
# ./run soak sanitizers [PYTEST_ARGUMENT...]: MPI tests with the library built under ASan and UBSan, then
# those of several threads with it built under TSan; arguments replace the tests of both. Before them, all
# cases of chance that the codec's tests make, of which ./run test has a quarter under a sanitizer.
# tests/mpi/sanitizer.py knows what the jobs need for it. A part of it is in ./run test.
set -euo pipefail
source "$TIGHTWIRE_ROOT/tools/setup.sh"
export TIGHTWIRE_SEMANTICS_COUNT=${TIGHTWIRE_SEMANTICS_COUNT:-60}

# under SANITIZER PYTEST_ARGUMENT...
under() {
  local sanitizer=$1
  shift
  build_targets="src/interpose/all src/cli/all tests/mpi/all" "build_${sanitizer}_tree" -DTIGHTWIRE_MPI=ON
  # A job has its own limit, which sanitizer.py stretches.
  TIGHTWIRE_BUILD=build-$sanitizer python -m pytest -m "" --timeout 3000 "$@"
}

files() { printf 'tests/mpi/test_%s.py\n' "$@"; }
mapfile -t memory < <(files messages fortran operations semantics rules partitions early threads started)
mapfile -t threads < <(files messages fortran semantics collectives partitions early threads started)
threads+=(-k "threads or large or early")
if [[ $# -eq 0 ]]; then
  build_targets=codec_tests build_asan_tree -DTIGHTWIRE_MPI=OFF
  TIGHTWIRE_ALL_CASES=1 build-asan/bin/codec_tests --gtest_brief=1
else
  memory=("$@")
  threads=("$@")
fi
under asan "${memory[@]}"
under tsan "${threads[@]}"
