"""The breakdowns in results/ are each of one call, and add up to the time that it took."""

import csv
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))
from comparison_files import KEY, PARTS  # noqa: E402  (found through the line above)
from keyed_rows import key_of  # noqa: E402  (found through the line above)

FILES = sorted((ROOT / "results").glob("collectives_breakdown*.csv"))
CODEC = ("compress_ms", "merge_ms", "decompress_ms")
DIGITS = 0.0005  # ms: six parts, each off by half a unit of its last digit, and clocks


def rows(file: Path) -> list[dict[str, str]]:
    with file.open(newline="") as lines:
        return list(csv.DictReader(lines))


def mistakes(breakdown: list[dict[str, str]], results: list[dict[str, str]]):
    medians = {key_of(row, KEY): float(row["median_ms"]) for row in results}
    for row in breakdown:
        parts = {part: float(row[part]) for part in PARTS}
        median = medians[key_of(row, KEY)]
        if sum(parts.values()) != pytest.approx(median, rel=0.05, abs=DIGITS):
            yield f"{sum(parts.values())} of {median} ms", row
        # A clock that is read in turns may be off by a little.
        if min(parts.values()) < -0.01 * median - DIGITS:
            yield "a part below nothing", row
        plain = row["method"].startswith("raw") or row["algorithm"] == "plain"
        if plain != (sum(parts[part] for part in CODEC) == 0):
            yield "parts of the codec where there is none, or none", row


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_they_add_up_to_the_medians(file):
    results = rows(file.with_name(file.name.replace("_breakdown", "")))
    assert list(mistakes(rows(file), results)) == []


def test_parts_of_several_calls_are_found_out():
    key = dict(zip(KEY, ("bcast", "tightwire", "10", "2", "65536", "noise"), strict=True))
    result = key | {"median_ms": "49.7"}
    call = dict(zip(PARTS, ("9.0", "0", "2.4", "0", "0", "0"), strict=True))
    assert list(mistakes([key | call | {"algorithm": ""}], [result]))
    call["wait_ms"] = "38.3"
    assert not list(mistakes([key | call | {"algorithm": ""}], [result]))
    assert list(mistakes([key | call | {"algorithm": "plain"}], [result]))
