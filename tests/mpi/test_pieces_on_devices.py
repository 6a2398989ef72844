"""Large buffers on a GPU, whose copies go on in pieces while messages are coded and sent. The
library in place of CUDA's driver copies as late as it may, and ends a program that writes to what
is being copied."""

import re

import pytest
from harness import Part, either_mpi, long

SETTINGS = {
    "same-host": "compress",
    "point-to-point": "on",
    "chunks": "8",
    "history": "off",
    "device": "stage",
}
BY_SAMPLES = {"link": "100M", "same-host": "raw", "host-ranks": "1"}
BOUNDED = {"error-bound": "1e-3"}
ALL = ["messages", "maxima", "sums", "moves"]
# Two pieces, and some more.
MIB = 9


def job(family, what, environment, *more, driver=True, mib=MIB):
    command = [
        str(family.program("pieces_on_device")),
        str(family.program("libcuda.so.1")) if driver else "-",
        what,
        str(mib),
        *more,
    ]
    return family.run(Part(2, command, environment), limit=120).must_succeed()


def told(outcome):
    """How often a piece was waited for, and how often the default stream was idle, of all ranks."""
    found = re.findall(r"^\d awaited (\d+) idle (\d+)$", outcome.stderr, re.MULTILINE)
    assert len(found) == 2, str(outcome)
    return tuple(sum(int(one) for one in numbers) for numbers in zip(*found, strict=True))


@pytest.fixture(scope="module")
def plain_lines():
    """Of plain MPI, by its name and what is done: they depend on nothing else."""
    return {}


@pytest.fixture
def compare(family, plain_lines):
    """The same lines as with memory of the host, by plain MPI where nothing may differ; what the
    driver was asked for."""

    def go(what, settings):
        environment = family.preload(SETTINGS | settings)
        place = (family.name, what)
        if "error-bound" in settings:
            on_host = job(family, what, environment, driver=False).stdout.splitlines()
        else:
            if place not in plain_lines:
                outcome = job(family, what, family.plain(), driver=False)
                plain_lines[place] = outcome.stdout.splitlines()
            on_host = plain_lines[place]
        outcome = job(family, what, environment)
        assert outcome.stdout.splitlines() == on_host, str(outcome)
        assert len(outcome.stdout.splitlines()) >= 18
        return told(outcome)

    return go


def named(settings):
    return " ".join(settings.values()) or "exact"


@pytest.mark.parametrize(
    "settings",
    [
        {},
        BOUNDED,
        either_mpi({"device": "compress"}),
        either_mpi({"threads": "3"}),
        either_mpi({"mode": "exact"}),
        either_mpi(BY_SAMPLES),
        long({"device": "auto"}),
        long({"history": "auto"}),
        long({"early": "on", "early-mechanism": "hash"}),
        long({"algorithm": "ring"}),
        long(BOUNDED | {"algorithm": "ring", "threads": "3"}),
    ],
    ids=named,
)
@pytest.mark.parametrize("what", ALL)
def test_all_bytes_arrive(compare, what, settings):
    awaited, idle = compare(what, settings)
    if "mode" in settings or (what == "sums" and "error-bound" not in settings):
        return
    assert awaited > 0
    assert idle > 0


@pytest.mark.either_mpi
@pytest.mark.parametrize("what", ALL)
def test_so_they_do_unencoded(compare, what):
    compare(what, {"mode": "raw"})


@pytest.mark.either_mpi
@pytest.mark.parametrize("what", ALL)
def test_smaller_buffers_go_at_once(family, what):
    outcome = job(family, what, family.preload(SETTINGS), mib=7)
    assert told(outcome) == (0, 0)


@pytest.mark.parametrize("call", ["send", "isend", "bcast", "allreduce", "scatter"])
def test_what_cannot_be_copied_is_told_to_both(family, call):
    """The second piece, when others are on their way."""
    environment = family.preload(SETTINGS) | {"FAKE_CUDA": "fails-late"}
    outcome = job(family, "bad", environment, call)
    lines = sorted(outcome.stdout.splitlines())
    assert lines == ["rank 0: MPI_ERR_BUFFER", "rank 1: another error"], str(outcome)
    (line,) = [line for line in outcome.stderr.splitlines() if "in the memory of a GPU" in line]
    for part in ("rank 0", f"MPI_{call.capitalize()}", "error 719 of CUDA's driver"):
        assert part in line
