"""An allocation of the library fails, small or large: a message goes as it came, or the job ends
with a line that says who lacks memory for what. Data that a call gave is right, nobody waits for
ever, and no message is taken for another one.

preload/starve.c lets the allocation fail, in the library that users get; the program goes on after
errors, so that what it is told and what it gets both count.
"""

import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from harness import Part
from test_damage import LINE, RANKS

EXACT = {"mode": "exact"}
BOUNDED = {"mode": "bounded", "error-bound": "1e-4"}
MESSAGES = {**EXACT, "point-to-point": "on"}
# So many first allocations are refused, each in a job of its own.
SMALL = 24


def run(family, operation, settings, rank, at, least, ranks=RANKS, on=False):
    fixed = {"same-host": "compress", "algorithm": "ring", "chunks": "4"}
    environment = family.preload({**fixed, **settings}, "starve") | {
        "STARVE_RANK": str(rank),
        "STARVE_AT": str(at),
        "STARVE_BYTES": str(least),
    }
    if on:
        environment["STARVE_ON"] = "1"
    command = [str(family.program("meets_damage")), operation, "return"]
    outcome = family.run(Part(ranks, command, environment), limit=60)
    assert not outcome.timed_out, str(outcome)
    return outcome


def is_starved(outcome):
    return "starve: no memory" in outcome.stderr


def check(outcome, rank):
    """All went well, or the job ended with a line. True if it ended."""
    for _, _, data, text in LINE.findall(outcome.stdout):
        assert text == "success" and data in ("right", "none due"), str(outcome)
    if outcome.code == 0:
        return False
    assert is_starved(outcome), str(outcome)
    words = rf"tightwire: rank {rank}: MPI_\w+( of \d+ bytes)?.* on MPI_COMM_WORLD .*no memory"
    assert re.search(words, outcome.stderr), str(outcome)
    assert "terminate" not in outcome.stderr, str(outcome)
    return True


@pytest.mark.either_mpi
@pytest.mark.parametrize("settings", [EXACT, BOUNDED], ids=lambda one: one["mode"])
@pytest.mark.parametrize("at", [0, 2, 5])
@pytest.mark.parametrize("operation", ["allreduce", "bcast", "allgather"])
def test_large_ones_of_collectives(family, operation, at, settings):
    outcome = run(family, operation, settings, 1, at, least=4096)
    ended = check(outcome, 1)
    if at == 0 and operation != "allgather":
        assert ended, str(outcome)


def sweep(family, operation, settings, rank):
    """One outcome for each of the first allocations."""

    def refused(at):
        return run(family, operation, settings, rank, at, least=1, ranks=2)

    with ThreadPoolExecutor(4) as pool:  # they mostly wait: for mpirun, and for the end of the job
        return list(pool.map(refused, range(SMALL)))


@pytest.mark.either_mpi
@pytest.mark.parametrize("operation", ["allreduce", "bcast"])
def test_small_ones_of_collectives(family, operation):
    assert any([check(outcome, 1) for outcome in sweep(family, operation, EXACT, 1)])


@pytest.mark.either_mpi
@pytest.mark.parametrize("operation", ["message", "request", "marked"])
def test_receiver(family, operation):
    """A message that is passed over for want of memory would let the next come in its place."""
    outcomes = sweep(family, operation, MESSAGES, 1)
    assert any([check(outcome, 1) for outcome in outcomes])
    # A wait may be for several messages, and so may MPI_Finalize, for what was freed before.
    words = r" of 1048576 bytes from (rank 0|any rank) on |MPI_Wait|MPI_Finalize"
    for outcome in outcomes:
        told = re.search(words, outcome.stderr)
        assert outcome.code == 0 or told, str(outcome)


@pytest.mark.parametrize("operation", ["message", "request"])
def test_sender_sends_as_it_came(family, operation):
    outcomes = sweep(family, operation, MESSAGES, 0)
    assert is_starved(outcomes[0]), str(outcomes[0])
    for outcome in outcomes:
        # MPI has a request before there is a place for it.
        assert not check(outcome, 0) or operation == "request", str(outcome)


def test_sender_of_what_cannot_go_as_it_came(family):
    """It would be taken for a frame: it goes in two parts or not at all."""
    ended = [check(outcome, 0) for outcome in sweep(family, "marked", MESSAGES, 0)]
    assert any(ended) and not all(ended)


@pytest.mark.either_mpi
@pytest.mark.parametrize(
    ("operation", "rank"),
    [("allreduce", 1), ("message", 0), ("message", 1), ("request", 1), ("marked", 0)],
)
def test_no_memory_any_more(family, operation, rank):
    outcome = run(family, operation, MESSAGES, rank, 0, least=1, ranks=2, on=True)
    assert is_starved(outcome), str(outcome)
    assert check(outcome, rank) or operation == "message", str(outcome)
