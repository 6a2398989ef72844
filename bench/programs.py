#!/usr/bin/env python3
"""Whole programs over hosts of the lab, plain and under tightwire in turns: LAMMPS (a Lennard-Jones
melt, a molten salt with long-range forces), HPC Challenge, Quantum ESPRESSO and CP2K, as Debian
packages them; and of ours, in mpi4py, a heat solver, a blast wave with LULESH's messages and
stochastic gradient descent, in C, Fourier transforms by FFTW, with transposes by MPI_Ialltoall too,
and Poisson's equation by PETSc, with pipelined conjugate gradients too. By default, some always
compressed exactly: what they compute must be the same in every byte but for timings. Most also
within a bound that suits them, whose results may deviate. Writes results/programs.csv.

Plain runs go twice a round, and every second round goes backwards: what one plain run takes beside
the other (method again) tells what the figures beside it can. There are three rounds, and up to
nine where they take no minute. A ratio is the median of those of each round; low and high are its
quartiles. HPC Challenge's is of the whole job, the others' of their loops."""

import argparse
import math
import os
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from keyed_rows import key_of, known_rows
from lab_job import ROOT, parser_of, write_csv
from lab_programs import Compiled, Cp2k, Hpcc, Lammps, Ours, Run, perform
from lab_silicon import QuantumEspresso

POINT = ("program", "method", "link_gbps", "hosts", "burst")
HEADER = [
    *POINT,
    *("seconds", "communication_seconds", "wire_bytes"),
    *("raw_seconds", "raw_communication_seconds", "raw_wire_bytes", "same_output"),
    "largest_deviation",
    *("rounds", "ratio", "ratio_low", "ratio_high", "job_seconds", "raw_job_seconds"),
]
METHODS = {"plain": None, "again": None, "tightwire": [], "exact": ["--mode", "exact"]}
PLAIN = ("plain", "again")
FEWEST, MOST = 3, 9
ROUNDS_SECONDS = 50


def methods_of(program, hosts: int) -> dict[str, list[str] | None]:
    methods = {name: METHODS[name] for name in (*PLAIN, "tightwire")}
    # On more hosts mode exact adds floats in an order of its own.
    if program.exact and hosts == 2:
        methods["exact"] = METHODS["exact"]
    if program.bound is not None:
        methods["bounded"] = ["--error-bound", program.bound]
    return methods


def deviation(program, run: Run, plain: Run) -> float:
    pair = [program.values(one.output) for one in (run, plain)]
    found = [abs(a - b) for a, b in zip(*pair, strict=True)]
    return next(filter(math.isnan, found), max(found))


def median(runs: list[Run], field: str):
    values = [getattr(run, field) for run in runs]
    return "" if None in values else statistics.median(values)


def in_rounds(program, methods: dict, hosts: int, quick: bool) -> dict[str, list[Run]]:
    """Every method once a round, forwards and backwards by turns: a machine that gets slower while
    it is measured does so for all alike."""
    runs: dict[str, list[Run]] = {method: [] for method in methods}
    begin = time.monotonic()
    for done in range(1 if quick else MOST):
        if done >= FEWEST and time.monotonic() - begin > ROUNDS_SECONDS:
            break
        for method in list(methods)[:: -1 if done % 2 else 1]:
            runs[method].append(perform(program, method, hosts, methods[method]))
    return runs


def quartiles(values: list[float]) -> list[float]:
    """Of one value that value thrice."""
    return statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else values * 3


def beside(program, runs: list[Run], plain: list[Run]) -> dict:
    pairs = zip(runs, plain, strict=True)
    ratios = [run.own_seconds(program) / other.own_seconds(program) for run, other in pairs]
    low, middle, high = (f"{ratio:.3f}" for ratio in quartiles(ratios))
    return {"rounds": len(runs), "ratio": middle, "ratio_low": low, "ratio_high": high}


def measure(program, link: str, hosts: int, quick: bool) -> list[dict]:
    print(f"{program.name}, {link} Gbit/s", flush=True)
    methods = methods_of(program, hosts)
    runs = in_rounds(program, methods, hosts, quick)
    fields = {"seconds": "seconds", "communication_seconds": "communication"}
    fields |= {"wire_bytes": "wire_bytes", "job_seconds": "wall"}
    rows = []
    for method in methods:
        row = {"program": program.name, "method": method, "link_gbps": link, "hosts": hosts}
        row |= {key: median(runs[method], field) for key, field in fields.items()}
        row |= {f"raw_{key}": median(runs["plain"], field) for key, field in fields.items()}
        row |= compared(program, method, runs[method], runs["plain"][0])
        rows.append(row | beside(program, runs[method], runs["plain"]))
    return rows


