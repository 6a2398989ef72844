#!/usr/bin/env python3
"""Builds dist/tightwire-VERSION-py3-none-PLATFORM.whl: the command with the libraries for all MPIs.

Run by ./run wheel. The build takes Debian's Open MPI and MPICH, and PyPI's MPICH 5 for the standard
ABI of MPI 5; what comes of it serves other versions, too (serve_any_mpi.py). The platform in its
name is what auditwheel finds: the oldest C library that it works with.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from serve_any_mpi import serve_any_mpi

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
from pypi_mpi import prefix_of

ROOT = Path(__file__).resolve().parents[2]
BUILD, DIST = ROOT / "build-wheel", ROOT / "dist"
STANDARD_ABI = "mpich==5.0.2"
FAMILIES = ("abi", "mpich", "openmpi")
# The C++ library goes inside: a cluster's is often older than its compilers'. Without what nobody
# calls of it, which would ask for a newer C library.
STATIC_CXX = "-static-libstdc++ -Wl,--gc-sections"
METADATA = """Metadata-Version: 2.1
Name: tightwire
Version: {version}
Summary: Runs unmodified MPI programs with their messages compressed
License: BSD-3-Clause
Requires-Python: >=3.8
Description-Content-Type: text/markdown

{description}"""
WHEEL = """Wheel-Version: 1.0
Generator: tightwire
Root-Is-Purelib: false
Tag: py3-none-linux_x86_64
"""


def run(*words: str | Path) -> str:
    done = subprocess.run(words, stdout=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        sys.exit(f"build_wheel: {words[0]} ended with {done.returncode}\n{done.stdout}")
    return done.stdout


def build() -> None:
    options = [
        *("-DCMAKE_BUILD_TYPE=Release", "-DTIGHTWIRE_TESTS=OFF", "-DTIGHTWIRE_BENCH=OFF"),
        *("-DTIGHTWIRE_PRECOMPILE=ON", f"-DMPICC_abi={prefix_of(STANDARD_ABI)}/bin/mpicc_abi"),
        *(f"-DCMAKE_{kind}_LINKER_FLAGS={STATIC_CXX}" for kind in ("EXE", "SHARED")),
    ]
    run("cmake", "-S", ROOT, "-B", BUILD, "-G", "Ninja", "--log-level=WARNING", *options)
    jobs = os.environ.get("TIGHTWIRE_JOBS", str(os.cpu_count()))
    targets = ["tightwire", "tightwire_told"]
    targets += ["tightwire_codec_shared", "tightwire_codec_archive"]
    targets += [f"tightwire-{part}{name}" for part in ("", "calibrate-") for name in FAMILIES]
    words = ["cmake", "--build", BUILD, "-j", jobs, "--target", *targets]
    subprocess.run(words, check=True, stdin=subprocess.DEVNULL)


def install(stage: Path) -> Path:
    """The prefix, with libraries and programs that serve any MPI."""
    prefix = stage / "prefix"
    shutil.rmtree(stage, ignore_errors=True)
    run("cmake", "--install", BUILD, "--prefix", prefix, "--strip")
    preloads = sorted((prefix / "lib" / "tightwire").iterdir())
    if [file.name for file in preloads] != [f"libtightwire-{name}.so" for name in FAMILIES]:
        sys.exit(f"build_wheel: not all MPIs were found, only {[file.name for file in preloads]}")
    for file in [*preloads, *(prefix / "libexec" / "tightwire").iterdir()]:
        libraries, _ = serve_any_mpi(file)
        if not libraries:
            sys.exit(f"build_wheel: {file.name} was linked with no MPI")
    return prefix


def describe(version: str) -> str:
    readme = (ROOT / "README.md").read_text()
    return METADATA.format(version=version, description=readme.split("\n![")[0].rstrip() + "\n")


def arrange(prefix: Path, wheel: Path, version: str) -> None:
    """A wheel's data folder becomes the prefix of the environment that it is installed in."""
    data = wheel / f"tightwire-{version}.data"
    info = wheel / f"tightwire-{version}.dist-info"
    (data / "scripts").mkdir(parents=True)
    (info / "licenses").mkdir(parents=True)
    shutil.move(prefix / "bin" / "tightwire", data / "scripts")
    share = ("tightwire", "man", "bash-completion", "zsh", "fish")
    for part in ("lib/tightwire", "libexec", *(f"share/{name}" for name in share)):
        (data / "data" / part).parent.mkdir(parents=True, exist_ok=True)
        shutil.move(prefix / part, data / "data" / part)
    notices = prefix / "share" / "doc" / "tightwire"
    for file in (notices / "LICENSE", *notices.glob("THIRD_PARTY*"), *notices.glob("NOTICE*")):
        shutil.copy(file, info / "licenses")
    add_module(prefix, wheel)
    (info / "METADATA").write_text(describe(version))
    (info / "WHEEL").write_text(WHEEL)


def add_module(prefix: Path, wheel: Path) -> None:
    """import tightwire: the Python package with the codec's library beside it."""
    package = ROOT / "python" / "tightwire"
    if not package.is_dir():
        return
    unwanted = shutil.ignore_patterns("__pycache__", "*.pyc")
    shutil.copytree(package, wheel / "tightwire", ignore=unwanted)
    library = sorted(prefix.glob("lib*/**/libtightwire_codec.so.*"))[-1]
    shutil.copy(library, wheel / "tightwire" / "libtightwire_codec.so")


def platform_of(wheel: Path) -> str:
    answer = run("auditwheel", "show", wheel).replace("\n", " ")
    found = re.search(r'following platform tag: +"(manylinux_\w+)"', answer)
    if not found:
        sys.exit(f"build_wheel: auditwheel names no platform: {answer}")
    return found[1]


def main() -> None:
    build()
    version = run(BUILD / "bin" / "tightwire", "--version").split()[1]
    stage = BUILD / "stage"
    prefix = install(stage)
    arrange(prefix, stage / "wheel", version)
    shutil.rmtree(DIST, ignore_errors=True)
    DIST.mkdir()
    run("wheel", "pack", "--dest-dir", DIST, stage / "wheel")
    (made,) = DIST.glob("*.whl")
    run("wheel", "tags", "--remove", "--platform-tag", platform_of(made), made)
    (made,) = DIST.glob("*.whl")
    print(f"{made.relative_to(ROOT)}: {made.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
