"""./run bench overhead: it measures every call that Tightwire stands in front of, tells what costs
too much, and keeps what it does not measure anew."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "bench"), str(ROOT / "src" / "interpose")]
import overhead  # noqa: E402  (found through the line above)
from calls_table import read_calls  # noqa: E402  (found through the line above)

pytestmark = pytest.mark.alone

# What no message of 8 bytes makes sense for: MPI_Init, names and hints of communicators.
UNMEASURED = "special::"


def measured_calls():
    sources = (ROOT / "bench" / "overhead").glob("*.*")
    text = "\n".join(source.read_text() for source in sources)
    listed = set(re.findall(r"CALL\((\w+)\)", text)) - {"name"}
    used = set(re.findall(r"mpi\.(\w+)|Functions::(\w+)|OVERHEAD_TO_AND_FRO\((\w+)\)", text))
    return listed, {word for words in used for word in words if word}


def test_every_call_is_measured():
    calls = read_calls(str(ROOT / "src" / "interpose" / "calls.def"))
    expected = {call.name for call in calls if not call.handler.startswith(UNMEASURED)}
    listed, used = measured_calls()
    assert expected == listed
    assert expected <= used, expected - used


ROW = "row,Testall of pending large,1000,1,{plain},{tightwire}"


@pytest.mark.parametrize(
    ("plain", "tightwire", "too_much"),
    [(18, 37, False), (18, 39, True), (4000, 4199, False), (4000, 4201, True), (50, 20, False)],
)
def test_what_costs_too_much(plain, tightwire, too_much):
    (row,) = overhead.rows_of(ROW.format(plain=plain, tightwire=tightwire), "mpich", "across")
    assert row["ratio"] == f"{tightwire / plain:.3f}"
    assert overhead.costs_too_much(row) == too_much


def test_rows_are_read_by_their_points(tmp_path):
    file = tmp_path / "overhead.csv"
    rows = overhead.rows_of(ROW.format(plain=10, tightwire=11) + "\nother\n", "mpich", "within")
    overhead.write_csv(file, overhead.HEADER, rows)
    point = ("mpich", "within", "Testall of pending large", "1000", "1")
    assert overhead.known_rows(file, overhead.HEADER, overhead.POINT) == {point: rows[0]}


@pytest.mark.parametrize(
    ("option", "word", "known"), [("where", "abroad", "within"), ("threads", "many", "multiple")]
)
def test_bad_arguments(tmp_path, option, word, known):
    command = [sys.executable, ROOT / "bench" / "overhead.py", "--results", tmp_path / "results"]
    done = subprocess.run([*command, f"--{option}", word], capture_output=True, text=True)
    assert done.returncode == 2
    assert f"'{word}'" in done.stderr and known in done.stderr
    assert not (tmp_path / "results").exists()
