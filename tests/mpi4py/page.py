"""The table of docs/user/conformance.md. The page itself keeps the rows: a run replaces its own."""

from __future__ import annotations

from dataclasses import astuple, dataclass
from pathlib import Path

from suite import Records

PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "user" / "conformance.md"
BEGIN, END = "<!-- begin: written by ./run soak mpi4py -->", "<!-- end -->"
HEAD = [
    "suite",
    "MPI",
    "ranks",
    "point-to-point",
    "tests",
    "passed plain",
    "passed under tightwire",
    "Tightwire",
]


@dataclass(frozen=True, order=True)
class Row:
    suite: str
    mpi: str
    ranks: int
    point_to_point: str
    tests: int
    plain: int
    under: int
    version: str  # of Tightwire: see version.py

    @property
    def key(self) -> tuple:
        return astuple(self)[:4]


def row(key: tuple, plain: Records, under: Records, compressed: bool, version: str) -> Row:
    """As it was, good or bad: under Tightwire that compressed nothing, nothing has passed."""
    both = plain.passed & under.passed if compressed else set()
    return Row(*key, len(plain.results), len(plain.passed), len(both), version)


def line(cells: list) -> str:
    return "| " + " | ".join(map(str, cells)) + " |"


def read(page: str) -> list[Row]:
    rows = []
    for text in page.partition(BEGIN)[2].partition(END)[0].strip().splitlines()[2:]:
        cells = [cell.strip() for cell in text.strip("|").split("|")]
        suite, mpi, ranks, engine, *counts, version = cells
        rows.append(Row(suite, mpi, int(ranks), engine, *map(int, counts), version))
    return rows


def with_rows(page: str, new: list[Row]) -> str:
    rows = {row.key: row for row in [*read(page), *new]}
    table = [line(HEAD), "|" + "---|" * len(HEAD), *(line(astuple(rows[k])) for k in sorted(rows))]
    before, _, rest = page.partition(BEGIN)
    return "\n".join([before + BEGIN, *table, END + rest.partition(END)[2]])


def update(new: list[Row]) -> None:
    PAGE.write_text(with_rows(PAGE.read_text(), new))
