"""The packages, made once from the build under test."""

import os
import subprocess
from pathlib import Path

import pytest

FAMILIES = ("openmpi", "mpich")


@pytest.fixture(scope="session", params=FAMILIES)
def family(request: pytest.FixtureRequest, build_folder: Path) -> str:
    if not (build_folder / "lib" / f"libtightwire-{request.param}.so").exists():
        pytest.skip(f"this build has no {request.param}")
    return request.param


def pack(build_folder: Path, kind: str, folder: Path) -> Path:
    words = ["cpack", "-G", kind, "-B", str(folder)]
    done = subprocess.run(words, cwd=build_folder, capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stdout + done.stderr
    (package,) = [path for path in folder.iterdir() if path.is_file()]
    return package


@pytest.fixture(scope="session")
def deb(build_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return pack(build_folder, "DEB", tmp_path_factory.mktemp("deb"))


@pytest.fixture(scope="session")
def tarball(build_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return pack(build_folder, "TGZ", tmp_path_factory.mktemp("tgz"))


@pytest.fixture(scope="session")
def clean_environment() -> dict[str, str]:
    ours = ("TIGHTWIRE_", "OMPI_", "PMI", "MPI_LOCAL", "SLURM_", "LD_")
    environment = {k: v for k, v in os.environ.items() if not k.startswith(ours)}
    return environment | {
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    }
