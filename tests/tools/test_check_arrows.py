"""tools/check_arrows.py finds each kind of arrow that the table of rooms forbids."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "tools" / "check_arrows.py"
PAGE = """
<!-- begin: rooms -->
| floor | room | knows MPI | what it does |
|---|---|---|---|
| 1 | `src/top/` | yes | |
| 2 | `src/left/` | yes | |
| 2 | `src/right/` | yes | |
| 3 | `src/middle/` | no | |
| 4 | `src/low/` | yes | |
| 5 | `include/` | no | |
| 5 | `src/list.def` | no | |
<!-- end: rooms -->
<!-- begin: sub-rooms -->
| room | order |
|---|---|
| `src/left/` | `entry` → `one`, `other` → `deep` |
<!-- end: sub-rooms -->
"""
ROOMS = ("top", "left", "right", "middle", "low")


def tree(folder, files, page=PAGE):
    (folder / "docs" / "dev").mkdir(parents=True)
    (folder / "docs" / "dev" / "architecture.md").write_text(page)
    (folder / "include").mkdir()
    (folder / "src").mkdir()
    (folder / "src" / "list.def").touch()
    for room in ("left/entry", "left/one", "left/other", "left/deep"):
        (folder / "src" / room).mkdir(parents=True)
    for room in ROOMS:
        (folder / "src" / room).mkdir(parents=True, exist_ok=True)
        (folder / "src" / room / "all.h").write_text("#pragma once\n")
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def check(folder, files, page=PAGE):
    tree(folder, files, page)
    done = subprocess.run([sys.executable, SCRIPT, folder], capture_output=True, text=True)
    return done.returncode, done.stdout.splitlines(), done.stderr


def test_the_arrows_of_the_project():
    done = subprocess.run([sys.executable, SCRIPT], capture_output=True, text=True)
    assert (done.stdout, done.returncode) == ("", 0)


def test_what_points_down_is_allowed(tmp_path):
    files = {
        "src/top/a.cpp": '#include <mpi.h>\n#include <vector>\n#include "left/all.h"\n',
        "src/left/a.cpp": '#include "all.h"\n  #  include "low/all.h"\n',
        "src/middle/version.h.in": "",
        "src/left/b.cpp": '#include "middle/version.h"\n#include "list.def"\n',
        "src/left/entry/a.h": '#include "left/deep/a.h"\n#include "left/one/a.h"\n',
        "src/left/one/a.h": '#include "left/all.h"\n',
        "src/left/deep/a.h": "",
    }
    assert check(tmp_path, files) == (0, [], "")


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("src/left/a.h", '\n#include "top/all.h"', "a.h:2: .*left includes src/top, .* above"),
        ("src/left/a.h", '#include "right/all.h"', "left includes src/right, .* beside"),
        ("src/middle/a.h", "#include <mpi.h>", "the room must not know MPI"),
        ("src/middle/a.h", '#include "low/all.h"', "middle knows no MPI, but includes src/low"),
        ("src/top/a.h", '#include "low/none.h"', "there is no such file"),
        ("src/left/deep/a.h", '#include "left/one/b.h"', "left/deep includes .* above"),
        ("src/left/other/a.h", '#include "left/one/b.h"', "left/one, .* beside"),
        ("src/new/a.h", "", "src/new has no row"),
        ("src/left/new/a.h", "", "src/left/new has no row"),
        ("include/a.h", '#include "low/all.h"', "include includes src/low, .* above"),
    ],
)
def test_what_the_table_forbids_is_named(tmp_path, file, text, message):
    code, lines, _ = check(tmp_path, {file: text, "src/left/one/b.h": ""})
    assert code == 1
    assert len(lines) == 1
    assert re.search(message, lines[0])


def test_a_page_without_the_table_is_an_error(tmp_path):
    code, _, error = check(tmp_path, {}, "nothing")
    assert code == 1
    assert "has no table" in error


def test_a_row_of_what_is_not_there_is_an_error(tmp_path):
    code, lines, _ = check(tmp_path, {}, PAGE.replace("`deep`", "`deep`, `gone`"))
    assert code == 1
    assert lines == ["docs/dev/architecture.md: there is no src/left/gone"]
