"""CSV files of measurements: their rows and the numbers in them."""

import csv
import math
from collections import defaultdict
from pathlib import Path

Row = dict[str, str]


class PlotError(Exception):
    """Something the user can put right."""


def read(path: Path) -> tuple[list[str], list[Row]]:
    try:
        with path.open(newline="") as file:
            reader = csv.DictReader(file, strict=True)
            rows = list(reader)
            columns = list(reader.fieldnames or [])
    except OSError as error:
        raise PlotError(f"{path}: {error.strerror}") from error
    except (csv.Error, UnicodeDecodeError) as error:
        raise PlotError(f"{path} is not a CSV file: {error}") from error
    if not rows:
        raise PlotError(f"{path} holds no measurements")
    for number, row in enumerate(rows, start=2):
        if None in row or None in row.values():
            raise PlotError(f"{path}, line {number}: not {len(columns)} values as in the heading")
    return columns, rows


def number(row: Row, column: str) -> float:
    try:
        value = float(row[column])
    except ValueError:
        raise PlotError(f'column {column}: "{row[column]}" is not a number') from None
    if not math.isfinite(value):
        raise PlotError(f"column {column}: {row[column]} cannot be drawn")
    return value


def numbers(rows: list[Row], column: str) -> list[float]:
    return [number(row, column) for row in rows]


def grouped(rows: list[Row], *columns: str) -> dict[tuple[str, ...], list[Row]]:
    groups: dict[tuple[str, ...], list[Row]] = defaultdict(list)
    for row in rows:
        groups[tuple(row[column] for column in columns)].append(row)
    return groups
