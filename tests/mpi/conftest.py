"""Every system test of the preload library runs under each MPI family of the build."""

from __future__ import annotations

import pytest
from harness import Family, family_names


@pytest.fixture(params=family_names())
def family(request, build_folder) -> Family:
    family = Family(request.param, build_folder)
    if reason := family.why_not():
        pytest.skip(reason)
    return family
