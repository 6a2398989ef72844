#!/usr/bin/env python3
"""What whole programs would gain on links of several speeds, as tightwire advise forecasts it.

Each runs once over two hosts of the lab at 1 Gbit/s under tightwire audit, which changes nothing;
the forecast for other links is made of what it saw. Writes results/worth_it.csv, seconds."""

import argparse
import csv
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from lab_job import BIN, ROOT, parser_of, write_csv
from lab_programs import Compiled, Cp2k, Hpcc, Lammps, Ours, perform
from lab_silicon import QuantumEspresso
from programs import is_there

LINKS = (1, 10, 25, 100)  # Gbit/s
BOUND = "rel:1e-4"
HEADER = ["program", "job_seconds", "link_gbps", "exact_gain", "bounded_gain"]
SEEN = re.compile(r"^\d+ ranks on \d+ hosts, (\S+) s, ", re.MULTILINE)
EXACT = re.compile(r"^Exactly, every byte as it was sent: (\S+) s", re.MULTILINE)
BOUNDED = re.compile(rf"^  --error-bound {BOUND} +(\S+) s", re.MULTILINE)
PROGRAMS = [
    Lammps("salt", 20, 20),
    Lammps("melt", 40, 40),
    Cp2k(),
    QuantumEspresso(2, 3),
    Hpcc(1000, 1, 2),
    Compiled("fft", "libfftw3-mpi-dev", 128, 6),
    Compiled("poisson", "petsc-dev", 96, 60),
    Ours("heat", 256, 120),
    Ours("blast", 30, 1000),
]


def advice(file: Path, link: int) -> str:
    words = [BIN / "tightwire", "advise", file, "--what-if", f"link={link}G"]
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def seconds(found: re.Match | None) -> float:
    """What is not named gains nothing."""
    return float(found[1]) if found else 0.0


def forecast(program) -> list[dict]:
    with tempfile.TemporaryDirectory() as name:
        file = Path(name) / "audit.json"
        perform(program, "audit", 2, ["--audit", str(file)])
        said = {link: advice(file, link) for link in LINKS}
    row = {"program": program.name, "job_seconds": SEEN.search(said[LINKS[0]])[1]}
    rows = []
    for link, text in said.items():
        exact = seconds(EXACT.search(text))
        # With a bound, what need not err is sent exactly, too.
        gains = {"exact_gain": exact, "bounded_gain": max(exact, seconds(BOUNDED.search(text)))}
        rows.append(row | {"link_gbps": link} | gains)
        print(f"  {link} Gbit/s: {gains}", flush=True)
    return rows


def within_the_lab(options: argparse.Namespace) -> None:
    file = options.results.resolve() / "worth_it.csv"
    for program in PROGRAMS:
        if options.only not in (None, program.name):
            continue
        if is_there(program):
            keep(file, forecast(program))
        else:
            print(f"{program.name} LEFT OUT: apt-get install {program.package}", flush=True)


def keep(file: Path, rows: list[dict]) -> None:
    """Puts the rows of a program in the place of those that it had."""
    others = []
    if file.exists():
        with file.open(newline="") as lines:
            others = [one for one in csv.DictReader(lines) if one["program"] != rows[0]["program"]]
    write_csv(file, HEADER, others + rows)


def parse() -> argparse.Namespace:
    parser = parser_of("worth_it", __doc__)
    parser.add_argument("--only", metavar="PROGRAM", help="a name of the first column")
    parser.add_argument("--within", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


def main() -> None:
    options = parse()
    options.results.mkdir(parents=True, exist_ok=True)
    if options.within:
        return within_the_lab(options)
    lab = [str(ROOT / "run"), "lab", "with", "--hosts", "2", "--rate", "1gbit"]
    again = [sys.executable, *sys.argv, "--within"]
    sys.exit(subprocess.run([*lab, "--", *again], env=os.environ).returncode)


if __name__ == "__main__":
    main()
