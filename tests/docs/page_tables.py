"""The tables of the pages, and the rows of results/, for tests that compare them."""

import csv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

Row = dict[str, str]


def text_of(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


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
