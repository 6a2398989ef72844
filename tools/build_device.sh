#!/usr/bin/env bash
# build_device.sh FOLDER: compiles bench_device into FOLDER/bin, and libtightwire_cuda.so, by which messages are coded
# on a GPU, into FOLDER/lib, with nothing but nvcc and g++, as machines with a GPU have often nothing else. What is
# newer than all sources stays.
set -euo pipefail
cd "${TIGHTWIRE_ROOT:-$(dirname "$0")/..}"
folder=$1

fail() {
  printf 'run: device: %s\n' "$*" >&2
  exit 1
}

# CUDA's compiler: on PATH, or in $CUDA_HOME, or else where its installers put it.
find_nvcc() {
  local nvcc places=(/usr/local/cuda/bin/nvcc /usr/local/cuda-*/bin/nvcc)
  [[ -z ${CUDA_HOME-} ]] || places=("$CUDA_HOME/bin/nvcc")
  for nvcc in "$(command -v nvcc || true)" "${places[@]}"; do
    [[ ! -x $nvcc ]] || { echo "$nvcc"; return; }
  done
}

missing=()
nvcc=$(find_nvcc)
[[ -n $nvcc ]] || missing+=("CUDA's compiler nvcc, 12.0 or later (or its folder on PATH)")
gxx=${CXX:-g++}
command -v "$gxx" >/dev/null || missing+=("g++, 11 or later")
if [[ ${#missing[@]} -gt 0 ]]; then
  printf -v needs '%s and ' "${missing[@]}"
  fail "needs ${needs% and }"
fi
# Its own path, not a link's: what belongs to it lies beside.
cuda=$(dirname "$(dirname "$(readlink -f "$nvcc")")")
"$nvcc" --version >/dev/null || fail "$nvcc does not run"

common=(-std=c++20 -O3 -DNDEBUG -DTIGHTWIRE_NO_SZ3_ZFP -Isrc -Iinclude -Ibench)
host=("${common[@]}" -fPIC -fvisibility=hidden -Wall -Wno-restrict -ffp-contract=off -isystem "$cuda/include" -pthread)
[[ ! -d $cuda/targets/x86_64-linux/include ]] || host+=(-isystem "$cuda/targets/x86_64-linux/include")
# A stand-in where the library's own is missing.
host+=(-idirafter bench/device/stand_ins)
# A100 and H100, and what later ones' drivers compile.
device=("${common[@]}" -Xcompiler -fPIC -Xcompiler -fvisibility=hidden --expt-relaxed-constexpr --fmad=false -ccbin "$gxx"
  -gencode "arch=compute_80,code=sm_80" -gencode "arch=compute_90,code=[sm_90,compute_90]")

sources() {
  find src/codec src/os bench/fields -name '*.cpp' ! -path 'src/codec/adapters/*' ! -path 'src/codec/c_api/*' \
    ! -path 'src/os/child.cpp' ! -path 'src/os/trust.cpp'
  echo src/codec/adapters/raw.cpp
  find src/device -maxdepth 1 -name '*.cpp'
  find bench/device -name '*.cpp'
  find src/device -name '*.cu'
  echo src/device/cuda/plugin.cpp
}

newest=$(find src bench/device bench/fields bench/support tools/build_device.sh -type f -printf '%T@ %p\n' | sort -rn | sed -n '1s/^[^ ]* //p')
compile() {
  local source=$1 object=$folder/obj/${1//\//+}.o
  [[ ! $object -nt $newest ]] || return 0
  if [[ $source == *.cu ]]; then
    "$nvcc" "${device[@]}" -c "$source" -o "$object.new" || return
  else
    "$gxx" "${host[@]}" -c "$source" -o "$object.new" || return
  fi
  mv "$object.new" "$object"
}

# run_all COMMAND: on each word of the input, as many at once as there are cores
run_all() {
  local word status=0
  while read -r word; do
    while [[ $(jobs -rp | wc -l) -ge ${TIGHTWIRE_JOBS:-$(nproc)} ]]; do wait -n || status=1; done
    [[ $status -eq 0 ]] || break
    "$1" "$word" &
  done
  while [[ -n $(jobs -p) ]]; do wait -n || status=1; done
  return "$status"
}

mkdir -p "$folder/obj" "$folder/bin" "$folder/lib"
# The longest first: CUDA's, and the kernels of instruction sets.
list=$(sources | tr ' ' '\n')
{ grep '[.]cu$' <<<"$list"; grep 'simd/.*kernels' <<<"$list"; grep -v '[.]cu$\|simd/.*kernels' <<<"$list"; } | run_all compile ||
  fail "its sources do not compile; the message stands above"
# objects_of PATTERN: those of the sources whose path matches
objects_of() {
  grep -E "$1" <<<"$list" | sed "s|/|+|g; s|.*|$folder/obj/&.o|"
}
mapfile -t all < <(objects_of '.' | grep -v 'cuda+plugin[.]')
"$nvcc" -ccbin "$gxx" "${all[@]}" -o "$folder/bin/bench_device" -lpthread -ldl

# Of the codec what the plugin wants, and nothing else: not all of it is compiled here.
mapfile -t codec < <(objects_of '^src/(codec|os)/')
mapfile -t plugin < <(objects_of '^src/device/')
rm -f "$folder/obj/codec.a"
ar rcs "$folder/obj/codec.a" "${codec[@]}"
"$nvcc" -ccbin "$gxx" -shared -Xlinker --no-undefined -Xlinker --exclude-libs,ALL "${plugin[@]}" "$folder/obj/codec.a" \
  -o "$folder/lib/libtightwire_cuda.so" -lpthread -ldl
