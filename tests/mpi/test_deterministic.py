"""With `deterministic = on` a program gets the same bits at every run, whenever its ranks come."""

import json
from collections import Counter

import pytest
from harness import Part

RUNS = 10
# Of each rank. Iallreduce, persistent sends, Alltoallv and Allgather come in every second step.
CALLS = {"Allreduce": 45, "Bcast": 30, "Alltoall": 45, "Send": 45, "Allgather": 15}
SETTINGS = {"host-ranks": "1", "error-bound": "rel:1e-4", "deterministic": "on"}


@pytest.mark.parametrize("ranks", [2, 3])
def test_the_same_bits_ten_times(family, tmp_path, ranks):
    report = tmp_path / "report.json"
    environment = family.preload(SETTINGS | {"report": str(report)})
    seen = set()
    for seed in range(RUNS):
        command = [str(family.program("bits_of_a_run")), str(seed)]
        outcome = family.run(Part(ranks, command, environment), limit=60).must_succeed()
        hashes = tuple(sorted(line for line in outcome.stdout.splitlines() if "rank" in line))
        assert len(hashes) == ranks, str(outcome)
        seen.add(hashes)
    assert len(seen) == 1, seen
    rows = json.loads(report.read_text())["collectives"]
    lossy: Counter = Counter()
    for row in rows:
        if row["tier"] == "bounded":
            lossy[row["collective"]] += row["calls"]
    assert lossy == {name: ranks * calls for name, calls in CALLS.items()}, rows
