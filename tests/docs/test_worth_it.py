"""The figures of docs/user/worth-it.md are those of results/."""

import csv
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "user" / "worth-it.md").read_text()


def table(name: str) -> list[list[str]]:
    part = PAGE.split(f"<!-- begin: {name} -->\n")[1].split("<!-- end -->")[0]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in part.splitlines()]
    return rows[2:]


def measured(file: str) -> list[dict[str, str]]:
    with open(ROOT / "results" / file, newline="") as lines:
        return list(csv.DictReader(lines))


def test_exact():
    rows = [row for row in measured("memory.csv") if row["method"] == "with history"]
    expected = [[row["program"], row["bytes_ratio"], row["seconds_ratio"]] for row in rows]
    assert table("programs, exact") == expected
    assert {row["link_gbps"] + row["hosts"] + row["same_output"] for row in rows} == {"12True"}


def test_bounded():
    rows = [row for row in measured("programs_bounds.csv") if row["error_bound"].startswith("rel:")]
    expected = [[row["program"], row["error_bound"], f"{row['ratio']} times"] for row in rows]
    assert table("programs, bounded") == expected


def test_the_picture():
    _, exact, bounded = [float(row["speedup"]) for row in measured("demo.csv")[:3]]
    said = re.search(r"exactly (\S+) times as fast, within one grey level (\S+) times", PAGE)
    assert said.groups() == (f"{exact:.1f}", f"{bounded:.1f}")
