"""./run bench threads: what it leaves out, what it reads, and its picture."""

import importlib
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "bench"))
import threads  # noqa: E402  (found through the line above)

PLACE = dict(
    mpi="mpich", link_gbps="25", hosts="2", cores_per_rank="4", field="turbulence", bytes="65536"
)
PRINTED = "\n".join(
    [
        "tightwire: something else",
        "row,bcast,plain,10.000,10.000,1.000",
        "row,bcast,1,5.000,10.000,2.000",
        "row,bcast,auto,2.500,10.000,4.000",
    ]
)


@pytest.mark.parametrize(
    ("asked", "cores", "left"),
    [
        (threads.THREADS, 2, ["1", "2", "auto"]),
        (threads.THREADS, 8, ["1", "2", "4", "8", "auto"]),
        (["16"], 16, ["1", "16"]),
        (["16"], 15, ["1"]),
    ],
)
def test_no_more_threads_than_cores(asked, cores, left):
    assert threads.that_can_be(asked, cores) == left


def test_rows_say_of_which_cores_they_are():
    rows = list(threads.rows_of(PRINTED, PLACE))
    assert [list(row) for row in rows] == 3 * [list(threads.COLUMNS)]
    assert [(row["threads"], row["speedup"]) for row in rows] == [
        ("plain", "1.000"),
        ("1", "2.000"),
        ("auto", "4.000"),
    ]
    # The same threads on fewer cores are another point.
    fewer = list(threads.rows_of(PRINTED, PLACE | {"cores_per_rank": "1"}))
    keys = {threads.key_of(row, threads.KEY) for row in rows + fewer}
    assert len(keys) == 6


def test_the_picture_is_of_the_set_up_with_the_most_cores(tmp_path, monkeypatch):
    """However many rows there are of others."""
    rows = list(threads.rows_of(PRINTED, PLACE))
    fewer = [row | {"cores_per_rank": "1"} for row in rows]
    other = [row | {"operation": name} for row in fewer for name in ("alltoall", "gather")]
    drawn = []
    plot = importlib.import_module("threads_plot")
    draw_panel = plot.draw_panel

    def noting(axes, here, links, numbers):
        drawn.append((axes.get_title(loc="left"), links, numbers))
        draw_panel(axes, here, links, numbers)

    monkeypatch.setattr(plot, "draw_panel", noting)
    plot.draw(tmp_path / "threads.csv", rows + other)
    assert drawn == [("bcast, turbulence", ["25"], ["1", "auto"])]
    assert (tmp_path / "threads.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("option", "word"), [("links", "fast"), ("links", "0"), ("threads", "3"), ("ops", "scan")]
)
def test_what_cannot_be_is_refused(option, word):
    command = [sys.executable, str(ROOT / "bench" / "threads.py"), f"--{option}", word]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2 and f"'{word}'" in done.stderr, done.stderr
