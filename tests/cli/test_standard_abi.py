"""A program that is linked to the standard ABI's library gets the preload library built for it."""

import shutil
from dataclasses import replace

import pytest

USAGE = 2
PROGRAM = r"""
#include <stdio.h>
#include <stdlib.h>
int MPI_Init(int*, char***);
int main(int count, char** words) {
  puts(getenv("LD_PRELOAD") ? getenv("LD_PRELOAD") : "none");
  return MPI_Init(&count, &words);
}
"""
LIBRARY = "int MPI_Init(int* count, char*** words) { (void)count; (void)words; return 0; }"
SHARED = ("-shared", "-fPIC")


@pytest.fixture
def program(compiler):
    named = "-Wl,-soname,libmpi_abi.so.1"
    library = compiler.build("libmpi_abi.so.1", LIBRARY, "gcc", *SHARED, named)
    return compiler.build("abi", PROGRAM, "gcc", str(library), f"-Wl,-rpath,{library.parent}")


@pytest.fixture
def installed(tightwire, tmp_path):
    """A command with a lib folder of its own, still empty."""
    (tmp_path / "lib").mkdir()
    (tmp_path / "bin").mkdir()
    return replace(tightwire, path=shutil.copy(tightwire.path, tmp_path / "bin"))


def test_is_loaded(installed, program, compiler, tmp_path):
    library = compiler.build("libtightwire-abi.so", "", "gcc", *SHARED)
    preload = shutil.copy(library, tmp_path / "lib")
    result = installed.run(program)
    assert (result.code, result.out) == (0, f"{preload}\n"), result


def test_is_missed(installed, program):
    result = installed.run(program)
    assert result.code == USAGE
    assert "libtightwire-abi.so is not in" in result.err
