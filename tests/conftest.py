"""What all Python tests share: where the build is."""

import os
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def build_folder() -> Path:
    """The build under test: TIGHTWIRE_BUILD, else ./build."""
    folder = Path(os.environ.get("TIGHTWIRE_BUILD", REPOSITORY / "build")).resolve()
    if not (folder / "CMakeCache.txt").exists():
        pytest.fail(f"no build in {folder}: run ./run build, or set TIGHTWIRE_BUILD")
    return folder
