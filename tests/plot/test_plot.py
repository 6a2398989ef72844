"""src/plot/plot.py draws every kind of file that it knows, and says what is wrong with others."""

import importlib
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from irregular_files import dangling_link, link, pipe

SCRIPT = Path(__file__).parents[2] / "src" / "plot" / "plot.py"
PNG = b"\x89PNG"

CALIBRATION = """\
collective,data,bytes,raw_ms,exact_ms,bounded_ms,pipelined_ms,\
threshold_exact,threshold_bounded,threshold_pipelined
bcast,smooth,1024,0.1,0.2,0.2,0.2,never,2048,4096
bcast,smooth,2048,0.2,0.3,0.1,0.1,never,2048,4096
bcast,smooth,4096,0.4,0.5,0.1,0.05,never,2048,4096
"""
COLLECTIVES_HEADING = (
    "collective,mode,count,raw_ms,ms,speedup,wire_bytes,raw_wire_bytes,max_error,error_bound\n"
)
ONE_SIZE = (
    COLLECTIVES_HEADING
    + """\
bcast,raw,1024,1.0,1.0,1.0,4096,4096,0,0
bcast,bounded,1024,1.0,0.2,5.0,400,4096,0.01,0.02
"""
)
SIZES = ONE_SIZE + "bcast,raw,4096,4.0,4.0,1.0,9,9,0,0\nbcast,bounded,4096,4.0,1.0,4.0,3,9,0,1\n"
CODEC = """\
field,type,codec,error_bound_rel,compress_GBps,expand_GBps,ratio,max_error_over_bound,memcpy_GBps
climate,float32,bounded,0.001,2.0,3.0,12.0,0.9,10
climate,float32,zstd,0,0.5,1.0,1.1,0,10
"""
HISTOGRAM = "error_low,error_high,count\n-0.1,0,10\n0,0.1,12\n"


def load_script(monkeypatch):
    monkeypatch.syspath_prepend(SCRIPT.parent)
    return importlib.import_module("whole_file")


def plot(folder, text, *arguments):
    file = folder / "measured.csv"
    if text is not None:
        file.write_text(text)
    return subprocess.run(
        [sys.executable, SCRIPT, file, *arguments], capture_output=True, text=True
    )


@pytest.mark.parametrize("text", [CALIBRATION, ONE_SIZE, SIZES, CODEC, HISTOGRAM])
def test_draws(tmp_path, text):
    done = plot(tmp_path, text)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "measured.png").read_bytes().startswith(PNG)


def test_different_files_give_different_pictures(tmp_path):
    plot(tmp_path, ONE_SIZE, "-o", tmp_path / "a.png")
    plot(tmp_path, ONE_SIZE.replace("0.2,5.0", "0.9,1.1"), "-o", tmp_path / "b.png")
    assert (tmp_path / "a.png").read_bytes() != (tmp_path / "b.png").read_bytes()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (None, "No such file"),
        ("", "holds no measurements"),
        (HISTOGRAM.splitlines()[0] + "\n", "holds no measurements"),
        ("a,b\n1,2\n", "has the columns a,b"),
        (HISTOGRAM + "0.1,0.2\n", "line 4"),
        (HISTOGRAM.replace("12", "many"), 'column count: "many" is not a number'),
        (HISTOGRAM.replace("12", "nan"), "column count: nan cannot be drawn"),
    ],
)
def test_one_clear_error_and_no_picture(tmp_path, text, complaint):
    done = plot(tmp_path, text)
    assert done.returncode == 1
    assert complaint in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not list(tmp_path.glob("*.png"))


def test_a_picture_that_cannot_be_written_leaves_nothing(tmp_path):
    done = plot(tmp_path, HISTOGRAM, "-o", tmp_path / "missing" / "a.png")
    assert done.returncode == 1
    assert "cannot write" in done.stderr


def test_an_unknown_kind_of_picture(tmp_path):
    done = plot(tmp_path, HISTOGRAM, "-o", tmp_path / "a.docx")
    assert done.returncode == 1
    assert "cannot write" in done.stderr
    assert [file.name for file in tmp_path.iterdir()] == ["measured.csv"]


def folder(path, _victim):
    path.mkdir()


@pytest.mark.parametrize("what", [link, dangling_link, pipe, folder])
def test_only_regular_files_are_replaced(tmp_path, what):
    victim = tmp_path / "victim"
    victim.write_text("untouched")
    picture = tmp_path / "a.png"
    what(picture, victim)
    kind = os.lstat(picture).st_mode
    done = plot(tmp_path, HISTOGRAM, "-o", picture)
    assert done.returncode == 1
    assert "cannot write" in done.stderr and len(done.stderr.splitlines()) == 1
    assert os.lstat(picture).st_mode == kind
    assert victim.read_text() == "untouched"
    assert {file.name for file in tmp_path.iterdir()} == {"measured.csv", "victim", "a.png"}


def test_the_unfinished_picture_is_never_a_file_that_was_there(tmp_path, monkeypatch):
    """Also where somebody can guess its name and has put a link there."""
    script = load_script(monkeypatch)
    monkeypatch.setattr(script.secrets, "token_hex", lambda _size: "guessed")
    victim = tmp_path / "victim"
    victim.write_text("untouched")
    (tmp_path / ".a.png.guessed").symlink_to(victim)
    with pytest.raises(FileExistsError), script.replacing(tmp_path / "a.png"):
        pytest.fail("opened it")
    assert victim.read_text() == "untouched"
    assert (tmp_path / ".a.png.guessed").is_symlink(), "it is not ours to remove"


def test_names_of_unfinished_pictures_cannot_be_guessed(tmp_path, monkeypatch):
    script = load_script(monkeypatch)
    names = set()
    for _ in range(2):
        with script.replacing(tmp_path / "a.png"):
            names |= {file.name for file in tmp_path.iterdir()} - {"a.png"}
    assert len(names) == 2


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o666])
def test_a_picture_keeps_the_mode_of_the_one_before(tmp_path, mode):
    picture = tmp_path / "measured.png"
    picture.write_text("old")
    picture.chmod(mode)
    assert plot(tmp_path, HISTOGRAM).returncode == 0
    assert picture.read_bytes().startswith(PNG)
    assert stat.S_IMODE(picture.stat().st_mode) == mode


def test_without_matplotlib_it_says_how_to_get_it(tmp_path):
    (tmp_path / "matplotlib.py").write_text("raise ImportError('not here')\n")
    done = subprocess.run(
        [sys.executable, SCRIPT, "any.csv"],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(tmp_path)},
    )
    assert done.returncode == 1
    assert "pip install" in done.stderr
    assert len(done.stderr.splitlines()) == 1
