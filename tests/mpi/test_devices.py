"""Memory of a GPU is MPI's to read and write: a library that stands in for CUDA's driver says what
is that."""

import json

import pytest
from harness import Part

SETTINGS = {"same-host": "compress", "point-to-point": "on", "mode": "exact"}


def perform(family, what, settings, ranks=2):
    command = [str(family.program("uses_device")), str(family.program("libcuda.so.1")), what]
    outcome = family.run(Part(ranks, command, family.preload(settings)), limit=60)
    return outcome.must_succeed()


@pytest.mark.parametrize("what", ["collectives", "sends"])
def test_memory_of_a_device_is_left_to_mpi(family, tmp_path, what):
    """In a collective by all ranks, though only one of them knows."""
    report = tmp_path / "report.json"
    outcome = perform(family, what, SETTINGS | {"report": str(report)})
    assert "right" in outcome.stdout.splitlines(), str(outcome)
    rows = json.loads(report.read_text())["collectives"]
    assert rows
    assert {row["tier"] for row in rows if row["collective"] != "Reduce"} <= {"raw"}, str(outcome)


def test_ranks_ask_those_of_their_communicator(family):
    """Half of the ranks make more collective calls than the others."""
    outcome = perform(family, "halves", SETTINGS, ranks=4)
    assert "right" in outcome.stdout.splitlines(), str(outcome)


def test_frames_come_to_memory_of_a_device(family):
    """By a receive, a request, after a probe; and what a device sends, which is none. The driver
    copies both ends to look at them, then the frame and the values."""
    outcome = perform(family, "receives", SETTINGS)
    assert "right" in outcome.stdout.splitlines(), str(outcome)
    assert "copies 11" in outcome.stdout.splitlines(), str(outcome)


def test_strided_receives_that_could_meet_a_frame_are_refused(family):
    outcome = perform(family, "strided", SETTINGS)
    assert "refused" in outcome.stdout.splitlines(), str(outcome)
    assert "lies in the memory of a GPU" in outcome.stderr, str(outcome)
    assert "TIGHTWIRE_POINT_TO_POINT=off" in outcome.stderr, str(outcome)


def everything(family, environment, what):
    command = [str(family.program("calls_on_device")), str(family.program("libcuda.so.1")), what]
    return family.run(Part(2, command, environment), limit=60).must_succeed().stdout.splitlines()


# Of MPI 3, and of MPI 4; a broadcast has one buffer, so two lines, others four.
LINES = {"collectives": (164, 246), "sends": (13, 14), "receives": (8, 10)}


@pytest.mark.parametrize("what", LINES)
def test_every_call_with_memory_of_a_device(family, tmp_path, what):
    """Collectives in all their forms, and all ways to send from it, go to MPI as they are; frames
    that all ways to receive put there are decoded there."""
    report = tmp_path / "report.json"
    plain = everything(family, family.plain(), what)
    ours = everything(family, family.preload(SETTINGS | {"report": str(report)}), what)
    assert len(plain) in LINES[what]
    assert ours == plain
    rows = json.loads(report.read_text())["collectives"]
    assert {row["tier"] for row in rows if row["why_raw"] != "below-threshold"} == (
        {"exact"} if what == "receives" else {"raw"}
    ), rows


def test_partitions_of_a_device_are_refused(family):
    if everything(family, family.plain(), "partitions") == ["no partitions"]:
        pytest.skip("this MPI has no partitioned communication")
    command = [str(family.program("calls_on_device")), str(family.program("libcuda.so.1"))]
    part = Part(2, [*command, "partitions"], family.preload(SETTINGS))
    outcome = family.run(part, limit=60).must_succeed()
    assert outcome.stdout.splitlines() == ["refused"]
    assert "MPI_Psend_init" in outcome.stderr and "MPI_Precv_init" in outcome.stderr
    assert "lies in the memory of a GPU" in outcome.stderr, str(outcome)
