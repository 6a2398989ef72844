"""tightwire calibrate, on one host: what it writes, and what it refuses."""

import csv
import os
import tomllib

import pytest
from harness import Part

QUICK = ["--from", "1K", "--to", "8K", "--seconds", "0.5"]
THRESHOLDS = {"threshold-exact", "threshold-bounded", "threshold-pipelined"}


@pytest.fixture
def calibrate(family, tmp_path):
    program = family.build / "bin" / f"tightwire-calibrate-{family.name}"
    if not program.exists():
        pytest.skip("the build has no calibrate: TIGHTWIRE_BENCH is off")

    def run(*arguments, environment=None, ranks=2):
        if environment is None:
            environment = family.preload({"same-host": "compress"})
        part = Part(ranks, [str(program), *arguments], environment)
        return family.run(part, limit=120, folder=tmp_path)

    return run


def refused(outcome, tmp_path, *words):
    assert not outcome.timed_out and outcome.code != 0, str(outcome)
    said = [line for line in outcome.stderr.splitlines() if line.startswith("tightwire")]
    assert len(said) == 1, str(outcome)
    for word in words:
        assert word in said[0], str(outcome)
    assert not list(tmp_path.glob("*.csv")), str(outcome)


def test_writes_settings_and_measurements(calibrate, tmp_path):
    outcome = calibrate(*QUICK).must_succeed()
    assert {file.name for file in tmp_path.iterdir()} == {"tightwire.toml", "calibration.csv"}
    settings = tomllib.loads((tmp_path / "tightwire.toml").read_text())
    # And no error bound, which is the user's to give.
    assert set(settings) - {"coding-speedups"} == THRESHOLDS
    with (tmp_path / "calibration.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert {row["collective"] for row in rows} == {"allreduce", "reduce", "bcast"}
    assert {row["data"] for row in rows} == {"smooth", "noisy"}
    assert len(rows) == 4 * 3 * 2
    times = ("raw_ms", "exact_ms", "bounded_ms", "pipelined_ms")
    assert all(float(row[time]) > 0 for row in rows for time in times)
    progress = [line for line in outcome.stderr.splitlines() if "%" in line]
    assert len(progress) == 4 and progress[-1].startswith("100 %")


def test_measures_how_fast_several_threads_code(calibrate, tmp_path):
    """As many as are asked for, of which there may be more than cores."""
    outcome = calibrate(*QUICK, "--threads", "2").must_succeed()
    settings = tomllib.loads((tmp_path / "tightwire.toml").read_text())
    if len(os.sched_getaffinity(0)) < 2:
        assert "coding-speedups" not in settings
        return
    threads, times = settings["coding-speedups"].split(":")
    assert threads == "2" and 1 <= float(times) <= 2
    assert settings["coding-speedups"] in outcome.stdout
    calibrate(*QUICK, "--threads", "1", "--output", "one.toml").must_succeed()
    assert "coding-speedups" not in tomllib.loads((tmp_path / "one.toml").read_text())


def test_the_next_job_takes_the_settings(calibrate):
    calibrate(*QUICK).must_succeed()
    calibrate(*QUICK, "--output", "again.toml").must_succeed()


def test_settings_that_are_there_stay(calibrate, tmp_path):
    file = tmp_path / "tightwire.toml"
    file.write_text('mode = "raw"\n')
    refused(calibrate(*QUICK), tmp_path, "tightwire.toml is there already", "--force")
    assert file.read_text() == 'mode = "raw"\n'
    calibrate(*QUICK, "--force").must_succeed()
    assert set(tomllib.loads(file.read_text())) == THRESHOLDS


@pytest.mark.either_mpi
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--from", "3K"], ["--from", '"3K"', "power of two"]),
        (["--from", "8K", "--to", "4K"], ["--from 8K is larger than --to 4K"]),
        (["--error-bound", "nan"], ["--error-bound", '"nan"']),
        (["--error-bound", "none"], ["--error-bound", "nothing to measure"]),
        (["--collectives", "scan"], ["--collectives", '"scan"']),
        (["--data", "rough"], ["--data", '"rough"']),
        (["--seconds", "-1"], ["--seconds", '"-1"']),
        (["--seconds", "nan"], ["--seconds", '"nan"']),
        (["--bogus"], ["--bogus"]),
    ],
)
def test_bad_options(calibrate, tmp_path, arguments, words):
    refused(calibrate(*arguments), tmp_path, *words)
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_not_there(calibrate, tmp_path):
    outcome = calibrate(*QUICK, "--csv", "missing/calibration.csv")
    refused(outcome, tmp_path, "cannot write missing/calibration.csv")
    assert not list(tmp_path.iterdir())


def test_without_the_preload_library(calibrate, tmp_path):
    refused(calibrate(*QUICK, environment={}), tmp_path, "not running under tightwire")


def test_where_nothing_is_compressed(calibrate, family, tmp_path):
    outcome = calibrate(*QUICK, environment=family.preload())
    refused(outcome, tmp_path, "all ranks share one host", "TIGHTWIRE_SAME_HOST=compress")


def test_one_rank(calibrate, tmp_path):
    refused(calibrate(*QUICK, ranks=1), tmp_path, "one rank sends no messages")
