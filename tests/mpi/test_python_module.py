"""import tightwire in a job: python/tightwire/job.py."""

import sys
from pathlib import Path

import pytest
import python_mpi
from harness import Part

HERE = Path(__file__).parent
ROUNDING = 1e-12


def run(family, environment):
    if reason := python_mpi.why_not():
        pytest.skip(reason)
    variables = {**python_mpi.environment(family), "PYTHONPATH": str(HERE.parents[1] / "python")}
    command = [sys.executable, str(HERE / "programs" / "bounds_from_python.py")]
    return family.run(Part(3, command, {**environment, **variables}))


def test_bounds_hold_where_they_are_asked_for(family):
    outcome = run(family, family.preload({"same-host": "compress"})).must_succeed()
    said = dict(line.split(maxsplit=1) for line in outcome.stdout.splitlines())
    assert said["available"] == "True" and said["bound"] == "0.01"
    assert float(said["before"]) < ROUNDING and float(said["after"]) < ROUNDING
    assert 1e-6 < float(said["within"]) <= 1e-2
    assert 1e-7 < float(said["hinted"]) <= 1e-3
    assert said["restored"] == "none" and said["refused"] == "error-bound"
    assert int(said["calls"]) >= 2 and float(said["ratio"]) > 2


def test_without_tightwire_it_says_so(family):
    # Without the harness's libraries, too: they look for MPI's functions before Python loads them.
    outcome = run(family, {"LD_PRELOAD": ""})
    assert "available False" in outcome.stdout
    assert "does not run under Tightwire" in outcome.stderr
