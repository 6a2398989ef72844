#!/usr/bin/env python3
"""Whole programs under error bounds, messages between two ranks included: do they run to the end,
and how far from what they compute without? LAMMPS (a Lennard-Jones melt and a molten salt) and CP2K
(32 molecules of water), as Debian packages them, four ranks on this host. Writes
results/programs_bounds.csv."""

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lab_job import BIN, ROOT, environment, parser_of, write_csv

HEADER = [
    *("program", "error_bound", "mode", "runs", "ended", "failed", "hung"),
    *("largest_deviation", "allowed", "largest_bound", "ratio", "verdict"),
]
SCRIPTS = ROOT / "bench" / "programs"
RANKS = 4
MPIRUN = ["mpirun.openmpi", "-n", str(RANKS), "--oversubscribe", "--bind-to", "none"]
MCA = {
    "mpi_yield_when_idle": "1",
    "btl_vader_single_copy_mechanism": "none",
    "pml": "ob1",
    "btl": "^openib,ofi",
    "osc": "^ucx",
}
OWN = {"OMP_NUM_THREADS": "1", "TIGHTWIRE_SAME_HOST": "compress"}
OWN |= {f"OMPI_ALLOW_RUN_AS_ROOT{end}": "1" for end in ("", "_CONFIRM")}  # as in a container
# Of two ranks that each hold one atom of a pair, the coordinates decide which counts it: the same
# rank for both while these are the same for both. On a lattice many are equal but for the error, so
# many pairs are counted twice or never; hence the atoms start off it.
JITTER = 0.1


class Lammps:
    binary = "lmp"
    package = "lammps"
    bounds = ("rel:1e-4", "rel:1e-6", "1e-3", "1e-5")
    modes = ("adaptive+pipelined", "bounded")

    def __init__(self, name: str, cells: int, steps: int, spacing: float):
        self.name, self.cells, self.steps = f"lammps-{name}", cells, steps
        self.spacing = spacing  # of cells
        self.script = SCRIPTS / f"{name}.lammps"

    def command(self) -> list[str]:
        values = {"cells": self.cells, "steps": self.steps, "dump": "dump", "jitter": JITTER}
        words = [word for name, value in values.items() for word in ("-var", name, str(value))]
        return [self.binary, "-in", str(self.script), "-log", "none", *words]

    def energies(self, printed: str) -> list[float]:
        """Of an atom, at every tenth step."""
        table = re.search(r"^Step.*?$(.*?)^Loop time", printed, re.MULTILINE | re.DOTALL)
        return [float(line.split()[4]) for line in table[1].splitlines() if line.strip()]

    def allowed(self, bound: str) -> float:
        """An atom that is off by the bound gains that times the force on it, some tens at most;
        pairs that are counted twice or never give as much."""
        relative = bound.startswith("rel:")
        width = self.cells * self.spacing if relative else 1  # of the box, the range of places
        return 50 * width * float(bound.removeprefix("rel:"))


class Cp2k:
    binary = "cp2k.psmp"
    package = "cp2k"
    name = "cp2k-water"
    bounds = ("rel:1e-6",)
    # Errors in the small messages of its eigensolver, as in mode bounded, end it or make it hang.
    modes = ("adaptive+pipelined",)

    def command(self) -> list[str]:
        return [self.binary, "-i", str(SCRIPTS / "water.cp2k")]

    def energies(self, printed: str) -> list[float]:
        """Of all, in hartree."""
        return [float(re.search(r"^ ENERGY\|.*?(-?[\d.]+)$", printed, re.MULTILINE)[1])]

    def allowed(self, _bound: str) -> float:
        return 1e-2


@dataclass
class Outcome:
    hung: bool
    energies: list[float] | None  # none of a run that failed
    complaint: str = ""
    largest_bound: float = 0
    before: int = 0  # bytes that Tightwire was given, and what it made of them
    after: int = 0


def finish(job: subprocess.Popen, limit: float) -> str | None:
    """What it printed, or nothing if it had to be killed."""
    try:
        return job.communicate(timeout=limit)[0]
    except subprocess.TimeoutExpired:
        os.killpg(job.pid, signal.SIGKILL)
        job.communicate()
        return None


