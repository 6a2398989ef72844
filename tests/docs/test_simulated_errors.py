"""How far each table of simulated figures is from the lab's stands in it, and is what
results/scale_validation.csv says."""

import re
import sys
from collections.abc import Callable

import pytest
from page_tables import ROOT, all_tables, errors_in, number, said, tables, the

sys.path.insert(0, str(ROOT / "bench"))
from scale_errors import NOT_COMPARED, Validation, percent

PAGE = "docs/dev/simulation.md"
PERFORMANCE = "docs/dev/performance.md"
VALIDATION = Validation(ROOT / "results")
FIELDS = ("turbulence", "quiet wavefield")
OPERATIONS = ("allreduce", "reduce_scatter", "bcast", "allgather", "scatter")
Errors = Callable[[list[list[str]]], list[list[str]]]


def of(op: str, field: str, methods: str = "tightwire", kind: str = "gains", **more) -> str:
    """Of the first method; in brackets of the second."""
    errors = {"gains": VALIDATION.of_gains, "times": VALIDATION.of_times}[kind]
    texts = [
        percent(errors(op.lower(), method, field.replace(" ", "_"), **more))
        for method in methods.split(",")
    ]
    return texts[0] if set(texts) == {NOT_COMPARED} or not texts[1:] else f"{texts[0]} ({texts[1]})"


def by_operation(operations: tuple[str, ...], **more) -> Errors:
    def rows(_: list[list[str]]) -> list[list[str]]:
        return [
            [f"off by, {field}", *(of(op, field, **more) for op in operations)] for field in FIELDS
        ]

    return rows


def of_many_ranks(_: list[list[str]]) -> list[list[str]]:
    return [
        [f"off by, {field}, {ranks}", *(of(op, field, several=several) for op in operations)]
        for ranks, several in (("several ranks a node", True), ("one rank a node", False))
        for field in FIELDS
        for operations in [("allreduce", "bcast")]
    ]


def of_lanes(rows: list[list[str]]) -> list[list[str]]:
    operations = [row[0].split(", ")[1] for row in rows]
    columns = [(field, [of(op, field, several=True) for op in operations]) for field in FIELDS]
    return [[f"off by, lanes, {field}", *errors] for field, errors in columns]


def of_lanes_with_threads(rows: list[list[str]]) -> list[list[str]]:
    operations = [row[0].split(", ")[0] for row in rows]
    columns = [(field, [of(op, field, several=True) for op in operations]) for field in FIELDS]
    return [[f"off by, {field}", *errors] for field, errors in columns]


def of_algorithms(_: list[list[str]]) -> list[list[str]]:
    names = ("auto", "ring", "recursive-doubling", "rabenseifner")
    found = []
    for field in FIELDS:
        ours = [of("allreduce", field, kind="times", algorithm=name) for name in names]
        found.append([f"off by, {field}", *ours, of("allreduce", field, "raw", kind="times")])
    return found


def of_weak_scaling(rows: list[list[str]]) -> list[list[str]]:
    return [["off by", *(of(*row[0].split(", "), "tightwire,ccoll") for row in rows)]]


def of_the_papers_case(rows: list[list[str]]) -> list[list[str]]:
    return [
        [f"off by, {name}", *(of(*row[:2], method) for row in rows)]
        for name, method in (("C-Coll's way", "ccoll"), ("Tightwire", "tightwire"))
    ]


def of_halos(rows: list[list[str]]) -> list[list[str]]:
    return [["off by", *(of("halo", "turbulence") for _ in rows)]]


def of_links(_: list[list[str]]) -> list[list[str]]:
    """One job each, of what the lab's network of that speed was taken for."""
    place = {"mpi": "mpich", "link_gbps": "10", "hosts": "2"}
    found = []
    for op in ("allreduce", "bcast", "alltoall"):
        simulated, lab = (
            number(the("link_speeds.csv", network=network, operation=op, **place), "learned_gbps")
            for network in ("simulated", "lab")
        )
        found.append(f"{100 * abs(simulated / lab - 1):.0f} %")
    return [["off by, 10 Gbit/s", *found, *3 * [NOT_COMPARED]]]


def of_what_was_asked_for(rows: list[list[str]]) -> list[list[str]]:
    found, field, kind = [], "", ""
    for label, *_ in rows:
        if "Gbit/s" in label:
            field = next(name for name in FIELDS if name in label)
            kind = "times" if "need on the wire" in label else "gains"
        found.append(of(label.split(", ")[-1], field, kind=kind))
    return [["off by", *found]]


