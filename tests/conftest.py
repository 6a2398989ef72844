"""What all Python tests share: where the build is, and which MPI tries what depends on none."""

import os
import zlib
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


def one_of(families: list[str], rest: str) -> str:
    """The family that tries these other parameters: always the same, each about as often."""
    return sorted(families)[zlib.crc32(rest.encode()) % len(families)]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """What is marked either_mpi is tried by one family; ./run soak parameters has it by all."""
    same_but_for_family: dict[str, dict[str, pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("either_mpi"):
            family = item.callspec.params["family"]
            same_but_for_family.setdefault(item.nodeid.replace(family, "", 1), {})[family] = item
    for rest, by_family in same_but_for_family.items():
        for family, item in by_family.items():
            if family != one_of(list(by_family), rest):
                item.add_marker("long")
