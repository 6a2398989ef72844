"""Rows of a CSV file by the columns that tell them apart, for benchmarks made in pieces."""

import csv
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

Key = tuple[str, ...]
Row = dict[str, str]


def key_of(row: Mapping, names: Sequence[str]) -> Key:
    return tuple(str(row[name]) for name in names)


def read_rows(file: Path, columns: Sequence[str], names: Sequence[str]) -> dict[Key, Row]:
    """Ends this program if the file has other columns."""
    with file.open(newline="") as lines:
        reader = csv.DictReader(lines)
        if list(reader.fieldnames or ()) != list(columns):
            sys.exit(f"bench: {file} has other columns than {','.join(columns)}; move it away")
        return {key_of(row, names): row for row in reader}


def known_rows(file: Path, columns: Sequence[str], names: Sequence[str]) -> dict[Key, Row]:
    """No rows where there is no file."""
    return read_rows(file, columns, names) if file.exists() else {}


def printed_rows(printed: str, columns: Sequence[str], place: Row) -> Iterator[Row]:
    """Of what a benchmark prints, its lines "row,VALUE,...": the place, which the first columns are
    of, and the values of the others."""
    for line in printed.splitlines():
        if line.startswith("row,"):
            yield place | dict(zip(columns[len(place) :], line.split(",")[1:], strict=True))
