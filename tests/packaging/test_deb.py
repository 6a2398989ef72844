"""The Debian package, installed where there is nothing but what it asks for."""

import shutil

import clean_root
import pytest
from clean_root import CleanRoot

MPI_PACKAGE = {"openmpi": "openmpi-bin", "mpich": "mpich"}
OPTIONS = {
    "openmpi": "--allow-run-as-root --oversubscribe --bind-to none --mca mpi_yield_when_idle 1",
    "mpich": "",
}
# What the package itself asks for, and a shell to run things with.
BASE = ["dash", "coreutils", "libc-bin", "libc6", "libgcc-s1", "libstdc++6"]


@pytest.fixture(scope="module", autouse=True)
def namespaces():
    if reason := clean_root.why_not():
        pytest.skip(reason)


@pytest.fixture(scope="module")
def root(family, deb, tmp_path_factory):
    root = CleanRoot(tmp_path_factory.mktemp(family) / "root", [*BASE, MPI_PACKAGE[family]])
    installed = root.install(deb)
    assert installed.returncode == 0, installed.stderr
    return root


def test_its_command_runs_without_any_mpi(deb, tmp_path):
    root = CleanRoot(tmp_path / "root", BASE)
    installed = root.install(deb)
    assert installed.returncode == 0, installed.stderr
    assert root.inside("tightwire --version").stdout.startswith("tightwire ")
    ran = root.inside("tightwire sh -c 'echo $0 ran' program")
    assert (ran.stdout, ran.stderr) == ("program ran\n", "")


def test_it_is_refused_where_something_is_missing(deb, tmp_path):
    """Else the other tests would show nothing about what the package depends on."""
    root = CleanRoot(tmp_path / "root", ["dash", "libc-bin"])
    refused = root.install(deb)
    assert refused.returncode != 0
    assert "libstdc++6" in refused.stderr


def test_a_program_runs_with_it(root, family, build_folder):
    shutil.copy(build_folder / "tests" / "mpi" / family / "in_c", root.folder / "usr" / "app")
    mpirun = f"mpirun.{family} {OPTIONS[family]} -n 2"
    plain = root.inside(f"{mpirun} /usr/app")
    assert plain.returncode == 0, plain.stderr
    assert len(plain.stdout.splitlines()) > 40
    under = root.inside(f"{mpirun} tightwire --same-host compress --verbose /usr/app")
    assert under.returncode == 0, under.stderr
    moved = [line for line in under.stdout.splitlines() if line.startswith("exact ")]
    assert moved == [line for line in plain.stdout.splitlines() if line.startswith("exact ")]
    assert "exact+pipelined" in under.stderr, "nothing was compressed"


def test_the_doctor_is_content(root, family):
    answer = root.inside(f"mpirun.{family} {OPTIONS[family]} -n 2 tightwire doctor /usr/app")
    assert answer.returncode == 0, answer.stdout + answer.stderr
    assert "FAIL" not in answer.stdout
    assert f"/usr/lib/tightwire/libtightwire-{family}.so" in answer.stdout


def test_calibration_is_installed(root, family):
    answer = root.inside(f"mpirun.{family} {OPTIONS[family]} -n 2 tightwire calibrate --help")
    assert answer.returncode == 0, answer.stderr
    assert "usage" in answer.stdout.lower()


def test_it_leaves_nothing_behind(root):
    root._run(["dpkg", f"--root={root.folder}", "--force-not-root", "--purge", "tightwire"])
    left = [path for path in (root.folder / "usr").rglob("*tightwire*")]
    assert left == []
