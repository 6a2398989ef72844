"""The tables and sentences of the pages, and the rows of results/, for tests that compare them."""

import csv
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BENCHMARKS = "docs/user/benchmarks.md"

# What heads a row or a column of how far simulated figures are from the lab's.
ERRORS = "off by"

Row = dict[str, str]


def text_of(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def said(pattern: str, page: str = BENCHMARKS) -> tuple[str, ...]:
    """What stands in the place of each `#` of a sentence."""
    words = re.escape(pattern).replace(r"\#", r"(\d[\d.]*)").replace(r"\ ", r"\s+")
    found = [of.groups() for of in re.finditer(words, text_of(page))]
    assert len(found) == 1, (pattern, found)
    return tuple(figure.rstrip(".") for figure in found[0])


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.split("|")[1:-1]]


def all_tables(page: str) -> list[tuple[str, list[str], list[list[str]]]]:
    """The paragraph before each table, its heading, and its rows of cells."""
    found, paragraph, lines = [], "", text_of(page).splitlines()
    for number, line in enumerate(lines):
        is_row = line.startswith("|")
        if is_row and not lines[number - 1].startswith("|"):
            rows = []
            for row in lines[number + 2 :]:
                if not row.startswith("|"):
                    break
                rows.append(cells(row))
            found.append((paragraph, cells(line), rows))
        elif line and not is_row:
            paragraph = f"{paragraph} {line}" if lines[number - 1] else line
    return found


def tables(page: str, *heading: str) -> list[list[list[str]]]:
    """All tables of the page whose first columns are headed so: rows of cells, but for errors of
    simulated figures."""
    found = []
    for _, head, rows in all_tables(page):
        if head[: len(heading)] == list(heading):
            kept = [n for n, name in enumerate(head) if not name.startswith(ERRORS)]
            found.append([[row[n] for n in kept] for row in rows if not row[0].startswith(ERRORS)])
    return found


def errors_in(head: list[str], rows: list[list[str]]) -> list[list[str]]:
    """The rows of errors of a table, then its columns, each with its heading."""
    found = [row for row in rows if row[0].startswith(ERRORS)]
    for n, name in enumerate(head):
        if name.startswith(ERRORS):
            found.append([name, *(row[n] for row in rows if not row[0].startswith(ERRORS))])
    return found


@cache
def rows_of(file: str) -> list[Row]:
    with (ROOT / "results" / file).open(newline="") as lines:
        return list(csv.DictReader(lines))


def measured(file: str, **values: str) -> list[Row]:
    """Rows of a file that have these values."""
    return [
        row for row in rows_of(file) if all(row[name] == value for name, value in values.items())
    ]


def the(file: str, **values: str) -> Row:
    rows = measured(file, **values)
    assert len(rows) == 1, (file, values, len(rows))
    return rows[0]


def number(row: Row, column: str) -> float:
    return float(row[column])


def over(row: Row, column: str, other: str | Row) -> float:
    """A figure over one of the same row, or over the same one of another row."""
    below = number(other, column) if isinstance(other, dict) else number(row, other)
    return number(row, column) / below
