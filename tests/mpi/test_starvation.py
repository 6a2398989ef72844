"""An allocation of the library fails: the message goes as it came, the call reports an error, or
the job ends with one; data that no error was reported for is right, and nobody waits for ever.

preload/starve.c lets the allocation fail, in the library that users get.
"""

import re

import pytest
from harness import Part
from test_damage import LINE, RANKS

EXACT = {"mode": "exact"}
BOUNDED = {"mode": "bounded", "error-bound": "1e-4"}


def run(family, operation, handler, settings, rank, at, least=4096):
    fixed = {"same-host": "compress", "algorithm": "ring", "chunks": "4"}
    environment = family.preload({**fixed, **settings}, "starve") | {
        "STARVE_RANK": str(rank),
        "STARVE_AT": str(at),
        "STARVE_BYTES": str(least),
    }
    command = [str(family.program("meets_damage")), operation, handler]
    outcome = family.run(Part(RANKS, command, environment), limit=60)
    assert not outcome.timed_out, str(outcome)
    return outcome


def check(outcome):
    for _, _, data, text in LINE.findall(outcome.stdout):
        assert text != "success" or data in ("right", "none due"), str(outcome)


@pytest.mark.parametrize("settings", [EXACT, BOUNDED], ids=lambda one: one["mode"])
@pytest.mark.parametrize("at", [0, 1, 2, 3, 5, 8])
@pytest.mark.parametrize("operation", ["allreduce", "bcast", "allgather"])
def test_collectives(family, operation, at, settings):
    outcome = run(family, operation, "return", settings, 1, at)
    check(outcome)
    if "starve: no memory" not in outcome.stderr:
        outcome.must_succeed()  # it needs fewer
    elif outcome.code != 0:
        words = r"tightwire: rank 1: MPI_\w+ of \d+ bytes on MPI_COMM_WORLD .*no memory"
        assert re.search(words, outcome.stderr), str(outcome)


@pytest.mark.parametrize("operation", ["allreduce", "bcast"])
def test_the_first_that_a_collective_needs(family, operation):
    """So that the test above is known to starve somebody."""
    outcome = run(family, operation, "return", EXACT, 1, 0)
    assert "starve: no memory" in outcome.stderr, str(outcome)
    assert outcome.code != 0, str(outcome)


@pytest.mark.parametrize("rank", [0, 2])
@pytest.mark.parametrize("at", [0, 1])
@pytest.mark.parametrize("operation", ["message", "request", "marked"])
def test_messages(family, operation, rank, at):
    """Rank 0 sends, rank 2 receives. By default an error ends the job."""
    outcome = run(family, operation, "fatal", {**EXACT, "point-to-point": "on"}, rank, at)
    check(outcome)
    if outcome.code != 0:
        words = rf"tightwire: rank {rank}: .* on MPI_COMM_WORLD .*(memory|NO_MEM)"
        assert re.search(words, outcome.stderr), str(outcome)


@pytest.mark.parametrize("operation", ["message", "request"])
def test_a_sender_without_memory_sends_as_it_came(family, operation):
    settings = {**EXACT, "point-to-point": "on"}
    outcome = run(family, operation, "return", settings, 0, 0).must_succeed()
    assert "starve: no memory" in outcome.stderr, str(outcome)
    for _, _, data, text in LINE.findall(outcome.stdout):
        assert text == "success" and data in ("right", "none due"), str(outcome)
