"""Runs MPI jobs, plain and under the preload library, under each MPI family of a build."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import sanitizer

OPENMPI_OPTIONS = [
    "--oversubscribe",
    "--bind-to", "none",
    "--mca", "mpi_yield_when_idle", "1",
    # Containers often forbid the system call behind it, and Open MPI says so each time.
    "--mca", "btl_vader_single_copy_mechanism", "none",
    # What ranks of one host use anyway: to look for others takes most of a short job's time.
    "--mca", "pml", "ob1", "--mca", "btl", "^openib,ofi", "--mca", "osc", "^ucx",
]  # fmt: skip


def long(*values):
    """A parameter of a test that ./run test leaves to ./run soak parameters."""
    return pytest.param(*values, marks=pytest.mark.long)


def either_mpi(*values):
    """A parameter that one MPI tries, as others of the test show that both do the same."""
    return pytest.param(*values, marks=pytest.mark.either_mpi)


def default_build() -> Path:
    """The build under test: TIGHTWIRE_BUILD, else ./build."""
    repository = Path(__file__).resolve().parent.parent.parent
    return Path(os.environ.get("TIGHTWIRE_BUILD", repository / "build")).resolve()


def family_names() -> list[str]:
    """Those that tests ask for: the standard ABI only where the build has it, which few have."""
    standard = (default_build() / "lib" / "libtightwire-abi.so").exists()
    return ["openmpi", "mpich", *(["abi"] if standard else [])]


@dataclass(frozen=True)
class Outcome:
    command: str
    stdout: str
    stderr: str
    code: int
    timed_out: bool

    def __str__(self) -> str:
        end = "killed at its time limit" if self.timed_out else f"exit code {self.code}"
        return (
            f"{self.command}\n{end}\n--- stdout\n{self.stdout[-6000:]}\n"
            f"--- stderr\n{self.stderr[-6000:]}"
        )

    def must_succeed(self) -> Outcome:
        assert not self.timed_out and self.code == 0, str(self)
        return self


@dataclass(frozen=True)
class Part:
    """Some ranks of a job that run the same command in the same environment."""

    ranks: int
    command: list[str]
    environment: dict[str, str] = field(default_factory=dict)

    def words(self) -> list[str]:
        settings = [f"{name}={value}" for name, value in self.environment.items()]
        return ["-n", str(self.ranks), *(["env", *settings] if settings else []), *self.command]


@dataclass(frozen=True)
class Family:
    name: str
    build: Path

    @property
    def library(self) -> Path:
        return self.build / "lib" / f"libtightwire-{self.name}.so"

    @property
    def launcher(self) -> Path:
        return self.build / "bin" / "tightwire"

    @property
    def mpirun(self) -> str:
        """The one beside the compiler wrapper that the library was built with."""
        settings = (self.build / "CMakeCache.txt").read_text()
        found = re.search(rf"^MPICC_{self.name}:\w+=(.*)mpicc(.*)$", settings, re.MULTILINE)
        # The standard ABI has a wrapper of its own (mpicc_abi), but no mpirun.
        return (
            f"{found[1]}mpirun{found[2].removesuffix('_abi')}" if found else f"mpirun.{self.name}"
        )

    def why_not(self) -> str | None:
        """The reason why tests of this family cannot run on this machine."""
        if shutil.which(self.mpirun) is None:
            return f"{self.mpirun} is not installed"
        if not (self.build / "tests" / "mpi" / self.name).is_dir():
            return f"the build has no test programs for {self.name}"
        return None

    @property
    def spins(self) -> bool:
        """Whether waiting ranks keep their cores, as MPICH's do: see preload/yield.c."""
        return self.name != "openmpi"

    def version(self) -> str:
        """Of the MPI: "mpich 4.0.2"."""
        said = run([self.mpirun, "--version"], limit=20).must_succeed().stdout
        version = re.search(r"(?:\)|Version:) +([\d.]+)", said)
        return f"{self.name} {version[1]}"

    def program(self, name: str) -> Path:
        return self.build / "tests" / "mpi" / self.name / name

    def companions(self, *names: str) -> list[Path]:
        """Test libraries (see preload/): the named ones and those that every job has."""
        names = (*names, *(["yield"] if self.spins else []), *sanitizer.companions(self.build))
        return [self.program(f"{name}.so") for name in names]

    def plain(self) -> dict[str, str]:
        """The environment of plain MPI, like the library's but for the library."""
        return {"LD_PRELOAD": ":".join(map(str, self.companions()))}

    def preload(
        self,
        settings: dict[str, str] | None = None,
        *before: str,
        behind: tuple[str, ...] = (),
    ) -> dict[str, str]:
        """The environment that loads the library; settings have their command line's keys.

        `before` and `behind` are test libraries (see preload/) that stand in front of it and see
        the program's calls, and behind it and see those that it makes.
        """
        companions = self.companions(*before)
        last = [self.program(f"{name}.so") for name in behind]
        libraries = [*sanitizer.runtimes(self.build), *companions, self.library, *last]
        variables = {"LD_PRELOAD": ":".join(map(str, libraries))}
        for key, value in (settings or {}).items():
            variables["TIGHTWIRE_" + key.upper().replace("-", "_")] = value
        return variables

    def run(self, *parts: Part, limit: float = 120, folder: Path | None = None) -> Outcome:
        words = [self.mpirun, *(OPENMPI_OPTIONS if self.name == "openmpi" else [])]
        for i, part in enumerate(parts):
            words += [*([":"] if i else []), *part.words()]
        limit *= sanitizer.patience(self.build)
        return run(words, limit, folder, sanitizer.options(self.build))


def run(
    words: list[str],
    limit: float,
    folder: Path | None = None,
    variables: dict[str, str] | None = None,
) -> Outcome:
    environment = {k: v for k, v in os.environ.items() if not k.startswith("TIGHTWIRE_")}
    environment |= variables or {}
    environment |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    job = subprocess.Popen(
        words,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        cwd=folder,
        env=environment,
        start_new_session=True,
    )
    timed_out = False
    try:
        stdout, stderr = job.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        timed_out = True
        end_session(job.pid)
        stdout, stderr = job.communicate()
    except BaseException:
        end_session(job.pid)
        job.wait()
        raise
    finally:
        end_session(job.pid)
    return Outcome(" ".join(words), stdout, stderr, job.returncode, timed_out)


def end_session(session: int) -> None:
    """Kills what is left of the job: ranks have their own process groups, but share its session."""
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            if os.getsid(int(entry.name)) == session:
                os.kill(int(entry.name), signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            continue
