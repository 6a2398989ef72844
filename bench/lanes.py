#!/usr/bin/env python3
"""Hosts with several ranks each: plain MPI, Tightwire's flat rings and its lanes, in alternation in
one run. Writes results/lanes.csv."""

import argparse
import os
import subprocess
import sys
from pathlib import Path

from lab_job import BIN, ROOT

HEAD = (
    "link_gbps,hosts,ranks_per_host,op,bytes,field,method,median_ms,raw_ms,speedup,ranks_identical"
)
FIELDS = ["quiet_wavefield", "turbulence"]
ERROR_BOUND = "1e-3"


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./run bench lanes", description=__doc__)
    parser.add_argument("--mpi", default="mpich", choices=["mpich", "openmpi"])
    parser.add_argument("--hosts", type=int, default=2)
    parser.add_argument("--ranks-per-host", type=int, default=2)
    parser.add_argument("--links", default="1,10", help="Gbit/s, one or more")
    parser.add_argument("--bytes", type=int, default=32 << 20)
    parser.add_argument("--seconds", default="6", help="to spend on each operation")
    parser.add_argument("--results", type=Path, default=ROOT / "results", help="folder to write to")
    return parser.parse_args()


def job(options: argparse.Namespace, link: str, field: str) -> list[str]:
    """The lines that the benchmark prints; ends this program if it fails."""
    program = BIN / f"bench-lanes-{options.mpi}"
    fields = BIN.parent / "fields"
    fields.mkdir(exist_ok=True)
    ranks = str(options.hosts * options.ranks_per_host)
    settings = ["--error-bound", ERROR_BOUND, "--bound-applies-to", "contribution"]
    words = [BIN / "tightwire", *settings, program, "--field", field, "--bytes", options.bytes]
    words += ["--seconds", options.seconds, "--cache", fields]
    lab = [ROOT / "run", "lab"]
    command = [*lab, "with", "--hosts", options.hosts, "--rate", f"{link}gbit", "--"]
    command += [*lab, "exec", "--mpi", options.mpi, "-n", ranks, "--timeout", "300", "--", *words]
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("TIGHTWIRE_") or name in ("TIGHTWIRE_BUILD", "TIGHTWIRE_ROOT")
    }
    done = subprocess.run(
        [str(word) for word in command],
        env=environment,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    if done.returncode != 0:
        sys.exit(f"bench: the job over {options.hosts} hosts failed, exit code {done.returncode}")
    return done.stdout.splitlines()


def main() -> None:
    options = parse()
    options.results.mkdir(parents=True, exist_ok=True)
    lines = [HEAD]
    for link in options.links.split(","):
        for field in FIELDS:
            for line in job(options, link, field):
                lines.append(f"{link},{options.hosts},{options.ranks_per_host},{line}")
                print(lines[-1], flush=True)
    (options.results / "lanes.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
