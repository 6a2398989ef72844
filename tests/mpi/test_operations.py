"""The compressed collectives beside Allreduce, Reduce and Bcast against plain MPI: operations/."""

import json
import re

import pytest
from harness import Part, either_mpi

SETTINGS = {
    "same-host": "compress",
    "threshold-exact": "1K",
    "threshold-bounded": "1K",
    "threshold-pipelined": "32K",
}
OPERATIONS = {"Reduce_scatter", "Scan", "Gather", "Scatter", "Allgather", "Alltoall"}
NEIGHBOURS = {"Neighbor_allgather", "Neighbor_alltoall"}
ALL_OPERATIONS = OPERATIONS | {"Allreduce", "Reduce", "Bcast"}


@pytest.fixture
def check(family, tmp_path):
    """Runs the checker; gives the collectives that were compressed in the tier under test."""

    def run(ranks, mode, bound=None, section=None, more=None, limit=300):
        report = tmp_path / "report.json"
        settings = {**SETTINGS, "report": str(report), **(more or {})}
        if bound:
            settings["error-bound"] = bound
        program = str(family.program("check_operations"))
        command = [program, mode, bound or "0", *([section] if section else [])]
        part = Part(ranks, command, family.preload(settings))
        outcome = family.run(part, limit=limit).must_succeed()
        cases = re.search(r"^cases (\d+), failures 0$", outcome.stdout, re.MULTILINE)
        assert cases, str(outcome)
        tier = "bounded" if bound else "exact"
        rows = json.loads(report.read_text())["collectives"]
        return int(cases[1]), {row["collective"] for row in rows if row["tier"] == tier}

    return run


@pytest.mark.parametrize(
    ("ranks", "mode", "bound"),
    [
        (2, "exact", None),
        either_mpi(3, "adaptive+pipelined", None),
        either_mpi(4, "adaptive", "1e-3"),
        (5, "adaptive+pipelined", "1e-3"),
    ],
)
def test_operations_give_what_mpi_gives(check, ranks, mode, bound):
    cases, compressed = check(ranks, mode, bound)
    assert cases > 0
    # Plain MPI agrees with itself: see that the tier under test was at work in every operation.
    assert compressed >= OPERATIONS


@pytest.mark.parametrize(
    ("ranks", "mode", "bound", "more"),
    [
        either_mpi(2, "exact", None, {}),
        (3, "adaptive+pipelined", "1e-3", {"chunks": "9"}),
        either_mpi(5, "bounded", "1e-3", {}),
        (6, "exact", None, {"threshold-pipelined": "1K"}),
        either_mpi(7, "adaptive+pipelined", "1e-3", {"threads": "2"}),
        (8, "adaptive+pipelined", "1e-3", {}),
    ],
)
def test_segments_by_halving(check, tmp_path, ranks, mode, bound, more):
    """Of different lengths and of none, in place too; among ranks that are no power of two. Not
    where one of more than two has all: there would be room for as much in each rank's place."""
    more = {"algorithm": "rabenseifner", **more}
    cases, compressed = check(ranks, mode, bound, "reductions", more)
    assert cases > 0 and "Reduce_scatter" in compressed
    rows = json.loads((tmp_path / "report.json").read_text())["collectives"]
    used = {
        row["algorithm"]
        for row in rows
        if row["collective"] == "Reduce_scatter" and row["tier"] != "raw"
    }
    assert used == ({"rabenseifner"} if ranks == 2 else {"rabenseifner", "ring"})


@pytest.mark.parametrize(
    ("ranks", "mode", "bound", "more"),
    [
        (1, "exact", None, {}),
        (2, "exact", None, {}),
        either_mpi(3, "adaptive+pipelined", "1e-3", {"chunks": "9"}),
        (4, "exact", None, {"same-host": "raw", "host-ranks": "2"}),
        (4, "adaptive+pipelined", None, {"chunks": "9"}),
        either_mpi(5, "bounded", "1e-3", {}),
        (6, "exact", None, {"chunks": "9", "threshold-pipelined": "1K"}),
    ],
)
def test_neighbours_get_what_mpi_gives(check, ranks, mode, bound, more):
    """On grids and graphs of many shapes; several messages between two ranks meet as in plain MPI,
    where each call of each library has an order of its own."""
    cases, compressed = check(ranks, mode, bound, "neighbours", more)
    assert cases > 0
    assert compressed == (NEIGHBOURS if ranks > 1 else set())


BETWEEN_GROUPS = {"Bcast", "Allgather", "Alltoall"}


@pytest.mark.parametrize(
    ("ranks", "mode", "bound", "more"),
    [
        (2, "exact", None, {}),
        (5, "adaptive+pipelined", "1e-3", {"chunks": "5"}),
        either_mpi(4, "exact", None, {"same-host": "raw", "host-ranks": "2"}),
        either_mpi(3, "adaptive+pipelined", None, {"link": "1M", "threshold-pipelined": "1K"}),
        either_mpi(6, "bounded", "1e-3", {}),
    ],
)
def test_the_other_group_gets_what_mpi_gives(check, ranks, mode, bound, more):
    """On intercommunicators of two groups of different sizes."""
    cases, compressed = check(ranks, mode, bound, "between-groups", more)
    assert cases > 0
    assert compressed == BETWEEN_GROUPS


@pytest.mark.parametrize(
    ("ranks", "bound"), [(3, None), (5, "1e-3"), either_mpi(2, None), either_mpi(6, None)]
)
def test_between_groups_at_once(check, ranks, bound):
    """MPI_Ibcast is left to MPI; the others are compressed once a call that waits has been."""
    mode = "bounded" if bound else "exact"
    cases, compressed = check(ranks, mode, bound, "between-groups-at-once")
    assert cases > 0
    assert compressed == BETWEEN_GROUPS - {"Bcast"}


def test_nothing_is_compressed_between_groups_on_one_host(check):
    cases, compressed = check(4, "exact", None, "between-groups", {"same-host": "raw"})
    assert cases > 0
    assert compressed == set()


@pytest.mark.parametrize("bound", [None, "1e-3"])
def test_large_count_forms_give_what_mpi_gives(check, family, bound):
    """MPI 4's MPI_Bcast_c and the like; Open MPI 4.1 is an MPI 3.1 and has none."""
    cases, compressed = check(4, "adaptive+pipelined", bound, "large-counts")
    if family.name == "openmpi":
        assert cases == 0
    else:
        assert cases > 0
        assert compressed == ALL_OPERATIONS


@pytest.mark.parametrize("mode", ["exact", "adaptive+pipelined"])
def test_some_messages_in_frames_and_some_as_they_are(check, mode):
    """Inside hosts and below the threshold data moves in plain messages, beside frames."""
    more = {"same-host": "raw", "host-ranks": "2", "link": "1M"}
    _, compressed = check(5, mode, None, "movement", more)
    assert compressed >= {"Gather", "Scatter", "Allgather", "Alltoall"}


def test_nothing_is_compressed_inside_a_host(check):
    """By default, whatever the mode: shared memory is faster than any codec."""
    cases, compressed = check(4, "exact", None, "movement", {"same-host": "raw"})
    assert cases > 0
    assert compressed == set()


@pytest.mark.parametrize(("ranks", "host_ranks"), [(4, 2), (6, 3)])
def test_hosts_with_several_ranks(check, ranks, host_ranks):
    """Reduce_scatter over lanes."""
    more = {"host-ranks": str(host_ranks)}
    _, compressed = check(ranks, "adaptive+pipelined", "1e-3", "reductions", more)
    assert compressed >= {"Reduce_scatter", "Scan"}
