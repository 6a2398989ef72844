#!/usr/bin/env python3
"""soak mpi4py [OPTION...]: all of mpi4py's own tests, plain and under Tightwire

Every test that passes plain must pass under Tightwire. Writes the table of docs/conformance.md.
"""

import argparse
import itertools
import re
import sys
import tempfile
from pathlib import Path

import newer
import page
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


def compare(suite: Suite, plain: Records, mode: str, engine: str) -> page.Row | None:
    """The row of the page; nothing if a test was lost."""
    settings = [*EVERYTHING, "--mode", mode, "--point-to-point", engine, "--verbose"]
    under = suite.under_tightwire(*settings)
    lost = sorted(plain.passed - under.passed)
    counts = len(plain.results), len(plain.passed), len(plain.passed & under.passed)
    said = f"{counts[1]} of {counts[0]} pass plain, {counts[2]} under tightwire"
    mpi = suite.family.version()
    print(f"{mpi}, {suite.ranks} ranks, {mode}, point-to-point {engine}: {said}", flush=True)
    if suite.ranks > 1 and not re.search(r"^\w+ +(exact|adaptive)", under.outcome.stderr, re.M):
        lost.append("nothing was compressed")
    for test in lost:
        print(f"  not passed under tightwire: {test} ({under.results.get(test, 'never begun')})")
    if lost:
        log = suite.folder / f"under-{mode}-{engine}.log"
        log.write_text(str(under.outcome))
        print(f"  the job's words: {log}", flush=True)
        return None
    return page.Row(f"mpi4py {VERSION}, {mode}", mpi, suite.ranks, engine, *counts)


def main() -> int:
    given = options()
    build = newer.prepare() if given.newer else default_build()
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
        ways = itertools.product(given.mode, given.point_to_point)
        rows = [compare(suite, plain, mode, engine) for mode, engine in ways]
        lost = lost or None in rows
        if not given.modules:
            page.update([row for row in rows if row])
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
