"""The parts of mpi4py's tests that Tightwire has most to do with; ./run soak mpi4py runs all."""

import re

import pytest
from suite import EVERYTHING, Suite

MODULES = (
    *("test_cco_vec", "test_cco_nb_buf", "test_cco_pr_buf", "test_cco_ngh_buf", "test_cco_obj"),
    *("test_cco_nb_vec", "test_cco_pr_vec"),
    *("test_p2p_buf", "test_p2p_obj", "test_msgspec"),
)
SETTINGS = (*EVERYTHING, "--mode", "exact", "--point-to-point", "on", "--verbose")


@pytest.mark.timeout(1300)
@pytest.mark.parametrize("ranks", [3])
def test_what_passes_plain_passes_under_tightwire(family, ranks, tmp_path):
    suite = Suite(family, ranks, tmp_path, MODULES, limit=600)
    plain = suite.run("plain")
    assert plain.passed and not plain.unfinished, str(plain.outcome)
    under = suite.under_tightwire(*SETTINGS)
    assert plain.passed <= under.passed, (
        f"passed plain, but not under tightwire: {sorted(plain.passed - under.passed)}\n"
        f"unfinished: {sorted(under.unfinished)}\n{under.outcome}"
    )
    assert re.search(r"Allgather +exact", under.outcome.stderr), "nothing was compressed"
