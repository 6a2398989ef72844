"""./run bench stack: the shape of its table, and what it refuses."""

import csv
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

BENCH = Path(__file__).parents[2] / "bench"
sys.path.insert(0, str(BENCH))

stack = pytest.importorskip("stack")  # needs scikit-image, as the demo does

KEY = {"op": "allreduce", "link_gbps": "", "hosts": "4", "bytes": "48", "field": "files"}
RESULT = KEY | {"median_ms": "2.0", "raw_ms": "4.0", "speedup": "2.0", "wire_bytes": "100"}
RESULT |= {"max_error_over_bound": "0.5", "ranks_identical": "yes"}
PARTS = KEY | {"algorithm": "", "compress_ms": "1", "merge_ms": "0", "decompress_ms": "0"}
PARTS |= {"communicate_ms": "0.5", "wait_ms": "0.5", "other_ms": "0"}


def some(method, error):
    exact = np.arange(12.0).reshape(3, 2, 2)
    picture = (exact + error).astype(np.float32)
    row = {"method": method}
    return stack.Stack("2", RESULT | row, PARTS | row, picture, stack.quality(picture, exact))


def test_table_has_a_line_for_each_method(tmp_path, capsys):
    stacks = [some("ccoll", 0.5), some("tightwire", 0.25)]
    rows = (each.columns() for each in stacks)
    stack.write_csv(tmp_path / "stack.csv", stack.COLUMNS, rows)
    with (tmp_path / "stack.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [row["method"] for row in rows] == ["ccoll", "tightwire"]
    assert tuple(rows[0]) == stack.COLUMNS
    assert [row["max_error"] for row in rows] == ["0.5", "0.25"]
    # Half the error is 6.02 dB more.
    assert float(rows[1]["psnr_db"]) - float(rows[0]["psnr_db"]) == pytest.approx(6.02, abs=0.01)
    stack.print_table(stacks)
    assert "2.00x" in capsys.readouterr().out


def test_hosts_deal_the_exposures_out(tmp_path):
    photo = np.zeros((3, 8, 8), dtype=np.float32)
    options = stack.argparse.Namespace(hosts=2, exposures=5)
    contributions = stack.write_contributions(photo, options, tmp_path)
    parts = [np.fromfile(tmp_path / f"{rank}.f32", dtype=np.float32) for rank in range(2)]
    assert np.array_equal(contributions.total.ravel(), parts[0].astype(float) + parts[1])
    assert contributions.range == np.ptp(parts)
    assert contributions.absolute("2") == 2
    assert contributions.absolute("rel:1e-4") == 1e-4 * contributions.range
    # Noise of three exposures against that of two.
    assert parts[0].var() > parts[1].var() > 0


def test_rates_are_spoken():
    assert stack.spoken("2.5gbit") == "2.5 Gbit/s"
    assert stack.spoken("unlimited") == "unlimited"


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["--hosts", "1"], "--hosts 1"),
        (["--hosts", "9"], "--hosts 9"),
        (["--error-bounds", "0"], "'0'"),
        (["--error-bounds", "2,rel:x"], "'x'"),
    ],
)
def test_bad_arguments(tmp_path, arguments, word):
    results = tmp_path / "results"
    done = subprocess.run(
        [sys.executable, BENCH / "stack.py", "--results", results, *arguments],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2 and word in done.stderr.splitlines()[-1], done.stderr
    assert not results.exists()
