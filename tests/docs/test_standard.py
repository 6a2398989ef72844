"""docs/user/standard.md names a test for each promise: they are there, for both MPIs."""

import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "tests" / "mpi"
PAGE = (ROOT / "docs" / "user" / "standard.md").read_text()
# `test_file.py::test_function[case, other case]`
NAMED = re.compile(r"`(test_\w+\.py)::(test_\w+)(?:\[([\w, -]+)\])?`")


def rows():
    """The rows of the table, by section and first words."""
    table = PAGE.split("|---|---|---|---|\n")[1].split("\n\n")[0]
    for line in table.splitlines():
        section, what, _, tests = [cell.strip() for cell in line.split("|")[1:-1]]
        yield pytest.param(tests, id=f"{section} {re.search(r'[*](.+?)[*]', what)[1]}")


@pytest.fixture(scope="module")
def collected():
    """The parameters of each test of the named files: {(file, function): [words, ...]}."""
    files = sorted({str(FOLDER / file) for file, _, _ in NAMED.findall(PAGE)})
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-m", "", *files]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    tests = defaultdict(list)
    for line in done.stdout.splitlines():
        if found := re.fullmatch(r"\S*?(test_\w+\.py)::(\w+)(?:\[(.*)\])?", line):
            tests[found[1], found[2]].append(found[3] or "")
    return tests


def missing(text, collected):
    """What is named in a cell, and is no test of both MPIs."""
    for file, function, cases in NAMED.findall(text):
        parameters = collected.get((file, function), [])
        for case in cases.split(", "):
            of_case = [words for words in parameters if f"-{case}-" in f"-{words}-" or not case]
            for family in ("openmpi", "mpich"):
                if not any(family in words for words in of_case):
                    yield f"{file}::{function}[{family}, {case}]"


@pytest.mark.parametrize("tests", list(rows()))
def test_each_promise_has_its_tests(tests, collected):
    assert NAMED.search(tests)
    # Nothing else stands there, such as a name that is written in another way.
    assert not NAMED.sub("", tests).replace(",", "").strip()
    assert not list(missing(tests, collected))


@pytest.mark.parametrize(
    "name",
    [
        "test_no_such_file.py::test_exact",
        "test_started.py::test_no_such",
        "test_matching.py::test_as_in_plain_mpi[sent, no-such]",
    ],
)
def test_what_is_not_there_is_missed(collected, name):
    assert list(missing(f"`{name}`", collected))
