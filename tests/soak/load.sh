#!/usr/bin/env bash
# ./run soak load [SECONDS [OPERATIONS [RANKS]]]: mixed load under Tightwire with every message
# compressed, first on Open MPI, then on MPICH; every value is checked, memory is watched.
set -euo pipefail
seconds=${1:-60} operations=${2:-1000000} ranks=${3:-8}
build=$(cd "${TIGHTWIRE_BUILD:-build}" && pwd)
settings=(--same-host compress --link 1M --point-to-point
  --threshold-exact 256 --threshold-bounded 256 --threshold-pipelined 4K)
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

# run_load FAMILY MPIRUN...
run_load() {
  local family=$1
  shift
  command -v "$1" >/dev/null || return 0
  echo "== $family, $ranks ranks"
  timeout -k 10 $((seconds + 300)) "$@" -n "$ranks" "$build/bin/tightwire" "${settings[@]}" \
    "$build/tests/mpi/$family/soak_load" "$seconds" "$operations"
}

run_load openmpi mpirun.openmpi --oversubscribe --bind-to none --mca mpi_yield_when_idle 1 \
  --mca btl_vader_single_copy_mechanism none
run_load mpich mpirun.mpich -genv LD_PRELOAD "$build/tests/mpi/mpich/yield.so"
