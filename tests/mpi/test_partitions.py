"""Partitioned communication: what is made ready arrives, however the two sides cut it."""

import json
import re

import pytest
from harness import Part

SETTINGS = {"same-host": "compress", "point-to-point": "on"}
NONE = "this MPI has no partitioned communication"
EARLY = {"mode": "exact", "early": "on"}
CASES = {
    "every": ({"mode": "exact"}, ""),
    "threads": ({"mode": "exact"}, "threads"),
    "large": ({"threshold-exact": "100K"}, "threads"),
    "zstd": ({"mode": "exact", "exact-codec": "zstd"}, ""),
    "no-memory": ({"mode": "exact", "memory-limit": "0"}, ""),
    "wp-async": ({**EARLY, "early-mechanism": "wp-async"}, "again"),
    "wp-sync": ({**EARLY, "early-mechanism": "wp-sync"}, "again"),
    "hash": ({**EARLY, "early-mechanism": "hash"}, "again"),
}


def run(family, argument, preload):
    command = [str(family.program("sends_partitions")), *([argument] if argument else [])]
    outcome = family.run(Part(2, command, preload)).must_succeed()
    if "no partitioned communication" in outcome.stdout:
        pytest.skip(NONE)
    assert re.search(r"^checks [1-9]\d*, failures 0$", outcome.stdout, re.MULTILINE), str(outcome)


@pytest.mark.parametrize("case", CASES)
def test_partitions_arrive(family, tmp_path, case):
    settings, argument = CASES[case]
    report = tmp_path / "report.json"
    run(family, argument, family.preload({**SETTINGS, **settings, "report": str(report)}))
    told = json.loads(report.read_text())
    sent = [row for row in told["collectives"] if row["collective"] == "Send"]
    coded = [row for row in sent if row["tier"] != "raw"]
    assert sum(row["calls"] for row in coded) > 500
    assert sum(row["bytes_after"] for row in coded) < sum(row["bytes_before"] for row in coded)
    # Chunks of fewer than 100 KiB are not.
    assert (case == "large") == any(row["tier"] == "raw" and row["calls"] > 400 for row in sent)
    if argument == "again":
        assert told["early"]["ready"] > 200


def test_plain_mpi_passes_the_check(family):
    run(family, "threads", family.plain())


OURS = r"tightwire: rank \d: MPI_Precv_init of \d+ bytes .*"


MPICH_TRUNCATE = 14


def ended_by_mpich(family, words, outcome):
    """Whether MPICH found the message too long: its line may be lost when it ends the job."""
    return words == "trunc" and family.name == "mpich" and outcome.code == MPICH_TRUNCATE


@pytest.mark.parametrize(
    ("damage", "words"),
    # Of a chunk that is too long MPICH 4.0 itself ends the job.
    [
        ("chunk-bit", OURS + "checksum"),
        ("chunk-empty", OURS + "truncated"),
        ("chunk-long", "trunc"),
    ],
)
def test_a_damaged_partition_is_an_error(family, damage, words):
    command = [str(family.program("sends_partitions"))]
    preload = family.preload({**SETTINGS, "mode": "exact"}, behind=("damage_message",))
    outcome = family.run(Part(2, command, preload | {"DAMAGE": damage}), limit=60)
    if "no partitioned communication" in outcome.stdout:
        pytest.skip(NONE)
    assert outcome.code != 0 and not outcome.timed_out, str(outcome)
    assert re.search(words, outcome.stderr) or ended_by_mpich(family, words, outcome), str(outcome)
    assert "round" not in outcome.stderr, str(outcome)  # no wrong value was looked at