def perform(program, tightwire: list[str], limit: float) -> Outcome:
    with tempfile.TemporaryDirectory() as name:
        report = Path(name) / "report.json"
        if tightwire:
            tightwire = [str(BIN / "tightwire"), *tightwire, "--report", str(report)]
        mca = [word for key, value in MCA.items() for word in ("--mca", key, value)]
        job = subprocess.Popen(
            [*MPIRUN, *mca, *tightwire, *program.command()],
            env=environment() | OWN,
            cwd=name,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        printed = finish(job, limit)
        if printed is None:
            return Outcome(True, None, "killed at its time limit")
        if job.returncode != 0:
            errors = re.findall(r"^ ?ERROR.*$", printed, re.MULTILINE)
            return Outcome(False, None, errors[0] if errors else printed[-300:])
        outcome = Outcome(False, program.energies(printed))
        if report.exists():
            add_report(outcome, json.loads(report.read_text()))
        return outcome


def add_report(outcome: Outcome, report: dict) -> None:
    for row in report["collectives"]:
        outcome.largest_bound = max(outcome.largest_bound, row["largest_error_bound"])
        outcome.before += row["bytes_before"]
        outcome.after += row["bytes_after"]


def deviation(plain: list[float], other: list[float]) -> float:
    if len(plain) != len(other):
        return float("inf")
    return max(abs(a - b) for a, b in zip(plain, other, strict=True))


def measure(program, plain: Outcome, point: tuple[str, str], options) -> dict:
    bound, mode = point
    settings = ["--point-to-point=on", "--error-bound", bound, "--mode", mode]
    row = {"program": program.name, "error_bound": bound, "mode": mode, "runs": options.rounds}
    runs = [perform(program, settings, options.limit) for _ in range(options.rounds)]
    ended = [run for run in runs if run.energies]
    off = max((deviation(plain.energies, run.energies) for run in ended), default=0)
    largest = max((run.largest_bound for run in ended), default=0)
    row |= {"ended": len(ended), "hung": sum(run.hung for run in runs)}
    row |= {"failed": len(runs) - len(ended) - row["hung"], "largest_deviation": f"{off:.3g}"}
    row |= {"allowed": f"{program.allowed(bound):.3g}", "largest_bound": f"{largest:.3g}"}
    before, after = (sum(getattr(run, name) for run in ended) for name in ("before", "after"))
    row["ratio"] = f"{before / after:.3g}" if after else ""
    good = len(ended) == len(runs) and off <= program.allowed(bound)
    row["verdict"] = "holds" if good else "FAILS"
    print("  " + "  ".join(f"{row[name]}" for name in HEADER[1:]), flush=True)
    for complaint in sorted({run.complaint for run in runs if run.complaint}):
        print(f"    {complaint}", flush=True)
    return row


def points(program, options) -> Iterator[tuple[str, str]]:
    """Bounds and modes; quickly only the first mode, which is the default."""
    for bound in program.bounds:
        yield from ((bound, mode) for mode in program.modes[: 1 if options.quick else None])


def parse() -> argparse.Namespace:
    parser = parser_of("programs_bounds", __doc__)
    add = parser.add_argument
    add("--quick", action="store_true", help="small problems, in the default mode")
    add("--rounds", type=int, help="runs of each; 3, with --quick 1")
    add("--limit", type=float, default=300, help="seconds after which a run hangs; 300")
    add("--only", metavar="PROGRAM", help="lammps-melt, lammps-salt or cp2k-water")
    options = parser.parse_args()
    if options.rounds is None:
        options.rounds = 1 if options.quick else 3
    return options


def main() -> None:
    options = parse()
    cells, steps = (16, 40) if options.quick else (28, 60)
    rows = []
    for program in (
        Lammps("melt", cells, steps, 1.68),
        Lammps("salt", cells, steps, 1.19),
        Cp2k(),
    ):
        if options.only not in (None, program.name):
            continue
        if shutil.which(program.binary) is None:
            print(f"{program.name} LEFT OUT: apt-get install {program.package}", flush=True)
            continue
        print(f"{program.name}: {' '.join(HEADER[1:])}", flush=True)
        plain = perform(program, [], options.limit)
        if not plain.energies:
            sys.exit(f"bench: {program.name} fails without Tightwire: {plain.complaint}")
        rows += [measure(program, plain, point, options) for point in points(program, options)]
    options.results.mkdir(parents=True, exist_ok=True)
    write_csv(options.results / "programs_bounds.csv", HEADER, rows)
    if any(row["verdict"] != "holds" for row in rows):
        sys.exit("bench: some of this is not what a bound explains")


if __name__ == "__main__":
    main()