SIMULATED: dict[tuple[str, str, str], Errors] = {
    (PAGE, "network", "allreduce"): by_operation(OPERATIONS, methods="tightwire,ccoll"),
    (PAGE, "nodes of so many ranks, link", "allreduce"): of_many_ranks,
    (PAGE, "nodes of so many ranks, operation", "lanes"): of_lanes,
    (PAGE, "operation, Gbit/s", "turbulence: 1 thread"): of_lanes_with_threads,
    (PAGE, "512 ranks, 1 MiB", "own choice"): of_algorithms,
    (PAGE, "field, link", "allreduce"): by_operation(
        ("allreduce", "bcast", "allgather", "scatter", "alltoall", "reduce_scatter")
    ),
    (PAGE, "1 MiB a rank", "10 Gbit/s, 2"): of_weak_scaling,
    (PAGE, "operation", "field"): of_the_papers_case,
    (PAGE, "link", "face"): of_halos,
    (PERFORMANCE, "simulated link", "2 hosts: Allreduce"): of_links,
    (PERFORMANCE, "asked for, simulated", "4 threads"): of_what_was_asked_for,
}
OF_ERRORS = "are the errors themselves"
WITHOUT = {
    (PAGE, "", ""): "has no figures",
    (PAGE, "hosts, and a link of", "plain MPI"): OF_ERRORS,
    (PAGE, "hosts, link, by algorithm", "ring"): OF_ERRORS,
    (PAGE, "hosts, link, two ranks each", "plain MPI"): OF_ERRORS,
    (PAGE, "two hosts, link, of what", "plain MPI"): OF_ERRORS,
    (PAGE, "operation: errors", "speed-ups, turbulence"): OF_ERRORS,
    (PAGE, "eight threads over one", "10 Gbit/s"): "has the lab's figures beside them",
    (PERFORMANCE, "asked for", "4 threads"): "is measured",
    (PERFORMANCE, "finding", "what follows"): "is of earlier code; errors stand before it",
    ("docs/user/accuracy.md", "field", "ranks"): "has no times: errors of values are real",
}


def seem_simulated() -> list[tuple[str, str, str]]:
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return [
        (page, *head[:2])
        for page in (str(file.relative_to(ROOT)) for file in pages)
        for before, head, _ in all_tables(page)
        if page == PAGE or re.search(r"simulat|scale\.csv", f"{before} {' '.join(head)}", re.I)
    ]


def test_each_table_of_simulated_figures_is_known():
    """So that none goes without its errors."""
    assert sorted(seem_simulated()) == sorted({*SIMULATED, *WITHOUT})


@pytest.mark.parametrize("place", SIMULATED, ids=lambda place: f"{place[0]}: {place[1]}")
def test_errors_stand_in_each_table(place):
    page, *heading = place
    ((head, rows),) = [(head, rows) for _, head, rows in all_tables(page) if head[:2] == heading]
    (figures,) = tables(page, *heading)
    assert errors_in(head, rows) == SIMULATED[place](figures)


def test_errors_of_each_operation():
    (rows,) = tables(PAGE, "operation: errors", "speed-ups, turbulence")
    assert [row[0] for row in rows] == [*OPERATIONS, "alltoall", "gather"]
    for op, *figures in rows:
        expected = [
            of(op, field, methods, kind=kind)
            for methods, kind in (("tightwire,ccoll", "gains"), ("tightwire,ccoll", "times"),
                                  ("raw", "times"))
            for field in FIELDS
        ]  # fmt: skip
        assert figures == expected, op


def test_errors_before_what_was_found_by_simulation():
    rows = [row for row in VALIDATION.rows if row["field"] == "turbulence"]
    found = said("simulated times are off the lab's by # % in the median, # % at most", PERFORMANCE)
    assert "{} %, {} %".format(*found) == percent([float(row["error"]) for row in rows])


def test_errors_of_speed_ups_in_the_readme():
    figures = said(
        "Speed-ups of an Allreduce are off by # and # % in the median, # and # % at most, of a "
        "Bcast by # and # %, # and # %",
        "README.md",
    )
    pairs = [of(op, field).split(", ") for op in ("allreduce", "bcast") for field in FIELDS]
    expected = [error for two in (pairs[:2], pairs[2:]) for error in zip(*two, strict=True)]
    assert [f"{figure} %" for figure in figures] == [text for two in expected for text in two]
