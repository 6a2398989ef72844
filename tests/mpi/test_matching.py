"""Matching, probes, synchronous sends and completion, as MPI promises them: matching/."""

import pytest
from harness import Part

SETTINGS = {"same-host": "compress", "point-to-point": "on"}
MODES = {
    "every": {"mode": "exact"},
    "chunked": {
        "mode": "adaptive+pipelined",
        "threshold-exact": "1K",
        "threshold-pipelined": "64K",
        "chunks": "32",
        "link": "1G",
    },
    "usual": {"link": "1G"},
}
# Known limits of docs/user/point-to-point.md: what follows the first chunk needs its sender; and
# messages of many packets that share their memory may spoil each other.
EXCEPTIONS = {("chunked", "sent"), ("usual", "scratch")}
CASES = [
    "synchronous",
    "lengths",
    "sparse-exchange",
    "busy-sender",
    "sent",
    "files",
    "scratch",
    "scratch-by-all-ways",
    "freed-receive",
    "freed-receive-by-all-ways",
    "short-receive",
]


TWO_RANKS = {"lengths"}  # a third would wait on a core that they need


def run(family, folder, case, environment):
    ranks = 2 if case in TWO_RANKS else 3
    command = [str(family.program("check_matching")), case, str(folder)]
    outcome = family.run(Part(ranks, command, environment), limit=120).must_succeed()
    assert "failures 0\n" in outcome.stdout, str(outcome)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("case", CASES)
def test_as_in_plain_mpi(family, tmp_path, case, mode):
    if (mode, case) in EXCEPTIONS:
        pytest.skip("a known limit")
    run(family, tmp_path, case, family.preload({**SETTINGS, **MODES[mode]}))


@pytest.mark.parametrize("case", CASES)
def test_control(family, tmp_path, case):
    run(family, tmp_path, case, family.plain())


@pytest.mark.long  # on a machine with nothing else to do
def test_late_receiver_makes_no_send_dearer(family, tmp_path):
    run(family, tmp_path, "late-receiver", family.preload({**SETTINGS, **MODES["chunked"]}))


@pytest.mark.parametrize("mode", MODES)
def test_sends_do_not_look_where_that_is_dear(family, tmp_path, mode):
    """Under Open MPI a look for what is not there takes the longer the more waits for a late
    receiver, so a send that looks each time would cost more after each."""
    if family.name != "openmpi":
        pytest.skip("MPICH's looks cost no more; and each send needs one")
    environment = family.preload({**SETTINGS, **MODES[mode]}, behind=("dear_looks",))
    run(family, tmp_path, "late-receiver", environment)
