#!/usr/bin/env python3
"""Whole programs over hosts of the lab, plain and under tightwire in turns: LAMMPS (a Lennard-Jones
melt, a molten salt with long-range forces) and HPC Challenge, as Debian packages them. Exact mode:
what they compute must be the same in every byte but for timings. Writes results/programs.csv."""

import argparse
import csv
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from lab_job import BIN, ROOT, parser_of, write_csv

HEADER = [
    *("program", "method", "link_gbps", "hosts", "seconds", "communication_seconds", "wire_bytes"),
    *("raw_seconds", "raw_communication_seconds", "raw_wire_bytes", "same_output"),
]
SETTINGS = ["--point-to-point", "on"]
METHODS = ("plain", "tightwire")
FAMILY = "openmpi"  # which the packages are built for
SCRIPTS = ROOT / "bench" / "programs"


@dataclass
class Run:
    seconds: float
    communication: float | None
    wire_bytes: int
    output: bytes  # what must not depend on the method


class Lammps:
    binary = "lmp"
    package = "lammps"

    def __init__(self, name: str, cells: int, steps: int):
        self.name, self.cells, self.steps = f"lammps-{name}", cells, steps
        self.script = SCRIPTS / f"{name}.lammps"

    def command(self, folder: Path) -> list[str]:
        variables = {"cells": self.cells, "steps": self.steps, "dump": folder / "dump"}
        words = [word for name, value in variables.items() for word in ("-var", name, str(value))]
        return [self.binary, "-in", str(self.script), "-log", str(folder / "log"), *words]

    def result(self, folder: Path, printed: str) -> tuple[float, float | None, bytes]:
        loop = float(re.search(r"^Loop time of (\S+)", printed, re.MULTILINE)[1])
        parts = re.findall(r"^(?:Comm|Kspace) +\| \S+ +\| (\S+)", printed, re.MULTILINE)
        return loop, sum(map(float, parts)), (folder / "dump").read_bytes()


class Hpcc:
    binary = "hpcc"
    package = "hpcc"
    name = "hpcc"

    def __init__(self, size: int, rows: int, columns: int):
        self.size, self.rows, self.columns = size, rows, columns

    def command(self, folder: Path) -> list[str]:
        (folder / "hpccinf.txt").write_text(hpcc_input(self.size, self.rows, self.columns))
        return ["sh", "-c", f'cd "{folder}" && exec {self.binary}']

    def result(self, folder: Path, printed: str) -> tuple[float, float | None, bytes]:
        text = (folder / "hpccoutf.txt").read_text()
        values = dict(re.findall(r"^(\w+)=(\S+)$", text, re.MULTILINE))
        # What it worked out, of which nothing is a time.
        kept = [f"{name}={values[name]}" for name in sorted(values) if name.endswith("_residual")]
        kept += [f"Success={values['Success']}", *re.findall(r"^.*\|\|.*$", text, re.MULTILINE)]
        return float(values["HPL_time"]), None, "\n".join(kept).encode()


def hpcc_input(size: int, rows: int, columns: int) -> str:
    lines = [
        *("HPLinpack benchmark input file", "Tightwire", "HPL.out", "8 device out"),
        *("1 problems", f"{size} Ns", "1 NBs", "80 NB", "0 PMAP", "1 grids", f"{rows} Ps"),
        *(f"{columns} Qs", "16.0 threshold", "1 PFACTs", "2 PFACT", "1 NBMINs", "4 NBMIN"),
        *("1 NDIVs", "2 NDIV", "1 RFACTs", "1 RFACT", "1 BCASTs", "1 BCAST", "1 DEPTHs"),
        *("1 DEPTH", "2 SWAP", "64 threshold", "0 L1", "0 U", "1 Equil", "8 alignment"),
        *("##### PTRANS", "0 additional Ns", str(size), "0 additional NBs", "80"),
    ]
    return "\n".join(lines) + "\n"


def sent_bytes() -> int:
    done = subprocess.run(
        [str(ROOT / "run"), "lab", "counters", "--json"], capture_output=True, text=True, check=True
    )
    return sum(host["tx_bytes"] for host in json.loads(done.stdout).values())


