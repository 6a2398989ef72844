"""Every system test of the preload library runs under each MPI family of the build."""

from __future__ import annotations

import zlib

import pytest
from harness import Family, family_names


@pytest.fixture(params=family_names())
def family(request, build_folder) -> Family:
    family = Family(request.param, build_folder)
    if reason := family.why_not():
        pytest.skip(reason)
    return family


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
