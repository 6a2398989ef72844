"""./run bench p2p: the methods that it runs, each in a job of its own."""

import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))
import p2p_plot

import p2p

ROW = "row,latency,{method},1048576,smooth,500.0,us,1000.0,0.500\n"


@pytest.fixture
def asked(monkeypatch, tmp_path):
    """What the benchmark asks of its jobs, which measure nothing."""
    jobs = []

    def measure(_mpi, _hosts, _shape, arguments, _settings, _program, capture):
        assert capture
        methods = next(a for a in arguments if a.startswith("--methods="))
        jobs.append(methods.removeprefix("--methods="))
        return ROW.format(method=jobs[-1].removeprefix("raw,"))

    monkeypatch.setattr(p2p, "measure", measure)
    monkeypatch.setattr(subprocess, "run", lambda *_: subprocess.CompletedProcess([], 0))

    def run(*options):
        options = ["p2p.py", f"--results={tmp_path}", "--links=10", "--only=large", *options]
        monkeypatch.setattr(sys, "argv", options)
        with pytest.raises(SystemExit):
            p2p.main()
        rows = (tmp_path / "p2p.csv").read_text().splitlines()[1:]
        return jobs, [row.split(",")[1] for row in rows]

    return run


def test_all_methods_are_run_beside_raw_each_in_a_job_of_its_own(asked):
    jobs, rows = asked()
    others = list(p2p.METHODS[1:])
    assert "bounded+helper" in others
    assert jobs == [f"raw,{method}" for method in others]
    assert sorted(rows) == sorted(others)


def test_one_with_a_second_thread_can_be_run_alone(asked):
    assert asked("--methods=bounded+helper") == (["raw,bounded+helper"], ["bounded+helper"])


def test_the_program_knows_all_methods(build_folder):
    if not (program := build_folder / "bin" / "bench-p2p-mpich").exists():
        pytest.skip("the build has no MPICH")
    said = subprocess.run([program, "--help"], capture_output=True, text=True, timeout=60).stdout
    known = said.split("--methods")[1].split("{")[1].split("}")[0].replace(" ", "")
    assert set(p2p.METHODS) <= set(known.split(",")), said


def test_the_picture_has_a_colour_for_all_that_compress():
    compressing = {m for m in p2p.METHODS if m not in ("raw", "passed")}
    assert compressing == set(p2p_plot.COLOURS)