def perform(program, method: str, hosts: int) -> Run:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        launcher = [str(BIN / "tightwire"), *SETTINGS] if method == "tightwire" else []
        job = [*launcher, *program.command(folder)]
        lab = [str(ROOT / "run"), "lab", "exec", "--mpi", FAMILY, "-n", str(hosts)]
        sent, start = sent_bytes(), time.monotonic()
        done = subprocess.run(
            [*lab, "--timeout", "300", "--", *job], capture_output=True, text=True, cwd=folder
        )
        seconds, sent = time.monotonic() - start, sent_bytes() - sent
        if done.returncode != 0:
            sys.exit(f"bench: {program.name}, {method} failed:\n{done.stdout}{done.stderr}")
        own, communication, output = program.result(folder, done.stdout)
        print(f"  {method:10} {own:8.2f} s of {seconds:.2f}, {sent:13,} B sent", flush=True)
        return Run(own, communication, sent, output)


def median(runs: list[Run], field: str):
    values = [getattr(run, field) for run in runs]
    return "" if None in values else statistics.median(values)


def measure(program, link: str, hosts: int, rounds: int) -> list[dict]:
    print(f"{program.name}, {link} Gbit/s", flush=True)
    runs = {method: [] for method in METHODS}
    for _ in range(rounds):
        for method in METHODS:
            runs[method].append(perform(program, method, hosts))
    outputs = {run.output for method in METHODS for run in runs[method]}
    fields = {"seconds": "seconds", "communication_seconds": "communication"}
    fields["wire_bytes"] = "wire_bytes"
    rows = []
    for method in METHODS:
        row = {"program": program.name, "method": method, "link_gbps": link, "hosts": hosts}
        row |= {key: median(runs[method], field) for key, field in fields.items()}
        row |= {f"raw_{key}": median(runs["plain"], field) for key, field in fields.items()}
        rows.append(row | {"same_output": len(outputs) == 1})
    if len(outputs) != 1:
        sys.exit(f"bench: {program.name} computes something else under tightwire")
    return rows


def within_the_lab(options: argparse.Namespace, link: str) -> None:
    """Runs in a lab of its own, which is up."""
    quick = options.quick
    programs = [
        Lammps("melt", 24 if quick else 40, 20 if quick else 40),
        Lammps("salt", 20 if quick else 28, 10),
        Hpcc(1000, 2, options.hosts // 2),
    ]
    file = options.results.resolve() / "programs.csv"
    for program in programs:
        if options.only not in (None, program.name):
            continue
        if shutil.which(program.binary) is None:
            print(f"{program.name} LEFT OUT: apt-get install {program.package}", flush=True)
            continue
        rows = measure(program, link, options.hosts, 1 if quick else 3)
        keep(file, rows)


def keep(file: Path, rows: list[dict]) -> None:
    """Puts the rows in the place of those of the same point."""

    def point(row: dict) -> tuple:
        return tuple(str(row[key]) for key in HEADER[:4])

    table = {}
    if file.exists():
        with file.open() as lines:
            table = {point(row): row for row in csv.DictReader(lines)}
    table |= {point(row): row for row in rows}
    write_csv(file, HEADER, table.values())


def parse() -> argparse.Namespace:
    parser = parser_of("programs", __doc__)
    add = parser.add_argument
    add("--quick", action="store_true", help="small problems, once each")
    add("--links", default="1", help="Gbit/s, separated by commas; 1")
    add("--hosts", type=int, choices=(2, 4, 6, 8), default=4)
    add("--only", metavar="PROGRAM", help="lammps-melt, lammps-salt or hpcc")
    add("--within", help=argparse.SUPPRESS)
    return parser.parse_args()


def main() -> None:
    options = parse()
    options.results.mkdir(parents=True, exist_ok=True)
    if options.within:
        within_the_lab(options, options.within)
        return
    for link in options.links.split(","):
        lab = [str(ROOT / "run"), "lab", "with", "--hosts", str(options.hosts)]
        again = [sys.executable, *sys.argv, "--within", link]
        done = subprocess.run([*lab, "--rate", f"{link}gbit", "--", *again], env=os.environ)
        if done.returncode != 0:
            sys.exit(done.returncode)


if __name__ == "__main__":
    main()
