#!/usr/bin/env python3
"""soak mpi4py [OPTION...]: all of mpi4py's own tests, plain and under Tightwire

Every test that passes plain must pass under Tightwire. Writes docs/user/conformance.md,
with what was lost, too.
"""

import argparse
import itertools
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import newer
import page
import version
from harness import default_build
from suite import EVERYTHING, VERSION, Records, Suite, families


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, prog="./run soak mpi4py")
    parser.add_argument(
        "--newer", action="store_true", help="Open MPI 5, MPICH 5 and the standard ABI, from PyPI"
    )
    parser.add_argument("--mpi", nargs="*", metavar="FAMILY", help="all of them")
    parser.add_argument("--ranks", nargs="*", type=int, default=[1, 2, 3, 5], metavar="N")
    parser.add_argument("--modules", nargs="*", default=[], metavar="NAME")
    parser.add_argument("--point-to-point", nargs="*", default=["on"], metavar="on|off")
    parser.add_argument("--mode", nargs="*", default=["exact", "adaptive+pipelined"])
    parser.add_argument("--limit", type=float, default=900, help="seconds for each run")
    return parser.parse_args()


def up_to_date(build: Path) -> Path:
    """What the rows say of Tightwire's version must be true."""
    words = ["cmake", "--build", build, "--target", "src/interpose/all", "src/cli/all"]
    subprocess.run(words, check=True, timeout=1800, stdin=subprocess.DEVNULL)
    return build


def compare(suite: Suite, plain: Records, mode: str, engine: str) -> page.Row:
    settings = [*EVERYTHING, "--mode", mode, "--point-to-point", engine, "--verbose"]
    under = suite.under_tightwire(*settings)
    compressed = bool(re.search(r"^\w+ +(exact|adaptive)", under.outcome.stderr, re.M))
    key = (f"mpi4py {VERSION}, {mode}", suite.family.version(), suite.ranks, engine)
    made_with = version.of(suite.family.launcher)
    row = page.row(key, plain, under, compressed or suite.ranks == 1, made_with)
    said = f"{row.plain} of {row.tests} pass plain, {row.under} under tightwire"
    print(f"{row.mpi}, {row.ranks} ranks, {mode}, point-to-point {engine}: {said}", flush=True)
    if row.under < row.plain:
        tell_lost(suite, plain, under, f"under-{mode}-{engine}.log")
    return row


def tell_lost(suite: Suite, plain: Records, under: Records, log: str) -> None:
    lost = sorted(plain.passed - under.passed)
    for test in lost:
        print(f"  not passed under tightwire: {test} ({under.results.get(test, 'never begun')})")
    if not lost:
        print("  nothing was compressed, which counts as nothing passed")
    (suite.folder / log).write_text(str(under.outcome))
    print(f"  the job's words: {suite.folder / log}", flush=True)


def main() -> int:
    given = options()
    build = newer.prepare() if given.newer else up_to_date(default_build())
    names = given.mpi or (list(newer.FAMILIES) if given.newer else ["openmpi", "mpich"])
    lost = False
    for family, ranks in itertools.product(families(names, build), given.ranks):
        folder = Path(tempfile.mkdtemp(prefix=f"mpi4py-{family.name}-{ranks}-"))
        suite = Suite(family, ranks, folder, tuple(given.modules), given.limit)
        plain = suite.run("plain")
        if plain.unfinished or not plain.passed:
            print(f"{family.name}, {ranks} ranks: plain MPI stops at {sorted(plain.unfinished)}")
            lost = True
            continue
        for mode, engine in itertools.product(given.mode, given.point_to_point):
            row = compare(suite, plain, mode, engine)
            lost = lost or row.under < row.plain
            if not given.modules:
                page.update([row])
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
