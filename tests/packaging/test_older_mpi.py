"""A program that finds MPI 4's functions with wide counts in Tightwire, while its MPI has none: as
mpi4py's wheel does under MPICH 3, which ./run soak wheel has.

The older MPI is a copy of this machine's MPICH, in which nobody finds those functions any more.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "packaging" / "wheel"))
from serve_any_mpi import serve_any_mpi


@pytest.fixture(scope="module")
def program(build_folder) -> Path:
    found = build_folder / "tests" / "mpi" / "mpich" / "asks_by_name"
    if not found.exists():
        pytest.skip("this build has no MPICH")
    return found


@pytest.fixture(scope="module")
def older_mpi(program, tmp_path_factory) -> Path:
    """A folder with the library: the names are others, of the same length."""
    libraries = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
    library = Path(re.search(r"=> (\S*/libmp\w*\.so\S*)", libraries)[1])
    copy = tmp_path_factory.mktemp("older") / library.name
    contents, changed = re.subn(rb"(MPI_[A-Z]\w+)_c\0", rb"\1_-\0", library.read_bytes())
    assert changed > 100
    copy.write_bytes(contents)
    return copy.parent


@pytest.fixture(scope="module")
def prefix(build_folder, tmp_path_factory) -> Path:
    """The command and the library as in the wheel."""
    made = tmp_path_factory.mktemp("any") / "prefix"
    (made / "bin").mkdir(parents=True)
    (made / "lib" / "tightwire").mkdir(parents=True)
    shutil.copy(build_folder / "bin" / "tightwire", made / "bin")
    library = build_folder / "lib" / "libtightwire-mpich.so"
    serve_any_mpi(Path(shutil.copy(library, made / "lib" / "tightwire")))
    return made


@pytest.fixture
def run(older_mpi, program, clean_environment):
    def run(*words, **variables) -> subprocess.CompletedProcess:
        """Two ranks under mpirun, which has the MPI that is here."""
        where = f"LD_LIBRARY_PATH={older_mpi}"
        command = ["mpirun.mpich", "-n", "2", "env", where, *words]
        return subprocess.run(
            [str(word) for word in command],
            env=clean_environment | variables,
            capture_output=True,
            text=True,
            timeout=60,
            stdin=subprocess.DEVNULL,
        )

    return run


def test_this_mpi_has_none_of_them(older_mpi, program, clean_environment):
    """As one rank without mpirun, which may lose what a rank said last."""
    there = clean_environment | {"LD_LIBRARY_PATH": str(older_mpi)}
    done = subprocess.run([program], env=there, capture_output=True, text=True, timeout=60)
    assert done.returncode != 0
    assert "asks_by_name: MPI_Send_c" in done.stderr


@pytest.mark.parametrize("options", [[], ["--same-host", "compress"], ["--mode", "raw"]])
def test_what_it_calls_arrives(run, program, prefix, options):
    done = run(prefix / "bin" / "tightwire", *options, program)
    assert (done.returncode, done.stdout) == (0, "right\n"), done.stderr


def test_messages_are_compressed(run, program, prefix):
    words = "--same-host", "compress", "--verbose"
    done = run(prefix / "bin" / "tightwire", *words, program)
    assert re.search(r"^Send +exact", done.stderr, re.MULTILINE), done.stderr


def test_counts_that_no_int_holds_are_refused_with_a_line(run, program, prefix):
    done = run(prefix / "bin" / "tightwire", "--mode", "raw", program, "refused")
    assert (done.returncode, done.stdout) == (0, "right\n"), done.stderr
    for call in ("MPI_Allreduce_c", "MPI_Alltoallv_c"):
        assert re.search(f"tightwire: .*{call} on MPI_COMM_WORLD.* of 3000000000 ", done.stderr)
