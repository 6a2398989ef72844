"""Programs that trap floating-point exceptions, or look for them: they see their own alone."""

import pytest
from harness import Part

APART = {"host-ranks": "1"}
KINDS = {
    "default": {},
    "known link": {"link": "1G"},
    "slow link": {"link": "10M"},
    "bounded": {"link": "10M", "error-bound": "rel:1e-6"},
    "early": {"link": "10M", "early": "on"},
    "chunks": {"link": "10M", "chunks": "4", "threshold-pipelined": "4K"},
    "exact": {"mode": "exact"},
    "threads": {"mode": "adaptive+pipelined", "link": "10M", "threads": "2"},
}


def found(family, how, environment):
    part = Part(2, [str(family.program("traps_arithmetic")), how], environment)
    return family.run(part, limit=100).must_succeed().stdout


@pytest.mark.parametrize("how", ["traps", "flags", "jumps"])
def test_only_the_programs_own_arithmetic_counts(family, how):
    if (how, family.name) == ("jumps", "mpich"):
        pytest.skip("MPICH 4.0 calls handlers under its own lock")
    plain = found(family, how, family.plain())
    trapped = "trapped 0" if how == "flags" else "trapped d"
    assert f"raised 0, {trapped}, overflow told" in plain
    for kind, settings in KINDS.items():
        out = found(family, how, family.preload({**APART, **settings}))
        if "error-bound" in settings:  # the sum is of values that have come
            assert out.split(",", 1)[1] == plain.split(",", 1)[1], kind
        else:
            assert out == plain, kind
