"""With `sum-terms` the same contributions give the same bits on any number of ranks."""

import re

import pytest
from harness import Part

BOUND = 1e-3
SETTINGS = {"mode": "bounded", "same-host": "compress", "error-bound": str(BOUND)}
RANKS = [2, 3, 4, 7]


def sums(family, ranks, settings):
    """A hash of all results, and their largest error."""
    part = Part(ranks, [str(family.program("same_terms"))], family.preload(SETTINGS | settings))
    outcome = family.run(part, limit=120).must_succeed()
    found = re.search(r"^(\w{16}) error (\S+) wrong 0$", outcome.stdout, re.MULTILINE)
    assert found, str(outcome)
    return found[1], float(found[2])


@pytest.mark.parametrize("algorithm", ["auto", "ring", "recursive-doubling", "rabenseifner"])
def test_the_same_bits_on_any_number_of_ranks(family, algorithm):
    settings = {"sum-terms": "16", "algorithm": algorithm}
    found = [sums(family, ranks, settings) for ranks in RANKS]
    assert len({bits for bits, _ in found}) == 1, found
    # Two of sixteen shares of the bound.
    assert all(0 < error <= BOUND / 8 for _, error in found), found


@pytest.mark.either_mpi
def test_over_hosts_with_several_ranks(family):
    one_ring = sums(family, 3, {"sum-terms": "16"})
    lanes = {"sum-terms": "16", "host-ranks": "2", "same-host": "raw", "algorithm": "ring"}
    assert sums(family, 4, lanes)[0] == one_ring[0]


@pytest.mark.either_mpi
def test_without_it_they_are_others(family):
    found = [sums(family, ranks, {}) for ranks in RANKS]
    assert len({bits for bits, _ in found}) == len(RANKS), found
    assert all(error <= BOUND for _, error in found), found


@pytest.mark.either_mpi
def test_fewer_terms_than_ranks_are_refused(family):
    settings = SETTINGS | {"sum-terms": "2"}
    outcome = family.run(Part(3, [str(family.program("same_terms"))], family.preload(settings)))
    said = [line for line in outcome.stderr.splitlines() if line.startswith("tightwire: ")]
    assert outcome.code != 0 and outcome.stdout == "" and len(said) == 1, str(outcome)
    assert "sum-terms" in said[0] and "less than the job's 3 ranks" in said[0]
    assert "give 3 or more" in said[0]
