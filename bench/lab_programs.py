"""Programs that others wrote, and some of ours, run over hosts of the lab: what they computed, how
long it took, what went over the wire."""

import array
import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lab_job import BIN, ROOT

FAMILY = "openmpi"  # which the packages are built for
SCRIPTS = ROOT / "bench" / "programs"


@dataclass
class Run:
    seconds: float
    communication: float | None
    wire_bytes: int
    output: bytes  # what must not depend on the method
    history: dict  # of the report
    job_seconds: float  # from MPI_Init to MPI_Finalize, where there is a report
    wall: float  # of the whole job

    def own_seconds(self, program) -> float:
        """What the program says of its time that is its own, not of one of its tests."""
        return self.wall if program.tells_of_tests else self.seconds


class Program:
    """What a program may say beside how it is run and what came out."""

    exact = False  # to be measured in that mode, too
    bound: str | None = None  # to be measured within, too: its values may be off by `allowed`
    allowed = 0.0
    tells_of_tests = False  # its seconds are of one of its tests


class Lammps(Program):
    binary = "lmp"
    package = "lammps"
    bound = "rel:1e-6"
    allowed = 1e-2  # of positions and velocities

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

    def values(self, output: bytes) -> Sequence[float]:
        """Of all atoms, in the order of their numbers."""
        rows = output.split(b"ITEM: ATOMS", 1)[1].splitlines()[1:]
        return [float(word) for row in rows for word in row.split()]


class Ours(Program):
    """In mpi4py: bench/programs/NAME.py. Its output is numbers of `type`, of Python's array."""

    binary = "python3"
    package = "python3"
    allowed = 1e-2

    def __init__(self, name: str, width: int, steps: int, bound: str | None = None, type="d"):
        self.name, self.width, self.steps = name, width, steps
        self.bound, self.type = bound, type

    def command(self, folder: Path) -> list[str]:
        # A rank has one core: numpy would take all of the machine's.
        variables = ["MPI4PY_MPIABI=openmpi", "OPENBLAS_NUM_THREADS=1"]
        script = ["env", *variables, sys.executable, str(SCRIPTS / f"{self.name}.py")]
        return [*script, str(self.width), str(self.steps), str(folder / "output")]

    def result(self, folder: Path, printed: str) -> tuple[float, float | None, bytes]:
        loop = float(re.search(r"^Loop time of (\S+)", printed, re.MULTILINE)[1])
        return loop, None, (folder / "output").read_bytes()

    def values(self, output: bytes) -> Sequence[float]:
        return array.array(self.type, output)


class Cp2k(Program):
    """32 molecules of water: one energy, or as many `steps` of dynamics."""

    binary = "cp2k.psmp"
    package = "cp2k"
    name = "cp2k-water"
    # No bound: energies of a field that has not converged amplify errors.
    exact = True

    def __init__(self, steps: int = 0):
        self.steps = steps

    def command(self, _folder: Path) -> list[str]:
        words = ["env", "OMP_NUM_THREADS=1", self.binary]
        if self.steps:
            words += ["-E", "RUN_TYPE=MD", "-E", f"MD_STEPS={self.steps}"]
        return [*words, "-i", str(SCRIPTS / "water.cp2k")]

    def result(self, folder: Path, printed: str) -> tuple[float, float | None, bytes]:
        """Energies in all digits, a line each, and the orbitals at the end."""
        total = float(re.search(r"^ CP2K  .*?(\S+) +\S+$", printed, re.MULTILINE)[1])
        energies = re.findall(r"^ ENERGY\|.*?(-?[\d.]+)$", printed, re.MULTILINE)
        orbitals = (folder / "water-RESTART.wfn").read_bytes()
        return total, None, "\n".join([*energies, ""]).encode() + orbitals


class Compiled(Program):
    """Ours, in C, with a library of others: bench/programs/SOURCE.c; `options` are its own."""

    binary = "mpicc.openmpi"

    def __init__(
        self,
        name: str,
        package: str,
        width: int,
        steps: int,
        *options: str,
        source: str | None = None,
        exact: bool = False,
        bound: str | None = None,
        allowed: float = 0,
    ):
        self.name, self.package, self.width, self.steps = name, package, width, steps
        self.source, self.options = source or name, options
        self.exact, self.bound, self.allowed = exact, bound, allowed

    def compile(self, output: str | Path) -> bool:
        flags = ["-lfftw3_mpi", "-lfftw3", "-lm"]
        if self.package == "petsc-dev":
            told = ["pkg-config", "--cflags", "--libs", "PETSc"]
            found = subprocess.run(told, capture_output=True, text=True).stdout.split()
            flags = [*found, "-lm"]
        words = [self.binary, "-O2", SCRIPTS / f"{self.source}.c", "-o", output, *flags]
        return subprocess.run(words, capture_output=True).returncode == 0

    def is_there(self) -> bool:
        return shutil.which(self.binary) is not None and self.compile("/dev/null")

    def command(self, folder: Path) -> list[str]:
        if not self.compile(folder / self.name):
            sys.exit(f"bench: {self.source}.c does not compile")
        size = [str(self.width), str(self.steps)]
        return [str(folder / self.name), *size, str(folder / "output"), *self.options]

    def result(self, folder: Path, printed: str) -> tuple[float, float | None, bytes]:
        loop = float(re.search(r"^Loop time of (\S+)", printed, re.MULTILINE)[1])
        parts = sorted(folder.glob("output.*"))
        return loop, None, b"".join(part.read_bytes() for part in parts)

    def values(self, output: bytes) -> Sequence[float]:
        return array.array("d", output)


class Hpcc(Program):
    binary = "hpcc"
    package = "hpcc"
    name = "hpcc"
    tells_of_tests = True

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


def perform(program, method: str, hosts: int, settings: list[str] | None) -> Run:
    """Under tightwire with these settings, or plain."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        report = folder / "report.json"
        plain = settings is None
        launcher = [] if plain else [str(BIN / "tightwire"), "--report", str(report), *settings]
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
        told = json.loads(report.read_text()) if report.exists() else {}
        print(f"  {method:17} {own:8.2f} s of {seconds:.2f}, {sent:13,} B sent", flush=True)
        history, job_seconds = told.get("history", {}), told.get("seconds", 0.0)
        return Run(own, communication, sent, output, history, job_seconds, seconds)
