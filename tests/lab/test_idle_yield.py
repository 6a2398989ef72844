"""Ranks of MPICH that wait in the lab hand their core on; one that finds something does not."""

import os
import subprocess
from pathlib import Path

import pytest

from lab import mpi
from lab.state import Lab

LAB = Lab("idle", 2, "1gbit", "256k")


@pytest.fixture(scope="module")
def idle(tmp_path_factory):
    program = tmp_path_factory.mktemp("idle") / "idle"
    source = Path(__file__).with_name("idle.c")
    # Its sched_yield() stands for the system's in what is preloaded, too.
    subprocess.run(["cc", "-rdynamic", "-o", str(program), str(source)], check=True)
    return program


def prints(program, *arguments):
    env = os.environ | {"LD_PRELOAD": str(mpi.preloaded("idle_yield"))}
    done = subprocess.run(
        [program, *arguments], env=env, capture_output=True, text=True, check=True, timeout=60
    )
    return done.stdout


def test_one_that_asks_in_vain_gives_way(idle):
    assert prints(idle, "100") == "0 found, gave way 81 times\n"


def test_a_few_looks_between_work_keep_the_core(idle):
    assert prints(idle, "19") == "0 found, gave way 0 times\n"


def test_one_that_finds_something_keeps_the_core(idle):
    assert prints(idle, "100", "ready") == "100 found, gave way 0 times\n"


@pytest.mark.parametrize(("family", "choice", "yields"), [
    ("mpich", "yield", True),
    ("mpich", "spin", False),
    ("openmpi", "yield", True),
    ("openmpi", "spin", False),
])  # fmt: skip
def test_the_lab_tells_each_mpi(family, choice, yields):
    env = mpi.environment(LAB, family, {}, choice)
    if family == "mpich":
        assert ("idle_yield" in env["LD_PRELOAD"]) == yields
        assert "ucx_close" in env["LD_PRELOAD"]
    else:
        assert env["OMPI_MCA_mpi_yield_when_idle"] == str(int(yields))
