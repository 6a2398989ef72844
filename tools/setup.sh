# Sourced by the verbs: set_up installs what is missing, build_tree configures and builds a folder, set_up_while
# does both at once. packages_for=demo: what the demo needs, but for packages with the name $but_for.
# Does nothing, quickly, on a machine that has everything. Needs TIGHTWIRE_ROOT.
# shellcheck shell=bash
set -euo pipefail
cd "$TIGHTWIRE_ROOT"
exec </dev/null

say() { printf '== %s\n' "$*"; }

fail() {
  printf 'run: %s\n' "$*" >&2
  exit 1
}

# needed_of LIST: all that it names, or the part that the demo needs
needed_of() {
  local last='$'
  [[ ${packages_for-} != demo ]] || last='/^# Only for tests/'
  sed -n "1,${last}p" "$1" | sed 's/ *#.*//; /^$/d'
}

missing_packages() {
  local wanted installed
  wanted=$(needed_of tools/debian-packages.txt | grep -v "${but_for:-^$}" | sort -u)
  installed=$(dpkg-query -W -f '${db:Status-Abbrev}${Package}\n' | sed -n 's/^[ih]i //p' | sort -u)
  comm -23 <(tr -s ' \n' '\n' <<<"$wanted" | sed '/^$/d') - <<<"$installed"
}

install_packages() {
  if ! command -v dpkg-query >/dev/null; then
    say "not a Debian machine: taking for granted what tools/debian-packages.txt names"
    return
  fi
  local missing as_root=()
  mapfile -t missing < <(missing_packages)
  [[ ${#missing[@]} -gt 0 ]] || return 0
  if [[ $EUID -ne 0 ]]; then
    sudo -n true 2>/dev/null || fail "these packages are missing and installing them needs root;" \
      "do it once with: apt-get install ${missing[*]}"
    as_root=(sudo -n)
  fi
  say "installing ${missing[*]}"
  "${as_root[@]}" apt-get -qq update
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get -qq install -y --no-install-recommends "${missing[@]}" >/dev/null ||
    fail "apt-get could not install ${missing[*]}; its message stands above"
}

# The system's python3 comes first because the packages above give it what a venv needs.
python_for_venv() {
  local python
  for python in /usr/bin/python3 python3; do
    if command -v "$python" >/dev/null && "$python" -c 'import ensurepip, venv' 2>/dev/null; then
      echo "$python"
      return
    fi
  done
  fail "no python3 with the venv module; on Debian: apt-get install python3-venv"
}

make_venv() {
  local stamp=.venv/requirements.txt
  exec 8>.venv.lock
  flock 8 # one that an interrupted ./run left behind may still be at it
  local needed
  needed=$(needed_of requirements.txt)
  # The whole list serves the demo, too.
  if [[ ! -e $stamp || -n $(comm -23 <(sort <<<"$needed") <(sort "$stamp")) ]]; then
    say "installing the Python packages of requirements.txt into .venv"
    local python
    python=$(python_for_venv)
    "$python" -m venv .venv
    .venv/bin/pip install --quiet --disable-pip-version-check -r <(echo "$needed") ||
      fail "pip could not install requirements.txt; its message stands above"
    echo "$needed" >"$stamp"
  fi
}

fetch_third_party() {
  [[ ${packages_for-} != demo ]] || return 0
  local script
  for script in cmake/fetch_third_party.sh cmake/fetch_third_party.py; do
    if [[ -x $script ]]; then
      "$script" || fail "$script could not fetch the third-party sources"
    fi
  done
}

# set_up_while COMMAND...: the command builds, without Python's packages, while pip installs these: it
# works on one core, and waits for the network.
set_up_while() {
  local venv status=0
  install_packages
  make_venv &
  venv=$!
  fetch_third_party
  "$@" || status=$?
  wait "$venv" || exit 1
  export PATH="$TIGHTWIRE_ROOT/.venv/bin:$PATH"
  return "$status"
}

set_up() { set_up_while :; }

# build_tree FOLDER [CMAKE-OPTION...]: everything, or the targets that the variable build_targets names
build_tree() {
  local folder=$1
  shift
  mkdir -p "$folder"
  # ccache takes precompiled headers only if told that they hold no time of day.
  export CCACHE_SLOPPINESS=${CCACHE_SLOPPINESS:-pch_defines,time_macros}
  cmake -S . -B "$folder" -G Ninja -DTIGHTWIRE_PRECOMPILE=ON "$@" >"$folder/configure.log" 2>&1 || {
    cat "$folder/configure.log" >&2
    fail "cmake could not configure $folder"
  }
  # shellcheck disable=SC2086 # a list of words
  cmake --build "$folder" -j "${TIGHTWIRE_JOBS:-$(nproc)}" --target ${build_targets:-all}
}

# The tree of ASan, UBSan and the fuzzers, by clang: it compiles these in a third of g++'s time.
build_asan_tree() {
  CC=clang CXX=clang++ build_tree build-asan -DCMAKE_BUILD_TYPE=RelWithDebInfo -DTIGHTWIRE_BENCH=OFF \
    -DTIGHTWIRE_FUZZ=ON -DTIGHTWIRE_SANITIZE=address,undefined "$@"
}

# That of TSan, by g++: a library that is loaded before a program needs its runtime as a shared one.
build_tsan_tree() {
  build_tree build-tsan -DCMAKE_BUILD_TYPE=RelWithDebInfo -DTIGHTWIRE_BENCH=OFF \
    -DTIGHTWIRE_SANITIZE=thread "$@"
}
