"""The command under test, and jobs that are told like stories: Job(...).env(...).run(...)."""

import os
import shutil
import subprocess
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

FAMILIES = ("openmpi", "mpich")
LIMIT = 60  # seconds; a job that takes longer hangs


def clean_environment() -> dict[str, str]:
    """This process's, without what would set Tightwire or look like a launcher."""
    ours = ("TIGHTWIRE_", "OMPI_", "PMI", "MPI_LOCAL", "SLURM_", "LD_PRELOAD")
    environment = {k: v for k, v in os.environ.items() if not k.startswith(ours)}
    environment |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    return environment


@dataclass(frozen=True)
class Result:
    code: int
    out: str
    err: str

    @property
    def messages(self) -> list[str]:
        """Lines that Tightwire itself wrote."""
        return [line for line in self.err.splitlines() if line.startswith("tightwire:")]


@dataclass(frozen=True)
class Command:
    """tightwire, alone or under mpirun; every with_... gives a changed copy."""

    path: Path
    folder: Path
    prefix: tuple[str, ...] = ()
    variables: dict[str, str] = field(default_factory=dict)

    def under(self, family: str, ranks: int = 3) -> "Command":
        mpirun = f"mpirun.{family}"
        if shutil.which(mpirun) is None:
            pytest.skip(f"{mpirun} is not installed")
        options = ("--oversubscribe",) if family == "openmpi" else ()
        return replace(self, prefix=(mpirun, *options, "-n", str(ranks)))

    def with_variables(self, **variables: str) -> "Command":
        return replace(self, variables=self.variables | variables)

    def run(self, *arguments: str | Path) -> Result:
        words = [*self.prefix, str(self.path), *map(str, arguments)]
        process = subprocess.Popen(
            words,
            cwd=self.folder,
            env=clean_environment() | self.variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        try:
            out, err = process.communicate(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            out, err = process.communicate()
            pytest.fail(f"did not end: {words}\n{out}\n{err}")
        return Result(process.returncode, out, err)


@pytest.fixture(scope="session")
def build(build_folder: Path) -> Path:
    if not (build_folder / "bin" / "tightwire").exists():
        pytest.fail(f"there is no bin/tightwire in {build_folder}; ./run build makes it")
    return build_folder


@pytest.fixture
def tightwire(build: Path, tmp_path: Path) -> Command:
    folder = tmp_path / "cwd"
    folder.mkdir()
    return Command(build / "bin" / "tightwire", folder)


@pytest.fixture(params=FAMILIES)
def family(request: pytest.FixtureRequest, build: Path) -> str:
    if not (build / "lib" / f"libtightwire-{request.param}.so").exists():
        pytest.skip(f"this build has no {request.param}")
    return request.param


# What a rank finds: what is preloaded into it, and its arguments. In a file for each rank, because
# mpirun may mix the lines of several.
RANK_SOURCE = r"""
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int count, char** words) {
  int rank = 0;
  const char* preload = getenv("LD_PRELOAD");
  MPI_Init(&count, &words);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  char name[32];
  snprintf(name, sizeof name, "rank.%d", rank);
  FILE* file = fopen(name, "w");
  fprintf(file, "%s", preload ? preload : "none");
  for (int i = 1; i < count; ++i) fprintf(file, " <%s>", words[i]);
  fclose(file);
  return MPI_Finalize();
}
"""


class Compiler:
    def __init__(self, folder: Path):
        self.folder = folder

    def build(self, name: str, source: str, compiler: str, *options: str) -> Path:
        if shutil.which(compiler) is None:
            pytest.skip(f"{compiler} is not installed")
        target = self.folder / name
        if not target.exists():
            file = target.with_suffix(".c")
            file.write_text(source)
            command = [compiler, "-o", target, file, *options]
            subprocess.run(command, check=True, timeout=LIMIT, env=clean_environment())
        return target


@pytest.fixture(scope="session")
def compiler(tmp_path_factory: pytest.TempPathFactory) -> Compiler:
    return Compiler(tmp_path_factory.mktemp("programs"))


@pytest.fixture
def rank_program(compiler: Compiler, family: str) -> Path:
    return compiler.build(f"rank-{family}", RANK_SOURCE, f"mpicc.{family}")


@pytest.fixture
def witness(tmp_path: Path) -> tuple[Path, Path]:
    """A program, and the file that is there once it has begun."""
    file = tmp_path / "begun"
    program = tmp_path / "witness"
    program.write_text(f"#!/bin/sh\ntouch {file}\n")
    program.chmod(0o755)
    return program, file
