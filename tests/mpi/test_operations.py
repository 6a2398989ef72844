"""The compressed collectives beside Allreduce, Reduce and Bcast against plain MPI: operations/."""

import json
import re

import pytest
from harness import Part

SETTINGS = {
    "same-host": "compress",
    "threshold-exact": "1K",
    "threshold-bounded": "1K",
    "threshold-pipelined": "32K",
}
OPERATIONS = {"Reduce_scatter", "Scan", "Gather", "Scatter", "Allgather", "Alltoall"}


@pytest.mark.parametrize(
    ("ranks", "mode", "bound"),
    [
        (2, "exact", None),
        (3, "adaptive+pipelined", None),
        (4, "adaptive", "1e-3"),
        (5, "adaptive+pipelined", "1e-3"),
    ],
)
def test_operations_give_what_mpi_gives(family, tmp_path, ranks, mode, bound):
    report = tmp_path / "report.json"
    settings = {**SETTINGS, "report": str(report)}
    if bound:
        settings["error-bound"] = bound
    command = [str(family.program("check_operations")), mode, *([bound] if bound else [])]
    outcome = family.run(Part(ranks, command, family.preload(settings)), limit=300)
    outcome.must_succeed()
    assert re.search(r"^cases [1-9]\d*, failures 0$", outcome.stdout, re.MULTILINE), str(outcome)

    # Plain MPI agrees with itself: see that the tier under test was at work in every operation.
    tier = "bounded" if bound else "exact"
    rows = json.loads(report.read_text())["collectives"]
    assert {row["collective"] for row in rows if row["tier"] == tier} >= OPERATIONS
