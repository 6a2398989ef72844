"""MPI called where MPI has called the program, and what else is around it: callbacks/."""

import re
import sys
from pathlib import Path

import pytest
from harness import Part

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "src" / "interpose"))
from calls_table import read_calls  # noqa: E402  (found through the line above)

EVERYTHING = {"same-host": "compress", "point-to-point": "on", "mode": "exact"}
BOUNDED = {"same-host": "compress", "point-to-point": "on", "error-bound": "1e-1"}
# A hang is what several of these are about; they need a second.
LIMIT = 30


def perform(family, case, settings, *arguments, folder=None):
    command = [str(family.program("check_callbacks")), case, *arguments]
    environment = family.plain() if settings is None else family.preload(settings)
    outcome = family.run(Part(2, command, environment), limit=LIMIT, folder=folder)
    outcome.must_succeed()
    assert sorted(line for line in outcome.stdout.splitlines() if "right" in line) == [
        "right: rank 0",
        "right: rank 1",
    ], str(outcome)
    return outcome


@pytest.mark.parametrize("settings", [None, EVERYTHING], ids=["plain", "compressed"])
@pytest.mark.parametrize(
    "case",
    [
        "error-handlers",  # MPI 4.0, section 9.3
        "jumps",  # the same: a handler may leave by longjmp()
        "handlers-of-all-calls",
        "jumps-out-of-all-calls",
        "generalized-requests",  # section 13.2
        "attributes",  # section 7.7.2
        "datatype-attributes",  # section 7.7.4
        "finalize",  # section 11.2.4
    ],
)
def test_callbacks_may_call_mpi(family, case, settings):
    perform(family, case, settings)


def test_handlers_and_jumps_are_of_every_call():
    """But for those whose error can only be that of a message, which truncation.cpp has."""
    calls = read_calls(str(ROOT / "src" / "interpose" / "calls.def"))
    served = {call.name for call in calls if call.handler.startswith(("p2p::", "collective::"))}
    text = (ROOT / "tests" / "mpi" / "callbacks" / "refused_calls.cpp").read_text()
    refused = set(re.findall(r"REFUSED\((\w+),", text)) - {"name"}
    for name, started in re.findall(r"REFUSED_FORMS\((\w+), (\w+),", text):
        refused |= {name, f"I{started}", f"{name}_init"}
    of_messages = {"Wait", "Test", "Testsome", "Mrecv", "Imrecv"}
    never = {"Request_get_status", "Parrived"}
    assert served - refused == of_messages | never


@pytest.mark.parametrize("case", ["error-handlers", "jumps"])
def test_error_handlers_find_no_lock_taken(family, case):
    """MPI 4.0, section 11.6: with threads, a call in a handler waits for nothing of this one."""
    if family.name != "openmpi":
        pytest.skip("MPICH 4.0 calls handlers under its own lock, and ends where they call it")
    perform(family, case, EVERYTHING, "threads")


def is_told_twice(line, family):
    """Open MPI 4.1 itself also calls a handler where a failed persistent request is freed."""
    return family.name == "openmpi" and line.startswith("Recv_init")


@pytest.mark.parametrize("threads", [(), ("threads",)], ids=["", "threads"])
def test_messages_too_long_call_the_handlers_of_plain_mpi(family, threads):
    """MPI 4.0, sections 3.2.4 and 9.3."""
    outcomes = [perform(family, "truncation", each, *threads) for each in (None, EVERYTHING)]
    plain, ours = (sorted(outcome.stdout.splitlines()) for outcome in outcomes)
    assert len([line for line in plain if "handlers 1 of the communicator, 0" in line]) > 9
    assert [line for line in ours if not is_told_twice(line, family)] == [
        line for line in plain if not is_told_twice(line, family)
    ]


def test_errors_in_statuses_are_those_of_plain_mpi(family):
    """MPI 4.0, section 3.7.5."""
    plain = perform(family, "statuses", None).stdout
    assert "MPI_Waitall: MPI_SUCCESS" in plain
    assert sorted(perform(family, "statuses", EVERYTHING).stdout.split("\n")) == sorted(
        plain.split("\n")
    )


@pytest.mark.parametrize("settings", [None, EVERYTHING, BOUNDED], ids=["plain", "exact", "bounded"])
def test_files_hold_what_was_written(family, tmp_path, settings):
    """MPI 4.0, section 14.4."""
    perform(family, "files", settings, folder=tmp_path)
