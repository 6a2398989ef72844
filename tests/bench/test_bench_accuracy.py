"""./run bench accuracy: what it takes for a broken promise, what it refuses. The experiment itself
runs in tests/mpi/test_accuracy.py."""

import subprocess
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[2] / "bench"
sys.path.insert(0, str(BENCH))
import accuracy  # noqa: E402  (found through the line above)

KEPT = {
    "field": "turbulence",
    "op": "sum",
    "bound_applies_to": "contribution",
    "ranks": "4",
    "max_error_over_bound": "3.9",
    "promised": "4",
    "share_within_two_over_sqrt3": "0.9560",
    "ranks_identical": "yes",
}


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({}, ""),
        ({"max_error_over_bound": "4.001"}, "4.001"),
        ({"max_error_over_bound": "nan"}, "nan"),
        ({"ranks_identical": "no"}, "different bits"),
        ({"share_within_two_over_sqrt3": "0.94"}, "94.00%"),
        ({"op": "max", "promised": "1", "max_error_over_bound": "1.1"}, "1.1"),
    ],
)
def test_broken(change, word):
    what = accuracy.broken(KEPT | change)
    assert bool(what) == bool(word) and word in what


SUM = {"codec": "bounded", "bits_of_ring": "yes", "ranks_identical": "yes"}


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({}, ""),
        ({"bits_of_ring": "no"}, "ring"),
        ({"bits_of_ring": "no", "codec": "sz3"}, ""),
        ({"ranks_identical": "no", "codec": "sz3"}, "different bits"),
    ],
)
def test_sums_of_our_codec_do_not_depend_on_the_algorithm(change, word):
    what = accuracy.depends_on_algorithm(SUM | change)
    assert bool(what) == bool(word) and word in what


@pytest.mark.parametrize(
    ("arguments", "word"),
    [(["--ranks", "1"], "'1'"), (["--ranks", "many"], "'many'"), (["--mpi", "lam"], "lam")],
)
def test_bad_arguments(tmp_path, arguments, word):
    results = tmp_path / "results"
    done = subprocess.run(
        [sys.executable, BENCH / "accuracy.py", "--results", results, *arguments],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2 and word in done.stderr.splitlines()[-1], done.stderr
    assert not results.exists()