def compared(program, method: str, runs: list[Run], plain: Run) -> dict:
    same = {run.output for run in runs} == {plain.output}
    if method != "bounded":
        if not same:
            told = "at each run" if method in PLAIN else "under tightwire"
            sys.exit(f"bench: {program.name} computes something else {told}")
        return {"same_output": True}
    off = [deviation(program, run, plain) for run in runs]
    for each in off:
        if not each <= program.allowed:
            sys.exit(f"bench: {program.name} is off by {each:.3g} within its bound")
    largest = max(off)
    return {"same_output": same, "largest_deviation": f"{largest:.3g}"}


def programs_of(options: argparse.Namespace) -> list:
    """Of `quick`, `hosts`, `only`: those that are here; the others are named."""
    quick = options.quick
    programs = [
        Lammps("melt", 24 if quick else 40, 20 if quick else 40),
        Lammps("salt", 20 if quick else 28, 10),
        Hpcc(1000, 2, options.hosts // 2),
        Ours("heat", 256, 40 if quick else 120, "rel:1e-6"),
        Ours("blast", 30, 100 if quick else 300, "rel:1e-6"),
        Ours("sgd", 512, 40 if quick else 120, "rel:1e-4", "f"),
        Compiled(
            *("fft", "libfftw3-mpi-dev", 64 if quick else 256, 3), bound="rel:1e-6", allowed=1e-3
        ),
        Compiled(
            *("fft-overlapped", "libfftw3-mpi-dev", 64 if quick else 128, 6),
            source="fft_overlapped",
            exact=True,
            bound="rel:1e-6",
            allowed=1e-3,
        ),
        Compiled("poisson", "petsc-dev", 48 if quick else 128, 60),
        Compiled(
            *("pipecg", "petsc-dev", 48 if quick else 128, 60, "-ksp_type", "pipecg"),
            source="poisson",
            exact=True,
            bound="1e-9",  # of values up to 20, and 146 at full size; steps make errors larger
            allowed=1e-3,
        ),
        QuantumEspresso(1 if quick else 2, 3),
        Cp2k(1 if quick else 2),
    ]
    wanted = [one for one in programs if options.only in (None, one.name)]
    here = [one for one in wanted if is_there(one)]
    for program in wanted:
        if program not in here:
            print(f"{program.name} LEFT OUT: apt-get install {program.package}", flush=True)
    return here


def within_the_lab(options: argparse.Namespace, link: str) -> None:
    """Runs in a lab of its own, which is up."""
    file = options.results.resolve() / "programs.csv"
    for program in programs_of(options):
        rows = measure(program, link, options.hosts, options.quick)
        keep(file, [row | {"burst": options.burst} for row in rows])


def is_there(program) -> bool:
    if isinstance(program, Compiled):
        return program.is_there()
    return shutil.which(program.binary) is not None


def keep(file: Path, rows: list[dict]) -> None:
    """Puts the rows in the place of those of the same point."""
    table = known_rows(file, HEADER, POINT)
    table |= {key_of(row, POINT): row for row in rows}
    write_csv(file, HEADER, table.values())


def parse(name: str, described: str) -> argparse.Namespace:
    parser = parser_of(name, described)
    add = parser.add_argument
    add("--quick", action="store_true", help="small problems, once each")
    add("--links", default="1", help="Gbit/s, separated by commas; 1")
    add("--hosts", type=int, choices=(2, 4, 6, 8), default=4)
    add("--only", metavar="PROGRAM", help="a name of the first column, such as lammps-melt")
    add("--burst", default="256k", help="of the lab's links; 256k")
    add("--within", help=argparse.SUPPRESS)
    return parser.parse_args()


def over_labs(options: argparse.Namespace, within: Callable) -> None:
    """Starts this program again within a lab for each link, where `within` is called."""
    options.results.mkdir(parents=True, exist_ok=True)
    if options.within:
        within(options, options.within)
        return
    for link in options.links.split(","):
        lab = [str(ROOT / "run"), "lab", "with", "--hosts", str(options.hosts)]
        again = [sys.executable, *sys.argv, "--within", link]
        done = subprocess.run(
            [*lab, "--rate", f"{link}gbit", "--burst", options.burst, "--", *again], env=os.environ
        )
        if done.returncode != 0:
            sys.exit(done.returncode)


if __name__ == "__main__":
    over_labs(parse("programs", __doc__), within_the_lab)
