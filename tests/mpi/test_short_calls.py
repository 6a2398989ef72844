"""Collectives from 8 KiB on, below the usual thresholds: compressed where such calls take long."""

import json
from collections import Counter

import pytest
from harness import Part

RANKS = 3
SETTINGS = {"host-ranks": "1", "same-host": "raw"}
MOVED = {"Allgather", "Alltoall", "Scatter", "Gather", "Bcast"}
# Of a communicator, which are not looked at.
LEFT_ALONE = 100
ROUNDS = 200


@pytest.fixture
def calls(family, tmp_path):
    """How many calls of each operation went in which tier, and why they were raw: of one rank."""

    def run(rounds, *words, **changed):
        report = tmp_path / "report.json"
        settings = {key.replace("_", "-"): value for key, value in changed.items()}
        environment = family.preload(SETTINGS | {"report": str(report)} | settings)
        part = Part(RANKS, [str(family.program("short_calls")), str(rounds), *words], environment)
        outcome = family.run(part, limit=120).must_succeed()
        assert outcome.stdout.splitlines() == ["failures 0"], str(outcome)
        counted = Counter()
        for row in json.loads(report.read_text())["collectives"]:
            why = row["why_raw"] if row["tier"] == "raw" else ""
            counted[row["collective"], row["tier"], why] += row["calls"] / RANKS
        return counted

    return run


def compressed(calls):
    return {operation for operation, tier, _ in calls if tier != "raw"}


def test_a_slow_link(calls):
    counted = calls(ROUNDS, link="1M")
    assert compressed(counted) >= MOVED, counted
    left = sum(number for (_, _, why), number in counted.items() if why == "below-threshold")
    assert left >= LEFT_ALONE, counted


def test_a_fast_link(calls):
    assert compressed(calls(ROUNDS, link="400G")) == set()


def test_few_calls(calls):
    """The first ones of a communicator are not even timed."""
    assert compressed(calls(LEFT_ALONE // (len(MOVED) + 1), link="1M")) == set()


def test_a_link_that_is_not_known(calls):
    """All ranks must come to the same, whatever it is."""
    assert sum(calls(ROUNDS).values()) >= ROUNDS * (len(MOVED) + 1)


def test_hints_of_other_communicators_change_nothing(calls):
    """Some ranks only know of them."""
    assert compressed(calls(ROUNDS, "hint", link="1M")) >= MOVED
    assert sum(calls(ROUNDS, "hint").values()) >= ROUNDS * (len(MOVED) + 1)


def test_no_time_counts_where_all_is_deterministic(calls):
    assert compressed(calls(ROUNDS, link="1M", deterministic="on")) == set()


def test_no_time_counts_where_ranks_of_one_host_are_to_compress(calls):
    settings = {"host_ranks": "8", "same_host": "compress"}
    assert compressed(calls(ROUNDS, **settings)) == set()


def test_the_users_threshold_counts(calls):
    counted = calls(20, link="1M", threshold_exact="16K")
    assert compressed(counted) >= MOVED, counted
    assert compressed(calls(ROUNDS, link="1M", threshold_exact="16385")) == set()
