"""Memory of a GPU: a library that stands in for CUDA's driver says what is that, and copies it.
Nobody else can read or write it, so whatever touches it ends the program."""

import json

import pytest
from harness import Part

SETTINGS = {"same-host": "compress", "point-to-point": "on", "mode": "exact"}
OFF = SETTINGS | {"device": "off"}
# MPI, and whoever else, can reach the memory.
REACHABLE = {"FAKE_CUDA": "readable"}


def job(family, what, environment, ranks=2, program="calls_on_device", driver=None):
    driver = driver or str(family.program("libcuda.so.1"))
    command = [str(family.program(program)), driver, what]
    return family.run(Part(ranks, command, environment), limit=60)


def everything(family, environment, what, ranks=2, driver=None):
    outcome = job(family, what, environment, ranks, driver=driver)
    return outcome.must_succeed().stdout.splitlines()


# Of MPI 3, and of MPI 4.
LINES = {
    "collectives": (206, 309),
    "special-collectives": (156, 234),
    "sends": (13, 14),
    "receives": (8, 10),
    "special-messages": (20, 20),
}


@pytest.mark.parametrize("ranks", [2, 4])
@pytest.mark.parametrize("what", LINES)
def test_every_call_gives_what_it_gives_on_the_host(family, tmp_path, what, ranks):
    """All that arrives, and all that must stay as it is, under an MPI that cannot reach there; and
    it travels compressed."""
    report = tmp_path / "report.json"
    plain = everything(family, family.plain(), what, ranks, driver="-")
    staged = family.preload(SETTINGS | {"report": str(report)})
    assert len(plain) in LINES[what]
    assert everything(family, staged, what, ranks) == plain
    told = json.loads(report.read_text())
    assert "exact" in {row["tier"] for row in told["collectives"]}, told
    assert all(told["device"][name] > 0 for name in ("calls", "bytes_to_host")), told
    assert (told["device"]["bytes_to_device"] > 0) == (what != "sends"), told


@pytest.mark.parametrize("what", LINES)
def test_staging_goes_with_whatever_becomes_of_the_messages(family, what):
    """With messages that MPI gets as they are, and without pinned memory, too."""
    plain = everything(family, family.plain(), what, driver="-")
    left = family.preload({"mode": "raw"})
    assert everything(family, left | {"FAKE_CUDA": "unpinned"}, what) == plain


@pytest.mark.parametrize("what", ["collectives", "sends", "receives"])
@pytest.mark.parametrize("device", ["auto", "stage"])
def test_an_mpi_that_reaches_devices_gets_messages_as_they_are(family, tmp_path, what, device):
    """Unless they are to be staged; collectives are."""
    report = tmp_path / "report.json"
    settings = SETTINGS | {"device": device, "report": str(report)}
    plain = everything(family, family.plain(), what, driver="-")
    assert everything(family, family.preload(settings) | REACHABLE, what) == plain
    staged = "device" in json.loads(report.read_text())
    assert staged == (what == "collectives" or device == "stage")


def test_less_pinned_memory_is_told_once(family):
    outcome = job(family, "collectives", family.preload(SETTINGS) | {"FAKE_CUDA": "unpinned"})
    lines = [line for line in outcome.must_succeed().stderr.splitlines() if "pinned" in line]
    assert len(lines) == 2, str(outcome)  # of each rank


def test_the_table_tells_of_what_was_staged(family):
    outcome = job(family, "receives", family.preload(SETTINGS | {"verbose": "on"})).must_succeed()
    assert "memory of GPUs: " in outcome.stderr, str(outcome)


def test_the_default_stream_is_waited_for(family):
    assert everything(family, family.preload(SETTINGS), "late") == ["after the kernel"]


@pytest.mark.parametrize(
    ("what", "environment", "says"),
    [
        ("bad", {"FAKE_CUDA": "fails"}, "error 719 of CUDA's driver (CUDA_ERROR_LAUNCH_FAILED)"),
        ("freed", {}, "it has been freed"),
    ],
)
def test_what_the_driver_complains_of_is_an_error_of_mpi(family, what, environment, says):
    outcome = job(family, what, family.preload(SETTINGS) | environment)
    assert outcome.must_succeed().stdout.splitlines() == ["MPI_ERR_BUFFER"], str(outcome)
    line = next(line for line in outcome.stderr.splitlines() if says in line)
    for part in ("rank ", "MPI_Allreduce", "recvbuf"):
        assert part in line


def test_partitions_of_a_device_are_refused(family):
    if everything(family, family.plain(), "partitions") == ["no partitions"]:
        pytest.skip("this MPI has no partitioned communication")
    for settings in (SETTINGS, OFF):
        outcome = job(family, "partitions", family.preload(settings) | REACHABLE)
        assert outcome.must_succeed().stdout.splitlines() == ["refused"]
        assert "MPI_Psend_init" in outcome.stderr and "MPI_Precv_init" in outcome.stderr
        assert "in the memory of a GPU" in outcome.stderr, str(outcome)


def perform_off(family, what, settings, ranks=2):
    environment = family.preload(settings) | REACHABLE
    return job(family, what, environment, ranks, program="uses_device").must_succeed()


@pytest.mark.parametrize("what", ["collectives", "sends"])
def test_off_leaves_memory_of_a_device_to_mpi(family, tmp_path, what):
    """All collectives, as a rank knows of its own buffers only."""
    report = tmp_path / "report.json"
    outcome = perform_off(family, what, OFF | {"report": str(report)})
    assert "right" in outcome.stdout.splitlines(), str(outcome)
    rows = json.loads(report.read_text())["collectives"]
    assert rows
    assert {row["tier"] for row in rows if row["collective"] != "Reduce"} <= {"raw"}, str(outcome)


def test_off_on_communicators_of_half_of_the_ranks(family):
    outcome = perform_off(family, "halves", OFF, ranks=4)
    assert "right" in outcome.stdout.splitlines(), str(outcome)


def test_off_frames_come_to_memory_of_a_device(family):
    """By a receive, a request, after a probe; and what a device sends, which is none. The driver
    copies both ends to look at them, then the frame and the values."""
    outcome = perform_off(family, "receives", OFF)
    assert "right" in outcome.stdout.splitlines(), str(outcome)
    assert "copies 11" in outcome.stdout.splitlines(), str(outcome)


def test_off_strided_receives_that_could_meet_a_frame_are_refused(family):
    outcome = perform_off(family, "strided", OFF)
    assert "refused" in outcome.stdout.splitlines(), str(outcome)
    assert "lies in the memory of a GPU" in outcome.stderr, str(outcome)
    assert "TIGHTWIRE_POINT_TO_POINT=off" in outcome.stderr, str(outcome)


@pytest.mark.parametrize("what", ["collectives", "sends", "receives"])
def test_off_every_call(family, what):
    plain = everything(family, family.plain(), what, driver="-")
    assert everything(family, family.preload(OFF) | REACHABLE, what) == plain
