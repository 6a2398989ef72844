"""What a build with -DTIGHTWIRE_SANITIZE=... needs of the environment of a job."""

from __future__ import annotations

import re
import subprocess
from functools import cache
from pathlib import Path
from platform import machine

# MPI libraries keep memory until the end; other test libraries may be loaded before the runtime.
# UCX, below MPICH, patches calls that TSan's runtime makes while threads begin, and they crash.
OPTIONS = {
    "address": {"ASAN_OPTIONS": "detect_leaks=0:verify_asan_link_order=0"},
    "thread": {
        "TSAN_OPTIONS": f"suppressions={Path(__file__).with_name('tsan.supp')}",
        "UCX_MEM_EVENTS": "no",
    },
}
# As g++ and as clang name them.
RUNTIMES = {
    "address": {"g++": "libasan.so", "clang++": f"libclang_rt.asan-{machine()}.so"},
    "thread": {"g++": "libtsan.so"},  # that of clang 14 crashes as a shared library
}
# By which jobs take longer.
FACTORS = {"address": 2, "thread": 5}


def cached(build: Path, name: str) -> str:
    entry = re.search(rf"^{name}:\w+=(.*)$", (build / "CMakeCache.txt").read_text(), re.MULTILINE)
    return entry[1] if entry else ""


def sanitizers(build: Path) -> list[str]:
    return [one for one in cached(build, "TIGHTWIRE_SANITIZE").split(",") if one in RUNTIMES]


@cache
def runtimes(build: Path) -> list[Path]:
    """Libraries that must be loaded before all others; none for other builds."""
    compiler = cached(build, "CMAKE_CXX_COMPILER")
    brand = "clang++" if "clang" in Path(compiler).name else "g++"
    found = []
    for one in sanitizers(build):
        command = [compiler, f"-print-file-name={RUNTIMES[one][brand]}"]
        answer = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        found.append(Path(answer.strip()).resolve())
    return found


def companions(build: Path) -> list[str]:
    """Test libraries (see preload/) that jobs need beside them."""
    return ["keep_modules"] if "thread" in sanitizers(build) else []


@cache
def patience(build: Path) -> int:
    """By which to multiply the time limits of jobs."""
    return max((FACTORS[one] for one in sanitizers(build)), default=1)


@cache
def options(build: Path) -> dict[str, str]:
    """Variables for all programs of a job, plain ones too."""
    return {name: value for one in sanitizers(build) for name, value in OPTIONS[one].items()}
