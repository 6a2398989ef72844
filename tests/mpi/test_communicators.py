"""Communicators of the program cost nothing that it could run out of (MPI 4.0, section 7.4.2).

communicators/ says what its cases do; preload/scarce.c makes communicators scarce.
"""

import json
import re

import pytest
from harness import Part

CHUNKED = {
    "same-host": "compress",
    "mode": "adaptive+pipelined",
    "threshold-exact": "1K",
    "threshold-pipelined": "4K",
    "chunks": "8",
    "link": "100M",
}
EXACT = {"same-host": "compress", "mode": "exact", "threshold-exact": "4K"}
# The private world, the process's own, and the one for what follows messages between two ranks.
OURS = 3


def made(outcome):
    """How many communicators the program made, all of whose values were right."""
    printed = re.search(r"^made (\d+), wrong 0$", outcome.must_succeed().stdout, re.MULTILINE)
    assert printed, str(outcome)
    return int(printed[1])


def tiers(report):
    return {row["tier"] for row in json.loads(report.read_text())["collectives"]}


def run(family, environment, *case, ranks=2, limit=100):
    command = [str(family.program("communicators")), *case]
    return family.run(Part(ranks, command, environment), limit=limit)


@pytest.mark.long
def test_as_many_as_plain_mpi_makes(family):
    """MPICH has some 2000 context ids, Open MPI more than a test can use up."""
    if family.name != "mpich":
        pytest.skip("the MPI makes as many as anybody can want")
    most = made(run(family, family.plain(), "many", "3000"))
    assert most < 3000
    assert made(run(family, family.preload(EXACT), "many", "3000")) >= most - OURS


def test_a_program_with_1100(family, tmp_path):
    """Half of what plain MPICH makes, all in use at once; it was too many for us."""
    report = tmp_path / "report.json"
    environment = family.preload(EXACT | {"report": str(report)})
    assert made(run(family, environment, "many", "1100", limit=200)) == 1100
    (sent,) = [
        row["calls"]
        for row in json.loads(report.read_text())["collectives"]
        if (row["collective"], row["tier"]) == ("Bcast", "exact")
    ]
    assert sent >= 1100


@pytest.mark.parametrize("mode", [EXACT, CHUNKED], ids=["exact", "chunked"])
def test_made_and_freed(family, tmp_path, mode):
    """1000 of them, one after the other, with a collective and a message in each: the time of the
    job is bounded, where a test suite was once seen to take 16 times plain MPI's."""
    report = tmp_path / "report.json"
    environment = family.preload(mode | {"report": str(report)})
    assert made(run(family, environment, "churn", "1000", limit=200)) == 1000
    rows = json.loads(report.read_text())["collectives"]
    for call in ("Bcast", "Send"):
        compressed = [row for row in rows if (row["collective"], row["tier"]) == (call, "exact")]
        assert sum(row["calls"] for row in compressed) >= 1000, rows
    in_chunks = [row for row in rows if row["collective"] == "Bcast" and row["pipelined"]]
    assert bool(in_chunks) == (mode == CHUNKED), rows


@pytest.mark.parametrize("ranks", [4, 6])
def test_overlapping_groups(family, ranks):
    """Ranks of several communicators at once, in several orders, share tags with none of them."""
    settings = {"mode": "exact", "threshold-exact": "4K", "host-ranks": "2"}
    made(run(family, family.preload(settings), "groups", ranks=ranks))


def test_threads(family):
    """Section 6.14: collectives on different communicators, in any order in different threads."""
    for settings in ({}, {"chunks": "4", "threshold-pipelined": "4K"}):
        made(run(family, family.preload(EXACT | settings), "threads"))


@pytest.mark.parametrize("lanes", [False, True], ids=["flat", "lanes"])
def test_few_communicators_are_left(family, tmp_path, lanes):
    """The job begins with enough for us, after that there are none: we go on compressing."""
    report = tmp_path / "report.json"
    where = {"host-ranks": "2"} if lanes else {}
    settings = EXACT | where | {"report": str(report)}
    environment = family.preload(settings, "scarce") | {"SCARCE_FROM": str(OURS + 1)}
    outcome = run(family, environment, "many", "20", ranks=4 if lanes else 2)
    assert made(outcome) == 20
    assert "exact" in tiers(report)
    assert "no communicator left" not in outcome.stderr, str(outcome)


@pytest.mark.parametrize("where", ["on all", "on one"])
def test_no_communicator_is_left_for_messages(family, tmp_path, where):
    """Messages between two ranks go without, collectives do not."""
    report = tmp_path / "report.json"
    scarce = {"SCARCE_FROM": str(OURS)} | ({"SCARCE_RANK": "1"} if where == "on one" else {})
    environment = family.preload(EXACT | {"report": str(report)}, "scarce") | scarce
    outcome = run(family, environment, "many", "20")
    assert made(outcome) == 20
    assert "for messages between two ranks" in outcome.stderr, str(outcome)
    assert "exact" in tiers(report)


@pytest.mark.parametrize("where", ["on all", "on one"])
def test_no_communicator_is_left(family, tmp_path, where):
    """Where one rank of the job cannot have a communicator of ours all go without."""
    report = tmp_path / "report.json"
    settings = EXACT | {"point-to-point": "on", "report": str(report)}
    scarce = {"SCARCE_FROM": "1"} | ({"SCARCE_RANK": "1"} if where == "on one" else {})
    outcome = run(family, family.preload(settings, "scarce") | scarce, "many", "5")
    assert made(outcome) == 5
    assert "nothing is compressed" in outcome.stderr, str(outcome)
    assert tiers(report) == {"raw"}
