"""The tables and sentences of the pages, and the rows of results/, for tests that compare them."""

import csv
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BENCHMARKS = "docs/user/benchmarks.md"

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


def tables(page: str, *heading: str) -> list[list[list[str]]]:
    """All tables of the page whose first columns are headed so: rows of cells."""
    found, lines = [], text_of(page).splitlines()
    for number, line in enumerate(lines):
        if line.startswith("|") and cells(line)[: len(heading)] == list(heading):
            rows = []
            for row in lines[number + 2 :]:
                if not row.startswith("|"):
                    break
                rows.append(cells(row))
            found.append(rows)
    return found


def measured(file: str, **values: str) -> list[Row]:
    """Rows of a file that have these values."""
    with (ROOT / "results" / file).open(newline="") as lines:
        rows = list(csv.DictReader(lines))
    return [row for row in rows if all(row[name] == value for name, value in values.items())]


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
