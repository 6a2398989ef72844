"""A short piece of ./run soak load: everything mixed, every value checked, memory watched."""

import json

from harness import Part

SETTINGS = {
    "same-host": "compress",
    "link": "1M",
    "point-to-point": "on",
    "threshold-exact": "256",
    "threshold-bounded": "256",
    "threshold-pipelined": "4K",
}


def test_mixed_load(family, tmp_path):
    report = tmp_path / "report.json"
    environment = family.preload({**SETTINGS, "report": str(report)})
    command = [str(family.program("soak_load")), "100", "1000"]
    outcome = family.run(Part(3, command, environment), limit=240).must_succeed()
    assert " 0 wrong values, memory flat" in outcome.stdout
    rows = json.loads(report.read_text())["collectives"]
    compressed = {row["collective"] for row in rows if row["tier"] != "raw" and row["calls"] > 0}
    assert {"Allreduce", "Bcast", "Alltoall"} <= compressed, rows
