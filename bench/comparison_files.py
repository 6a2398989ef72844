"""The files of the comparison: CSV tables that grow point by point."""

import sys
from argparse import ArgumentTypeError
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from keyed_rows import Row, read_rows
from lab_job import write_csv

KEY = ("op", "method", "link_gbps", "hosts", "bytes", "field")
RESULTS = (*KEY, "median_ms", "raw_ms", "speedup", "wire_bytes")
RESULTS += ("max_error_over_bound", "ranks_identical")
PARTS = ("compress_ms", "merge_ms", "decompress_ms", "communicate_ms", "wait_ms", "other_ms")
BREAKDOWN = (*KEY, "algorithm", *PARTS)

UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def bytes_of(size: str) -> int:
    return int(size[:-1]) * UNITS[size[-1]]


@dataclass(frozen=True)
class Point:
    op: str
    field: str
    link_gbps: str
    hosts: int

    @property
    def reduces(self) -> bool:
        return self.op in ("allreduce", "reduce_scatter")

    def __str__(self) -> str:
        return f"{self.op}, {self.field}, {self.hosts} hosts at {self.link_gbps} Gbit/s"


class Table:
    """A CSV file of rows that have a key each."""

    def __init__(self, path: Path, columns: tuple[str, ...]):
        self.path, self.columns = path, columns
        self.rows: dict[tuple[str, ...], Row] = {}
        if path.exists():
            self.add(path)

    def add(self, path: Path) -> None:
        """The rows of another file; they replace those of the same key."""
        self.rows |= read_rows(path, self.columns, KEY)

    def sorted(self) -> list[Row]:
        def place(row: Row) -> tuple:
            point = (row["op"], row["field"], float(row["link_gbps"] or 0), int(row["hosts"]))
            return (*point, int(row["bytes"]), row["method"])

        return sorted(self.rows.values(), key=place)

    def write(self) -> None:
        write_csv(self.path, self.columns, self.sorted())

    def holds(self, point: Point, size: int, methods: list[str]) -> bool:
        # The vector is shortened where the ranks do not divide it.
        size -= size % (4 * point.hosts)
        where = (point.link_gbps, str(point.hosts), str(size), point.field)
        return all((point.op, method, *where) in self.rows for method in methods)


@dataclass(frozen=True)
class Tables:
    results: Table
    breakdown: Table


def open_tables(folder: Path, family: str) -> Tables:
    suffix = "" if family == "mpich" else f"-{family}"
    return Tables(
        Table(folder / f"collectives{suffix}.csv", RESULTS),
        Table(folder / f"collectives_breakdown{suffix}.csv", BREAKDOWN),
    )


class Outputs:
    """The files of one job, to be taken into the tables when it has ended well."""

    def __init__(self, folder: Path, tables: Tables):
        self.tables = tables
        self.results, self.breakdown = folder / "results.csv", folder / "breakdown.csv"
        self.arguments = ["--output", str(self.results), "--breakdown", str(self.breakdown)]

    def merge(self) -> None:
        self.tables.results.add(self.results)
        self.tables.breakdown.add(self.breakdown)
        self.tables.results.write()
        self.tables.breakdown.write()


@contextmanager
def scratch(tables: Tables):
    with TemporaryDirectory() as folder:
        yield Outputs(Path(folder), tables)


def broken_promises(rows: list[Row]) -> list[str]:
    """Tightwire's rows that are outside the bound or whose ranks hold different bits."""
    ours = [row for row in rows if row["method"].startswith("tightwire")]
    return [
        f"{', '.join(row[column] for column in KEY)}: error {row['max_error_over_bound']} times "
        f"the bound, ranks identical: {row['ranks_identical']}"
        for row in ours
        if float(row["max_error_over_bound"]) > 1 or row["ranks_identical"] != "yes"
    ]


def report_broken_promises(table: Table) -> bool:
    rows = table.sorted()
    ours = [row for row in rows if row["method"].startswith("tightwire")]
    broken = broken_promises(rows)
    for line in broken:
        print(f"BROKEN  {line}", file=sys.stderr)
    if ours and not broken:
        largest = max(float(row["max_error_over_bound"]) for row in ours)
        print(
            f"{len(ours)} rows of Tightwire: ranks identical in all, "
            f"largest error over bound {largest:.3f}"
        )
    return bool(broken)


def bound_text(text: str) -> str:
    """An absolute error bound, for argparse."""
    try:
        if 0 < float(text) < float("inf"):
            return text
    except ValueError:
        pass
    raise ArgumentTypeError(f"'{text}' is not a positive number")


def bound_list(text: str) -> list[str]:
    """Error bounds, absolute or with rel: before a part of the range."""
    words = text.split(",")
    for word in words:
        bound_text(word.removeprefix("rel:"))
    return words
