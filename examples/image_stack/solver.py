"""A real program beside the picture: a heat solver in mpi4py (bench/programs/heat.py), which sends
faces of doubles to its neighbours at every step, plain and under tightwire in turns. As many
ranks as cores, two at least: where ranks take turns on a core, one computes while another waits for
its message, and Tightwire leaves such messages to MPI."""

import os
import re
import statistics
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from runs import BUILD, ROOT, TIME_LIMIT_S, sent

from lab import mpi, state

WIDTH, STEPS = 256, 40
# The name by which mpi4py's wheel opens MPICH; Debian's has another.
MPICH_ABI_NAME = "libmpi.so.12"


@dataclass
class Run:
    """Plain, or under tightwire with nothing but its name."""

    name: str
    prefix: list[str]
    seconds: list[float] = field(default_factory=list)  # of the loop
    wire_bytes: list[int] = field(default_factory=list)
    output: bytes = b""
    ranks: int = 0

    @property
    def time_s(self) -> float:
        return statistics.median(self.seconds)

    @property
    def bytes_sent(self) -> float:
        return statistics.median(self.wire_bytes)


def library_of(program: Path) -> Path:
    lines = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
    found = re.search(r"libmpi\S* => (\S+)", lines)
    if not found:
        sys.exit(f"demo: {program} is linked to no MPI")
    return Path(found[1])


def python_environment(family: str, folder: Path) -> dict[str, str]:
    """By which mpi4py finds the MPI."""
    environment = {"MPI4PY_MPIABI": family}
    if family == "mpich":
        library = library_of(BUILD / "bin" / "image_stack.mpich")
        link = folder / MPICH_ABI_NAME
        link.symlink_to(library.resolve())
        # The lab's ucx_close.so needs UCX loaded with the program; tightwire brings MPI itself.
        environment["LD_PRELOAD"] = str(link)
        environment["LD_LIBRARY_PATH"] = f"{folder}:{os.environ.get('LD_LIBRARY_PATH', '')}"
    return environment


def run_once(lab: state.Lab, family: str, run: Run, folder: Path, more: dict[str, str]) -> None:
    output = folder / "temperatures"
    script = [sys.executable, ROOT / "bench" / "programs" / "heat.py", WIDTH, STEPS, output]
    run.ranks = min(lab.hosts, max(2, len(os.sched_getaffinity(0))))
    command = mpi.mpirun(lab, family, run.ranks, [str(word) for word in run.prefix + script])
    base = os.environ | {k: v for k, v in more.items() if k != "LD_PRELOAD" or not run.prefix}
    before = sent(lab)
    done = subprocess.run(
        ["timeout", "--kill-after=5", TIME_LIMIT_S, *command],
        env=mpi.environment(lab, family, base),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    run.wire_bytes.append(sent(lab) - before)
    run.seconds.append(float(re.search(r"^Loop time of (\S+)", done.stdout, re.MULTILINE)[1]))
    run.output = output.read_bytes()


def run_solver(family: str, folder: Path, rounds: int) -> list[Run]:
    """Fails if the temperatures differ in a byte."""
    lab = state.load(state.default_name())
    tightwire = str(BUILD / "bin" / "tightwire")
    runs = [Run("heat, plain", []), Run("heat, tightwire", [tightwire])]
    more = python_environment(family, folder)
    for number in range(rounds):
        for run in runs:
            print(f"round {number + 1} of {rounds}: {run.name}", flush=True)
            run_once(lab, family, run, folder, more)
    if runs[0].output != runs[1].output:
        sys.exit("demo: the heat solver computes something else under tightwire")
    return runs
