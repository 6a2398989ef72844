"""docs/user/coverage.md says what the libraries do, of all functions that there are."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import coverage as page  # noqa: E402

FAMILIES = ("openmpi", "mpich")
FUNCTIONS = page.read_functions(page.FUNCTIONS_LIST)
# What mpi.h has in the form of a function but is none of the standard's.
NOT_STANDARD = {"Aint"}


def declared(family):
    """The functions that a family's mpi.h declares."""
    if shutil.which(f"mpicc.{family}") is None:
        pytest.skip(f"mpicc.{family} is not installed")
    command = [f"mpicc.{family}", "-E", "-P", "-x", "c", "-"]
    text = subprocess.run(
        command, input="#include <mpi.h>\n", text=True, capture_output=True, check=True
    ).stdout
    names = re.findall(r"\bMPI_((?:T_[a-z]|[A-Z][a-z])\w*)\s*\(", text)
    return {n for n in names if n not in NOT_STANDARD}


def test_the_page_is_up_to_date():
    current = page.PAGE.read_text(encoding="utf-8")
    assert current == page.page(), "docs/user/coverage.md is stale: run tools/coverage.py"


@pytest.mark.parametrize("family", FAMILIES)
def test_every_function_of_the_header_is_listed(family):
    assert declared(family) - FUNCTIONS.keys() == set()


@pytest.mark.parametrize("family", FAMILIES)
def test_the_library_stands_before_the_functions_that_the_page_names(family, build_folder):
    library = build_folder / "lib" / f"libtightwire-{family}.so"
    if not library.exists():
        pytest.skip(f"the build has no library for {family}")
    symbols = subprocess.run(
        ["nm", "-D", "--defined-only", library], text=True, capture_output=True, check=True
    ).stdout
    handled = page.handled_functions(page.read_calls(str(page.INTERPOSE / "calls.def")))
    expected = handled.keys() & declared(family)
    for prefix in ("MPI_", "PMPI_"):
        assert set(re.findall(rf" {prefix}(\w+)$", symbols, re.MULTILINE)) == expected


def test_every_function_has_one_row():
    row = r"^\| `MPI_(\w+)` \|.*?(?:\| (alike|passed through)? ?\|)$"
    rows = re.findall(row, page.page(), re.MULTILINE)
    names = [name for name, _ in rows] + [name + "_c" for name, wide in rows if wide]
    assert sorted(names) == sorted(FUNCTIONS)


def test_a_handled_function_that_is_not_listed_is_an_error(monkeypatch, tmp_path):
    table = tmp_path / "calls.def"
    table.write_text("tightwire 9\nspecial::init | 1.0 | int Invented(void)\n")
    (tmp_path / "functions.txt").write_text("Init 1.0\n")
    monkeypatch.setattr(page, "INTERPOSE", tmp_path)
    monkeypatch.setattr(page, "FUNCTIONS_LIST", tmp_path / "functions.txt")
    with pytest.raises(ValueError, match="Invented"):
        page.page()
