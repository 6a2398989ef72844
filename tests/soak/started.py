#!/usr/bin/env python3
"""./run soak started [--operations N] [--mpi FAMILY]: random programs of collectives that return at
once, persistent ones and those of neighbours, under tightwire; every value is checked."""

import argparse
import itertools
import re
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "mpi"))

from harness import Family, Part, default_build  # noqa: E402

STEPS = 2000  # of a job
SIZES = {"threshold-exact": "1K", "threshold-bounded": "1K", "threshold-pipelined": "4K"}
ALL = {**SIZES, "same-host": "compress"}
LANES = {**SIZES, "same-host": "raw", "host-ranks": "2"}
EXACT, ADAPTIVE = {"mode": "exact"}, {"mode": "adaptive+pipelined"}
# Ranks, bound, settings and words for the program; those of one job after the other. What is left
# to MPI is not for MPICH 4.0, whose own persistent collectives fail now and then. Those of the last
# kind have blocks that go without frames, which are longer.
KINDS = (
    (4, "0", {**ALL, **EXACT}, ("small",)),
    (3, "1e-3", {**ALL, **ADAPTIVE, "error-bound": "1e-3"}, ("keep", "once", "small")),
    (4, "0", {**LANES, **EXACT}, ("small",)),
    (5, "0", {**ALL, **EXACT, "chunks": "5"}, ("small",)),
    (
        4,
        "1e-3",
        {**LANES, **ADAPTIVE, "link": "1M", "error-bound": "1e-3"},
        ("keep", "once", "small"),
    ),
    (4, "1e-3", {**ALL, **ADAPTIVE, "link": "30G", "error-bound": "1e-3"}, ("keep", "once")),
)


def perform(family: Family, seed: int) -> int:
    """Gives how many operations there were; ends this program if one failed."""
    ranks, bound, settings, words = KINDS[seed % len(KINDS)]
    steps = STEPS if "small" in words else STEPS // 10
    program = [str(family.program("check_started")), str(seed), str(steps), bound, *words]
    outcome = family.run(Part(ranks, program, family.preload(settings)), limit=900)
    found = re.search(r"^operations (\d+), failures 0$", outcome.stdout, re.MULTILINE)
    if outcome.code != 0 or outcome.timed_out or not found:
        sys.exit(f"soak: {family.name}, seed {seed}\n{outcome}")
    return int(found[1])


def main() -> None:
    parser = argparse.ArgumentParser(prog="./run soak started", description=__doc__)
    parser.add_argument("--operations", type=int, default=20_000, help="of each MPI; 20000")
    parser.add_argument("--seed", type=int, default=1000, help="of the first job; 1000")
    parser.add_argument("--mpi", choices=("openmpi", "mpich"), help="one of them; both")
    options = parser.parse_args()
    for name in [options.mpi] if options.mpi else ["openmpi", "mpich"]:
        family = Family(name, default_build())
        if reason := family.why_not():
            sys.exit(f"soak: {reason}")
        done, start = 0, time.monotonic()
        for seed in itertools.count(options.seed):
            done += perform(family, seed)
            seconds = time.monotonic() - start
            print(f"{name}: seed {seed}, {done} operations, 0 wrong, {seconds:.0f} s", flush=True)
            if done >= options.operations:
                break


if __name__ == "__main__":
    main()
