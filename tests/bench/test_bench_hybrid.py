"""./run bench hybrid: what it reads, and the program under it."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "bench"))
import hybrid  # noqa: E402  (found through the line above)

PLACE = dict(
    mpi="mpich", link_gbps="10", hosts="2", cores_per_rank="1", field="turbulence", bytes="65536"
) | dict(bound="rel:1e-3", compute_threads="2")


def test_speeds_are_those_of_one_thread():
    printed = "else\nrow,plain,20.000,8.000\nrow,1,10.000,8.000\nrow,auto,12.500,10.000\n"
    rows = list(hybrid.rows_of(printed, PLACE))
    assert [list(row) for row in rows] == 3 * [list(hybrid.COLUMNS)]
    assert [(row["loop_speedup"], row["compute_speedup"]) for row in rows] == [
        ("0.500", "1.000"),
        ("1.000", "1.000"),
        ("0.800", "0.800"),
    ]


def test_more_threads_than_cores_do_not_spin():
    assert hybrid.waiting(2, 2) == {}
    assert hybrid.waiting(3, 2) == {"OMP_WAIT_POLICY": "passive"}


@pytest.mark.parametrize("threads", ["1", "2"])
def test_the_program_alone(tmp_path, threads):
    program = ROOT / "build" / "bin" / "bench-hybrid-mpich"
    if not program.exists():
        pytest.skip("the build has no bench-hybrid-mpich")
    command = [ROOT / "build" / "bin" / "tightwire", program, "--field", "turbulence"]
    command += ["--bytes", "65536", "--threads", "1,auto", "--compute-threads", threads]
    command += ["--rounds", "1", "--cache", tmp_path]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    rows = [line.split(",") for line in done.stdout.splitlines() if line.startswith("row,")]
    assert [row[1] for row in rows] == ["plain", "1", "auto"]
    assert all(float(row[2]) >= float(row[3]) > 0 for row in rows)
