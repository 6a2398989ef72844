#!/usr/bin/env bash
# Compiles the kernels for GPUs by AMD's compiler, for as long as nobody has tried them on such a GPU. Needs
# hipcc (Debian's package of that name); HIPCC names another one.
set -euo pipefail
cd "$(dirname "$0")/../.."
hipcc=${HIPCC:-hipcc}
command -v "${hipcc%% *}" >/dev/null || {
  echo "hipcc.sh: no $hipcc; on Debian: apt-get install hipcc" >&2
  exit 1
}
objects=$(mktemp -d)
trap 'rm -r "$objects"' EXIT
for source in src/device/cuda/*.cu; do
  # shellcheck disable=SC2086 # a command and its options
  $hipcc -x hip --offload-arch=gfx90a -std=c++20 -O2 -ffp-contract=off -Wall -Werror -Isrc -c "$source" \
    -o "$objects/$(basename "$source").o"
  echo "$source compiles"
done
