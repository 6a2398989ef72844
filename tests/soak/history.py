#!/usr/bin/env python3
"""./run soak history [--messages N] [--mpi FAMILY]: messages that are predicted from earlier ones,
in every way that tests/mpi/programs/steps_in_time.c sends them, with plenty and with little memory;
every byte is checked."""

import argparse
import itertools
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "mpi"))

from harness import OPENMPI_OPTIONS, Family  # noqa: E402
from test_history import COUNTED, SETTINGS, WAYS  # noqa: E402

CHUNKS = {"mode": "adaptive+pipelined", "threshold-pipelined": "32K", "chunks": "4"}
MEMORY = ("256M", "1M", "300K")


def soak(family: Family, way: str, steps: int, settings: dict[str, str]) -> int:
    """How many messages were right; 0 if any was wrong."""
    variables = family.preload({**SETTINGS, **settings, "verbose": "on"})
    words = [family.mpirun, *(OPENMPI_OPTIONS if family.name == "openmpi" else [])]
    words += ["-n", "2", "env", *(f"{name}={value}" for name, value in variables.items())]
    words += [str(family.program("steps_in_time")), way, str(steps)]
    root = ["OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"]
    done = subprocess.run(["env", *root, *words], capture_output=True, text=True, timeout=3000)
    counted = COUNTED.search(done.stdout)
    line = re.search(r"^history: .*$", done.stdout + done.stderr, re.MULTILINE)
    said = f"{counted[0]}; {line[0]}" if counted and line else done.stdout + done.stderr
    print(f"{family.name} {way} {settings}: {said}", flush=True)
    right = done.returncode == 0 and counted and int(counted[2]) == 0
    return int(counted[1]) if right else 0


def main() -> None:
    parser = argparse.ArgumentParser(prog="./run soak history", description=__doc__)
    parser.add_argument("--messages", type=int, default=100_000, help="of all runs; 100000")
    parser.add_argument("--mpi", choices=("openmpi", "mpich"), help="one of them; both")
    options = parser.parse_args()
    names = [options.mpi] if options.mpi else ["openmpi", "mpich"]
    families = [Family(name, ROOT / "build") for name in names]
    for family in families:
        if reason := family.why_not():
            sys.exit(f"soak: {reason}")
    # What plain Open MPI bears, too: see test_history.py.
    runs = [
        (family, way, *rest)
        for family, way, *rest in itertools.product(families, WAYS, MEMORY, ({}, CHUNKS))
        if (family.name, way) != ("openmpi", "refused")
    ]
    # A step is two messages at least.
    steps = max(24, options.messages // (2 * len(runs)))
    counts = [
        soak(family, way, steps, {"history-memory": memory, **chunks})
        for family, way, memory, chunks in runs
    ]
    print(f"{sum(counts)} messages right in {sum(n > 0 for n in counts)} of {len(counts)} runs")
    sys.exit(any(n == 0 for n in counts))


if __name__ == "__main__":
    main()
