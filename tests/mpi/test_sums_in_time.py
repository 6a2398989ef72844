"""Sums on a ring that are predicted from those of earlier calls: the same bits as without, in fewer
bytes."""

import json
import re

import pytest
from harness import Part

SETTINGS = {
    "same-host": "compress",
    "mode": "bounded",
    "threshold-bounded": "4K",
    "algorithm": "ring",
}
# Each with the least number of frames to be predicted, of each rank and call.
WAYS = {
    "allreduce": 2,
    "in-place": 2,
    "floats": 2,
    "minimum": 2,
    "turns": 2,
    "sizes": 1,
    "specials": 2,
    "reduce-scatter": 1,
    "reduce-scatter-block": 1,
    "reduce": 0.5,
}
COUNTED = re.compile(r"^messages (\d+), wrong (\d+)$", re.MULTILINE)
DIGEST = re.compile(r"^digest (\w+)$", re.MULTILINE)


def run(family, tmp_path, way, settings=None, steps=60, ranks=3):
    # The grid of floats does not hold the values within less.
    bound = "1e-4" if way == "floats" else "1e-6"
    report = tmp_path / "report.json"
    every = {**SETTINGS, "error-bound": bound, "report": str(report), **(settings or {})}
    command = [str(family.program("sums_in_time")), way, str(steps), bound]
    outcome = family.run(Part(ranks, command, family.preload(every)), limit=60)
    printed = outcome.must_succeed().stdout
    counted = COUNTED.search(printed)
    assert counted and int(counted[1]) > 0 and int(counted[2]) == 0, str(outcome)
    return DIGEST.search(printed)[1], json.loads(report.read_text())


def sent(report):
    return sum(row["bytes_after"] for row in report["collectives"] if row["tier"] == "bounded")


@pytest.mark.parametrize("way", WAYS)
def test_have_the_same_bits_as_without(family, tmp_path, way):
    digest, report = run(family, tmp_path, way)
    history = report["history"]
    assert history["messages"] >= 0.6 * WAYS[way] * 3 * 60, history
    assert history["bytes_after"] < 0.35 * history["bytes_before"], history
    without, _ = run(family, tmp_path, way, {"history": "off"})
    assert digest == without


@pytest.mark.either_mpi
@pytest.mark.parametrize("way", ["allreduce", "reduce-scatter"])
def test_relative_to_a_range_that_changes(family, tmp_path, way):
    """The grid changes with it; what was kept is still of use."""
    settings = {"error-bound": "rel:1e-7"}
    digest, report = run(family, tmp_path, way, settings)
    assert report["history"]["messages"] >= 60, report["history"]
    without, _ = run(family, tmp_path, way, settings | {"history": "off"})
    assert digest == without


@pytest.mark.either_mpi
def test_in_chunks(family, tmp_path):
    settings = {"chunks": "4"}
    digest, report = run(family, tmp_path, "allreduce", settings)
    assert report["history"]["messages"] >= 4 * 60, report["history"]
    assert digest == run(family, tmp_path, "allreduce", settings | {"history": "off"})[0]


@pytest.mark.either_mpi
def test_save_bytes(family, tmp_path):
    _, report = run(family, tmp_path, "allreduce")
    _, without = run(family, tmp_path, "allreduce", {"history": "off"})
    assert sent(report) < 0.7 * sent(without)


@pytest.fixture(scope="module")
def turns_without():
    """The digest of turns among four ranks without history, by MPI."""
    return {}


# A rank sends 128 KiB at each of the hops.
MEMORY = {"0": 0, "200K": 200 * 2**10, "600K": 600 * 2**10, "2M": 2 * 2**20}


@pytest.mark.either_mpi
@pytest.mark.parametrize("memory", MEMORY)
def test_with_little_memory(family, tmp_path, memory, turns_without):
    digest, report = run(family, tmp_path, "turns", {"history-memory": memory}, ranks=4)
    kept = report["history"]["most_kept_bytes"] if "history" in report else 0
    assert kept <= MEMORY[memory]
    if family.name not in turns_without:
        without, _ = run(family, tmp_path, "turns", {"history": "off"}, ranks=4)
        turns_without[family.name] = without
    assert digest == turns_without[family.name]


@pytest.mark.either_mpi
@pytest.mark.parametrize("settings", [{"history": "off"}, {"deterministic": "on"}])
def test_not_where_that_is_not_wanted(family, tmp_path, settings):
    _, report = run(family, tmp_path, "allreduce", settings)
    assert report.get("history", {}).get("messages", 0) == 0


@pytest.mark.either_mpi
def test_noise_is_left_alone(family, tmp_path):
    _, report = run(family, tmp_path, "noise", steps=200)
    assert report["history"]["messages"] <= 10, report["history"]


def run_damaged(family, damage, way):
    environment = family.preload(SETTINGS | {"error-bound": "1e-6"}, behind=("damage",)) | {
        "DAMAGE": damage,
        "DAMAGE_OF": "predicted",
        "DAMAGE_RANK": "1",
        "DAMAGE_FRAME": "3",
    }
    command = [str(family.program("sums_in_time")), way, "60", "1e-6"]
    outcome = family.run(Part(3, command, environment), limit=60)
    assert f"damage: {damage}, " in outcome.stderr, f"nothing was damaged: {outcome}"
    return outcome


@pytest.mark.either_mpi
@pytest.mark.parametrize("way", ["allreduce", "reduce-scatter"])
@pytest.mark.parametrize(
    ("damage", "words"), [("block-bit", "checksum"), ("reference", "not here")]
)
def test_a_wrong_reference_is_an_error(family, way, damage, words):
    outcome = run_damaged(family, damage, way)
    assert outcome.code != 0 and not outcome.timed_out, str(outcome)
    assert re.search(rf"tightwire: rank \d: MPI_\w+ of \d+ bytes.*{words}", outcome.stderr), str(
        outcome
    )


@pytest.mark.either_mpi
@pytest.mark.parametrize("damage", ["block-bit", "reference", "payload-bit"])
def test_a_program_that_goes_on_loses_one_call(family, damage):
    outcome = run_damaged(family, damage, "recovers").must_succeed()
    counted = COUNTED.search(outcome.stdout)
    assert counted and int(counted[1]) > 0 and int(counted[2]) == 0, str(outcome)
    failed = re.search(r"^failed calls (\d+)$", outcome.stdout, re.MULTILINE)
    assert failed and 1 <= int(failed[1]) <= 3, str(outcome)
