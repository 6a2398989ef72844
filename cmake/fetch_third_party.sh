#!/usr/bin/env bash
# Fetches the sources of SZ3 and zfp that cmake/Dependencies.cmake builds from. Neither is to be had
# from Debian in the form needed (SZ3 not at all, zfp only as a shared library); the source
# distribution of PyPI's hdf5plugin carries both. pip checks the hash before it looks inside.
#
# The folder is shared by all checkouts of a user: $TIGHTWIRE_THIRD_PARTY, else
# ${XDG_CACHE_HOME:-~/.cache}/tightwire/third_party. Does nothing if it is already complete.
set -euo pipefail

version=7.1.0
sha256=dc4aa9576bf5770d773be9309a060ccf2f0ce2f0031f2b369f566d2662ec2fb3

fail() {
  printf 'fetch_third_party: %s\n' "$*" >&2
  exit 1
}

folder=${TIGHTWIRE_THIRD_PARTY:-${XDG_CACHE_HOME:-$HOME/.cache}/tightwire/third_party}
ready=$folder/hdf5plugin-$version
[[ -d $ready ]] && exit 0

command -v python3 >/dev/null || fail "python3 not found; install it (apt-get install python3 python3-venv)"
mkdir -p "$folder" || fail "cannot create $folder; set TIGHTWIRE_THIRD_PARTY to a folder that can be written"
exec 9>"$folder/.lock"
flock 9
[[ -d $ready ]] && exit 0 # another checkout fetched it meanwhile

work=$(mktemp -d "$folder/.fetch.XXXXXX")
trap 'rm -rf "$work"' EXIT

echo "Fetching the sources of SZ3 and zfp (75 MB) into $folder ..."
log=$work/log
# The packages that hdf5plugin's setup.py needs to name itself; pip runs it even to download.
python3 -m venv "$work/venv" >"$log" 2>&1 ||
  fail "cannot make a Python environment (apt-get install python3-venv): $(tail -n 1 "$log")"
printf 'hdf5plugin==%s --hash=sha256:%s\n' "$version" "$sha256" >"$work/requirements.txt"
{
  "$work/venv/bin/pip" install --disable-pip-version-check -q 'setuptools>=77' wheel py-cpuinfo &&
    "$work/venv/bin/pip" download --disable-pip-version-check -q --no-deps --no-binary :all: \
      --no-build-isolation --require-hashes -r "$work/requirements.txt" -d "$work"
} >"$log" 2>&1 || {
  grep -iE 'error|hash' "$log" >&2 || true
  fail "cannot fetch hdf5plugin $version from PyPI. Without a network, copy the folder" \
    "hdf5plugin-$version made by this script elsewhere and name its parent in TIGHTWIRE_THIRD_PARTY"
}

tar -xzf "$work/hdf5plugin-$version.tar.gz" -C "$work" --no-same-owner --strip-components=2 \
  "hdf5plugin-$version/lib/SZ3/include" \
  "hdf5plugin-$version/lib/SZ3/copyright-and-BSD-license.txt" \
  "hdf5plugin-$version/lib/c-blosc2-zfp/include" \
  "hdf5plugin-$version/lib/c-blosc2-zfp/src" \
  "hdf5plugin-$version/lib/c-blosc2-zfp/LICENSE" ||
  fail "hdf5plugin $version does not hold what was expected"
mkdir "$work/ready"
mv "$work/SZ3" "$work/ready/SZ3"
mv "$work/c-blosc2-zfp" "$work/ready/zfp"
mv "$work/ready" "$ready"
echo "Ready: $ready"
