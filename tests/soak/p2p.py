#!/usr/bin/env python3
"""./run soak p2p [--messages N] [--mpi FAMILY]: many point-to-point messages under tightwire; every
byte is checked, and memory must not grow."""

import argparse
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "mpi"))

from harness import OPENMPI_OPTIONS, Family  # noqa: E402

# In that tenth of the messages, of the last five, in which memory grew least: pools and MPI's own
# lists grow by blocks, in some of them.
MOST_GROWTH = 128 << 10
SETTINGS = {"point-to-point": "on", "same-host": "compress", "threshold-exact": "4096"}


CHUNKS = {"mode": "adaptive+pipelined", "threshold-pipelined": "32K", "chunks": "4"}


def soak(family: Family, ranks: int, messages: int, more: dict[str, str]) -> bool:
    print(f"== {family.name}{', in chunks' if more else ''}", flush=True)
    settings = [f"{name}={value}" for name, value in family.preload({**SETTINGS, **more}).items()]
    words = [family.mpirun, *(OPENMPI_OPTIONS if family.name == "openmpi" else [])]
    words += ["-n", str(ranks), "env", *settings]
    words += [str(family.program("soak_p2p")), str(messages)]
    root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    command = ["env", *(f"{name}={value}" for name, value in root.items()), *words]
    last = ""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as job:
        for line in job.stdout:
            last = line
            print(line, end="", flush=True)
    found = re.match(r"messages \d+, heap ([+-]\d+) B, resident ([+-]\d+) B", last)
    if job.returncode != 0 or not found:
        print(f"soak: failed with exit code {job.returncode}")
        return False
    if grown := max(int(found[1]), int(found[2])) > MOST_GROWTH:
        print(f"soak: memory grew by more than {MOST_GROWTH >> 10} KiB in each tenth")
    return not grown


def main() -> None:
    parser = argparse.ArgumentParser(prog="./run soak p2p", description=__doc__)
    parser.add_argument("--messages", type=int, default=100_000, help="of each rank; 100000")
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--mpi", choices=("openmpi", "mpich"), help="one of them; both")
    options = parser.parse_args()
    names = [options.mpi] if options.mpi else ["openmpi", "mpich"]
    families = [Family(name, ROOT / "build") for name in names]
    for family in families:
        if reason := family.why_not():
            sys.exit(f"soak: {reason}")
    results = [
        soak(family, options.ranks, options.messages, more)
        for family in families
        for more in ({}, CHUNKS)
    ]
    sys.exit(not all(results))


if __name__ == "__main__":
    main()
