"""A rank without tightwire beside ranks with it: the job ends and says which, it does not hang."""

import pytest
from harness import Part

LIMIT = {"start-limit": "1"}


def complaints(outcome) -> list[str]:
    return [line for line in outcome.stderr.splitlines() if line.startswith("tightwire: ")]


@pytest.fixture
def program(family):
    return [str(family.program("in_c"))]


# Whether each rank has tightwire, and who must be named.
@pytest.mark.parametrize(
    ("with_it", "named"),
    [
        ("yn", "rank 1"),
        ("ny", "rank 0"),
        ("yyn", "rank 2"),
        ("yny", "rank 1"),
        ("nny", "ranks 0, 1"),
        ("ynynn", "ranks 1, 3, 4"),
    ],
)
def test_the_missing_are_named(family, program, with_it, named):
    environment = {"y": family.preload(LIMIT), "n": {}}
    outcome = family.run(*(Part(1, program, environment[one]) for one in with_it), limit=60)
    assert not outcome.timed_out and outcome.code != 0, str(outcome)
    said = complaints(outcome)
    assert len(said) == 1, str(outcome)
    assert f"there is no tightwire in {named} of this job" in said[0]
    assert "in front of every program of the job, or of none" in said[0]


def test_none_of_those_who_would_speak_has_it(family, program):
    parts = [Part(8, program), Part(1, program, family.preload(LIMIT))]
    outcome = family.run(*parts, limit=60)
    assert not outcome.timed_out and outcome.code != 0, str(outcome)
    assert "there is no tightwire in the first 8 ranks of this job" in complaints(outcome)[0]


def test_who_comes_late_is_waited_for(family, program):
    """MPI_Init itself waits for all; the limit is for those who have left it."""
    late = ["sh", "-c", 'sleep 3 && exec "$0"', *program]
    quiet = family.preload({**LIMIT, "quiet": "on"})
    outcome = family.run(Part(2, program, quiet), Part(1, late, quiet), limit=60).must_succeed()
    assert complaints(outcome) == []
