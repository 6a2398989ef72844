"""Programs that know nothing of Tightwire give the same results under it: programs/README.md."""

import sys
from pathlib import Path

import pytest
import python_mpi
from harness import Family, Part

PROGRAMS = ["in_c", "in_cxx", "in_mpif_h", "in_use_mpi", "in_use_mpi_f08", "in_mpi4py"]
RANKS = 3
BOUND = 1e-4
# A sum of a few terms of size 1 to 10, in single precision, in another order.
SUMMATION_ORDER = 1e-5


def command(family: Family, name: str) -> tuple[list[str], dict[str, str]]:
    if name == "in_mpi4py":
        if reason := python_mpi.why_not():
            pytest.skip(reason)
        script = Path(__file__).parent / "programs" / "in_mpi4py.py"
        return [sys.executable, str(script)], python_mpi.environment(family)
    if not family.program(name).exists():
        pytest.skip(f"{name} was not built: no compiler wrapper of {family.name} for its language")
    return [str(family.program(name))], {}


def lines(family: Family, name: str, *launcher: str) -> list[tuple[str, str, list[str]]]:
    words, environment = command(family, name)
    outcome = family.run(Part(RANKS, [*launcher, *words], environment)).must_succeed()
    split = [line.split() for line in outcome.stdout.splitlines()]
    assert len(split) > 40, str(outcome)
    return [(kind, what, values) for kind, what, *values in split]


@pytest.fixture(scope="module")
def plain():
    """Output of each program without Tightwire; run once."""
    seen = {}

    def get(family, name):
        key = (family.name, name)
        if key not in seen:
            seen[key] = lines(family, name)
        return seen[key]

    return get


def distance(ours: list[str], theirs: list[str]) -> float:
    assert len(ours) == len(theirs)
    return max((abs(float(a) - float(b)) for a, b in zip(ours, theirs, strict=True)), default=0)


def compare(ours, theirs, bound: float | None, order: float = 0) -> None:
    """`order`: what another order of adding may do to a sum."""
    assert [line[:2] for line in ours] == [line[:2] for line in theirs]
    moved_exactly = []
    for (kind, what, mine), (_, _, plain) in zip(ours, theirs, strict=True):
        if kind == "exact":
            assert mine == plain, what
        elif kind == "same":
            assert mine == ["yes"], what
        elif kind == "bytes":
            moved_exactly.append(mine == plain)
        else:
            assert kind == "close", what
            assert distance(mine, plain) <= (bound or 0) + order, what
    if bound is None:
        assert all(moved_exactly)
    else:
        # Else nothing was reduced, and this test would show nothing.
        assert not all(moved_exactly)


@pytest.mark.parametrize("name", PROGRAMS)
def test_exact_by_default(family, plain, name):
    """Bit for bit, sums too: those that round are left to MPI, whatever the network."""
    ours = lines(family, name, str(family.launcher), "--same-host", "compress")
    compare(ours, plain(family, name), bound=None)


@pytest.mark.either_mpi
@pytest.mark.parametrize("name", PROGRAMS)
def test_mode_exact(family, plain, name):
    ours = lines(family, name, str(family.launcher), "--same-host", "compress", "--mode", "exact")
    compare(ours, plain(family, name), bound=None, order=SUMMATION_ORDER)


@pytest.mark.parametrize("name", PROGRAMS)
def test_within_the_bound(family, plain, name):
    ours = lines(
        family, name, str(family.launcher), "--same-host", "compress", "--error-bound", str(BOUND)
    )
    compare(ours, plain(family, name), BOUND, order=SUMMATION_ORDER)


@pytest.mark.either_mpi
@pytest.mark.parametrize("name", PROGRAMS)
def test_raw_on_one_host(family, plain, name):
    """On one host nothing is compressed, bound or not."""
    ours = lines(family, name, str(family.launcher), "--error-bound", str(BOUND))
    compare(ours, plain(family, name), bound=None)
