"""A short piece of ./run soak load: everything mixed, every value checked, memory watched."""

import json

import pytest
from harness import Part

SETTINGS = {
    "same-host": "compress",
    "link": "1M",
    "point-to-point": "on",
    "threshold-exact": "256",
    "threshold-bounded": "256",
    "threshold-pipelined": "4K",
}


# Sums that round are left to MPI, but in mode exact.
@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("adaptive+pipelined", {"Bcast", "Alltoall"}),
        ("exact", {"Allreduce", "Bcast", "Alltoall"}),
    ],
)
def test_mixed_load(family, tmp_path, mode, expected):
    report = tmp_path / "report.json"
    environment = family.preload({**SETTINGS, "mode": mode, "report": str(report)})
    command = [str(family.program("soak_load")), "100", "1000"]
    outcome = family.run(Part(3, command, environment), limit=240).must_succeed()
    assert " 0 wrong values, memory flat" in outcome.stdout
    rows = json.loads(report.read_text())["collectives"]
    compressed = {row["collective"] for row in rows if row["tier"] != "raw" and row["calls"] > 0}
    assert expected <= compressed, rows
