"""Every system test of the preload library runs under both MPI families."""

import pytest
from harness import Family


@pytest.fixture(params=["openmpi", "mpich"])
def family(request, build_folder) -> Family:
    family = Family(request.param, build_folder)
    if reason := family.why_not():
        pytest.skip(reason)
    return family
