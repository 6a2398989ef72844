"""Fortran programs, one for each binding, that check all that they get: fortran/."""

import json
import re
import sys
from pathlib import Path

import pytest
from harness import Part

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "src" / "interpose"))
from calls_table import read_calls

CALLS = read_calls(str(Path(__file__).resolve().parents[2] / "src" / "interpose" / "calls.def"))
BINDINGS = ("mpif_h", "mpi", "mpi_f08")
# Every message is compressed, or what pays, cut small.
EVERYWHERE = {"same-host": "compress", "point-to-point": "on"}
THRESHOLDS = ("threshold-exact", "threshold-bounded", "threshold-pipelined")
MODES = {
    "exact": {"mode": "exact"},
    "pipelined": {"mode": "adaptive+pipelined", "link": "1M", **dict.fromkeys(THRESHOLDS, "1")},
}
MOVED = {"Gather", "Scatter", "Allgather", "Alltoall", "Bcast", "Send"}
NEIGHBOURS = {"Neighbor_allgather", "Neighbor_alltoall"}
REDUCED = {"Allreduce", "Reduce", "Reduce_scatter", "Scan"}
PARTITIONED = {"Psend_init", "Precv_init", "Pready", "Pready_range", "Pready_list", "Parrived"}
SESSIONS = {"Session_init", "Session_finalize"}
PERSISTENT = {call.name for call in CALLS if call.form == "persistent"}
CRASH_IN_OPENMPI_4 = {"Ialltoallw", "Ineighbor_alltoallw"}
# Fortran has no tools interface, and nobody returns from MPI_Abort (test_early_ends.py calls it).
NOT_TO_CALL = {"Abort", *(call.name for call in CALLS if call.name.startswith("T_"))}
NOT_IN_OPENMPI_4 = {"Isendrecv", "Isendrecv_replace", *PARTITIONED, *PERSISTENT}


@pytest.fixture
def perform(family):
    def run(binding, ranks, environment, *arguments):
        program = family.program(f"fortran_{binding}")
        if not program.exists():
            pytest.skip(f"not built: no Fortran compiler wrapper of {family.name}")
        return family.run(Part(ranks, [str(program), *arguments], environment))

    return run


def must_be_right(outcome, ranks):
    outcome.must_succeed()
    ends = re.findall(r"^rank \d+: checks (\d+), failures 0$", outcome.stdout, re.MULTILINE)
    assert len(ends) == ranks, str(outcome)
    assert all(int(checks) > 500 for checks in ends), str(outcome)


@pytest.mark.parametrize("binding", BINDINGS)
def test_plain_mpi_passes(perform, binding):
    must_be_right(perform(binding, 2, {}), 2)


@pytest.mark.parametrize("binding", BINDINGS)
@pytest.mark.parametrize(("ranks", "mode"), [(2, "exact"), (3, "exact"), (3, "pipelined")])
def test_values_statuses_and_errors(family, perform, tmp_path, binding, ranks, mode):
    report = tmp_path / "report.json"
    settings = {**EVERYWHERE, **MODES[mode], "report": str(report)}
    outcome = perform(binding, ranks, family.preload(settings, "witness"))
    must_be_right(outcome, ranks)

    called = set(re.findall(r"^called (\w+)$", outcome.stdout, re.MULTILINE))
    # A program starts one way or the other.
    wanted = {call.name for call in CALLS if call.handler != "counted"}
    wanted -= {"Init_thread", *SESSIONS, *NOT_TO_CALL}
    if family.name == "openmpi":
        wanted -= NOT_IN_OPENMPI_4 | CRASH_IN_OPENMPI_4
    elif binding == "mpi_f08":
        wanted |= {"Bcast_c", "Allreduce_c", "Send_c", "Irecv_c"}
    assert wanted <= called, f"not called: {wanted - called}"

    rows = json.loads(report.read_text())["collectives"]
    compressed = {row["collective"] for row in rows if row["tier"] == "exact"}
    assert compressed >= (MOVED | NEIGHBOURS | REDUCED if mode == "exact" else {"Bcast", "Send"})


@pytest.mark.parametrize("binding", BINDINGS)
def test_start_with_threads(family, perform, binding):
    settings = {**EVERYWHERE, **MODES["exact"]}
    outcome = perform(binding, 2, family.preload(settings, "witness"), "threads")
    must_be_right(outcome, 2)
    assert "called Init_thread\n" in outcome.stdout
    assert "called Init\n" not in outcome.stdout


@pytest.mark.parametrize(
    ("spoilt", "said"),
    [
        ("Bcast", "movement: Bcast INTEGER at byte"),
        ("Alltoallv", "movement: Alltoallv at byte"),
        ("Alltoallw", "movement: Alltoallw at byte"),
        ("Neighbor_alltoallw", "movement: Neighbor_alltoallw at byte"),
        ("Allreduce", "reductions: Allreduce LAND at byte 1"),
        ("Recv", "messages: Recv at byte 1"),
        ("Issend", "messages: immediate modes at byte 1"),
        ("Mrecv", "probes: Mrecv at byte 1"),
    ],
)
def test_one_wrong_bit_is_found(family, perform, spoilt, said):
    environment = family.preload({**EVERYWHERE, **MODES["exact"]}, "witness")
    outcome = perform("mpi", 2, {**environment, "SPOIL": spoilt})
    assert outcome.code != 0 and f"wrong: {said}" in outcome.stdout, str(outcome)
