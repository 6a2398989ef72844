"""The figures of docs/user/worth-it.md are those of results/, and of tightwire explain."""

import re
import subprocess
from pathlib import Path

import pytest
from page_tables import cells, measured, text_of

PAGE = text_of("docs/user/worth-it.md")


def table(name: str) -> list[list[str]]:
    part = PAGE.split(f"<!-- begin: {name} -->\n")[1].split("<!-- end -->")[0]
    return [cells(line) for line in part.splitlines()[2:]]


def test_exact():
    rows = [
        row
        for row in measured("memory.csv")
        if row["method"] == "with history" and row["link_gbps"] == "1"
    ]
    expected = [[row["program"], row["bytes_ratio"], row["seconds_ratio"]] for row in rows]
    assert table("programs, exact") == expected
    assert {row["link_gbps"] + row["hosts"] + row["same_output"] for row in rows} == {"12True"}


def test_bounded():
    rows = [row for row in measured("programs_bounds.csv") if row["error_bound"].startswith("rel:")]
    expected = [[row["program"], row["error_bound"], f"{row['ratio']} times"] for row in rows]
    assert table("programs, bounded") == expected


def shares(rows: list[dict[str, str]]) -> list[str]:
    """Of the job's time, exactly and within the bound; for each link."""
    kinds = "exact_gain", "bounded_gain"
    return [
        " / ".join(f"{100 * float(row[kind]) / float(row['job_seconds']):.0f}" for kind in kinds)
        for row in rows
    ]


def test_forecasts():
    rows = measured("worth_it.csv")
    names = list(dict.fromkeys(row["program"] for row in rows))
    by_name = {name: [row for row in rows if row["program"] == name] for name in names}
    expected = [
        [name, f"{float(of[0]['job_seconds']):.1f} s", *shares(of)] for name, of in by_name.items()
    ]
    assert table("programs, forecast") == expected
    assert [row["link_gbps"] for row in by_name[names[0]]] == ["1", "10", "25", "100"]


def test_the_picture():
    _, exact, bounded = [float(row["speedup"]) for row in measured("demo.csv")[:3]]
    said = re.search(r"exactly (\S+) times as fast, within one grey level (\S+) times", PAGE)
    assert said.groups() == (f"{exact:.1f}", f"{bounded:.1f}")


def explained(tightwire: Path, options: str, link: str) -> str:
    """The fastest way but plain MPI: times as fast as that."""
    command = [tightwire, "explain", *options.strip("`").split(), "--link", link]
    said = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
    ways = re.findall(r"^(?!.*plain MPI).* (\d+\.\d\d)$", said, re.MULTILINE)
    return max(ways, key=float)


@pytest.mark.parametrize("row", table("model"), ids=lambda row: row[0])
def test_the_model(row, build_folder):
    tightwire = build_folder / "bin" / "tightwire"
    _, options, *figures = row
    links = ("1G", "10G", "25G", "100G")
    assert figures == [explained(tightwire, options, link) for link in links]


def test_nothing_pays_on_the_fastest_link():
    assert all(float(row[-1]) < 1 for row in table("model"))
