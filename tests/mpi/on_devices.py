"""Runs of collective_on_device: collectives of what stand-ins for devices have."""

import json

import pytest
from harness import Part

SETTINGS = {
    "same-host": "compress",
    "mode": "bounded",
    "error-bound": "1e-3",
    "device": "compress",
}
RELATIVE = {"error-bound": "rel:5e-4"}  # of values from -1 to 1
BY_MODEL = {"mode": "adaptive", "same-host": "raw", "host-ranks": "1"}
MOVES = ["bcast", "scatter", "gather", "allgather", "alltoall"]
BYTES = {"float": 4 * (3 * 16384 + 77), "double": 8 * (3 * 16384 + 77)}

# By times as well, eight calls go by the way of the host first.
KNOWN_THERE = [
    pytest.param(RELATIVE, 0, id="relative"),
    pytest.param(BY_MODEL | {"link": "100M"}, 8, id="by model"),
]

# Where a sender's own values are, which field, and the settings: no GPU is to encode those.
NOT_ENCODED_THERE = [
    ("host", "smooth", {}),
    ("device", "smooth", {"mode": "exact"}),
    ("device", "filled", RELATIVE),
    ("device", "smooth", BY_MODEL | {"link": "1000G"}),
]


def run_collective(
    family, tmp_path, *words, settings=None, environment=None, ranks=4, plugin=True, first=None
):
    """What rank 0 says, all that was said, the codecs, and what the report says of devices."""
    report = tmp_path / "report.json"
    told = family.preload(SETTINGS | (settings or {}) | {"report": str(report)})
    folder = family.program("plugin" if plugin else "no-plugin")
    command = [str(family.program("collective_on_device")), str(family.program("libcuda.so.1"))]
    everything = told | {"LD_LIBRARY_PATH": str(folder)} | (environment or {})
    parts = [Part(ranks, [*command, *words], everything)]
    if first is not None:
        parts = [Part(1, [*command, *words], everything | first)]
        parts.append(Part(ranks - 1, [*command, *words], everything))
    outcome = family.run(*parts, limit=60).must_succeed()
    rows = json.loads(report.read_text())
    # The program's own exchanges of what it has found are of a few bytes.
    codecs = {
        row["codec"]
        for row in rows["collectives"]
        if row["collective"].lower() == words[0].replace("-", "_") and row["message_bytes"] > 4096
    } - {"-"}
    return outcome.stdout.splitlines(), outcome.stderr, codecs, rows.get("device", {})
