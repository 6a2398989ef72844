"""Each family, with what the suite needs to run under it."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "mpi"))
import python_mpi
from harness import Family, family_names


@pytest.fixture(params=family_names())
def family(request, build_folder) -> Family:
    family = Family(request.param, build_folder)
    if reason := family.why_not() or python_mpi.why_not():
        pytest.skip(reason)
    return family
