"""Allreduce, Reduce and Bcast against true answers, over ranks, modes, codecs and bounds.

Each test is one MPI job that goes through about a thousand cases; see check/. What the library says
it did (`--report`) shows that the tier and the codec under test were really at work.
"""

import json
import re
from dataclasses import dataclass, field

import pytest
from harness import Part, either_mpi, long

# Small, so that every tier is met with messages that are quick to check.
THRESHOLDS = {"exact": 1024, "bounded": 4096, "pipelined": 32768}
COLLECTIVES = {"Allreduce", "Reduce", "Bcast"}
SMALLEST_CHUNK = 32 << 10


@dataclass(frozen=True)
class Job:
    ranks: int = 4
    settings: dict[str, str] = field(default_factory=dict)
    # The first message size at which MPI's own algorithms have no part in the result.
    ours_from: int = THRESHOLDS["exact"]
    arguments: tuple[str, ...] = ()

    def all_settings(self) -> dict[str, str]:
        thresholds = {f"threshold-{tier}": str(size) for tier, size in THRESHOLDS.items()}
        return {"same-host": "compress", **thresholds, **self.settings}

    def command(self, family) -> list[str]:
        words = [
            str(family.program("check_collectives")),
            "--sizes=" + ",".join(map(str, THRESHOLDS.values())),
            f"--identical-from={self.ours_from}",
            *self.arguments,
        ]
        if bound := self.settings.get("error-bound"):
            words.append(f"--bound={bound}")
        if self.settings.get("bound-applies-to") == "contribution":
            words.append("--contribution")
        return words


@dataclass(frozen=True)
class Checked:
    stdout: str
    cases: int
    inexact: int
    rows: list[dict]  # of the report

    def codecs(self, tier: str) -> dict[str, set[str]]:
        """Which codecs each collective used in this tier."""
        used = {}
        for row in self.rows:
            if row["tier"] == tier and row["calls"] > 0:
                used.setdefault(row["collective"], set()).add(row["codec"])
        return used

    def pipelined(self) -> set[str]:
        return {row["collective"] for row in self.rows if row["pipelined"] and row["calls"] > 0}


@pytest.fixture
def check(family, tmp_path):
    def run(job: Job, limit: float = 240) -> Checked:
        report = tmp_path / "report.json"
        environment = family.preload({**job.all_settings(), "report": str(report)})
        outcome = family.run(Part(job.ranks, job.command(family), environment), limit=limit)
        outcome.must_succeed()
        summary = re.search(
            r"^cases (\d+), failures 0, inexact values (\d+)$", outcome.stdout, re.MULTILINE
        )
        assert summary, str(outcome)
        rows = json.loads(report.read_text())["collectives"]
        return Checked(outcome.stdout, int(summary[1]), int(summary[2]), rows)

    return run


@pytest.mark.parametrize("ranks", [1, 2, long(3), 5])
def test_exact_by_default(check, ranks):
    checked = check(Job(ranks))
    assert checked.cases > 700
    assert checked.inexact == 0
    if ranks > 1:
        assert checked.codecs("exact").keys() == COLLECTIVES
        assert checked.pipelined() == COLLECTIVES


@pytest.mark.parametrize("ranks", [1, long(2), 3, long(4), 5])
def test_within_the_bound(check, ranks):
    checked = check(Job(ranks, {"error-bound": "1e-4"}))
    if ranks > 1:
        assert checked.codecs("exact").keys() == COLLECTIVES
        assert checked.codecs("bounded").keys() == COLLECTIVES
        assert checked.pipelined() == COLLECTIVES
    assert (checked.inexact > 0) == (ranks > 1)


@pytest.mark.parametrize("ranks", [7, 8])
def test_more_ranks_than_cores(check, ranks):
    """Deeper trees, longer rings; fewer cases, since such runs are slow."""
    arguments = ("--sections=communicators,intercommunicators,user-operations",)
    checked = check(Job(ranks, {"error-bound": "1e-4"}, arguments=arguments))
    assert checked.codecs("bounded").keys() == COLLECTIVES


@pytest.mark.parametrize(
    ("bound", "ranks", "host_ranks"),
    [
        (None, 4, 2),
        either_mpi(None, 5, 3),
        ("1e-4", 4, 2),
        either_mpi("1e-4", 5, 3),
        *(long(*one) for one in [(None, 7, 4), ("1e-4", 7, 4)]),
    ],
)
def test_hosts_with_several_ranks(check, ranks, host_ranks, bound):
    """Hosts of 2 and 2, 3 and 2, 4 and 3 ranks."""
    settings = {"host-ranks": str(host_ranks), "algorithm": "ring"}
    settings |= {"error-bound": bound} if bound else {}
    checked = check(Job(ranks, settings))
    assert checked.codecs("bounded" if bound else "exact").keys() == COLLECTIVES


@pytest.mark.either_mpi
@pytest.mark.parametrize(
    ("mode", "tiers"),
    [
        ("raw", {"raw"}),
        ("exact", {"raw", "exact"}),
        ("bounded", {"raw", "exact", "bounded"}),
        ("adaptive", {"raw", "exact", "bounded"}),
        ("adaptive+pipelined", {"raw", "exact", "bounded"}),
    ],
)
def test_modes(check, mode, tiers):
    lossy = "bounded" in tiers
    settings = {"mode": mode, **({"error-bound": "1e-3"} if lossy else {})}
    everything = mode in ("exact", "bounded")
    checked = check(
        Job(4, settings, ours_from={"raw": 1 << 30}.get(mode, 0 if everything else 1024))
    )
    assert {row["tier"] for row in checked.rows if row["calls"] > 0} == tiers
    assert checked.pipelined() == (COLLECTIVES if mode == "adaptive+pipelined" else set())
    assert (checked.inexact > 0) == lossy


@pytest.mark.parametrize(("mode", "ours_from"), [("raw", 1 << 30), ("exact", 0)])
def test_a_bound_does_not_make_other_modes_lossy(check, mode, ours_from):
    checked = check(Job(3, {"mode": mode, "error-bound": "1e-2"}, ours_from))
    assert checked.inexact == 0


@pytest.mark.either_mpi
@pytest.mark.parametrize(
    "bound", [long("1e-1"), "1e-12", "1e-300", "1e6", "rel:1e-2", long("rel:1e-4")]
)
def test_bounds(check, bound):
    checked = check(Job(4, {"error-bound": bound}))
    # No grid for 1e-300 holds anything but zero.
    assert (checked.inexact > 0) == (bound != "1e-300")


@pytest.mark.either_mpi
@pytest.mark.parametrize("bound", ["1e-3", "rel:1e-3"])
def test_bound_on_contributions(check, bound):
    checked = check(Job(4, {"error-bound": bound, "bound-applies-to": "contribution"}))
    assert checked.codecs("bounded").keys() == COLLECTIVES


@pytest.mark.either_mpi
@pytest.mark.parametrize(
    ("mode", "ours_from", "codec"),
    [
        ("adaptive+pipelined", 1024, "exact"),
        ("adaptive+pipelined", 1024, "zstd"),
        ("exact", 0, "exact"),
        ("exact", 0, "lz4"),
        long("adaptive+pipelined", 1024, "lz4"),
        long("exact", 0, "zstd"),
    ],
)
def test_exact_codecs(check, codec, mode, ours_from):
    """In mode exact sums that round, too; see test_sums_without_a_bound_are_mpis_own."""
    checked = check(Job(4, {"mode": mode, "exact-codec": codec}, ours_from))
    used = checked.codecs("exact")
    assert {name: used.get(name) for name in COLLECTIVES} == {name: {codec} for name in COLLECTIVES}


@pytest.mark.either_mpi
@pytest.mark.parametrize("codec", ["bounded", "sz3", "zfp-accuracy", "zfp-rate"])
def test_bounded_codecs(check, codec):
    checked = check(Job(3, {"bounded-codec": codec, "error-bound": "1e-3"}))
    assert checked.codecs("bounded") == {name: {codec} for name in COLLECTIVES}
    assert checked.inexact > 0


@pytest.mark.either_mpi
@pytest.mark.parametrize("chunks", ["1", "3", long("64"), "65536"])
def test_chunks(check, chunks):
    check(Job(3, {"chunks": chunks, "error-bound": "1e-4"}))


@pytest.mark.parametrize(("ranks", "host_ranks"), [(16, None), (32, "2")])
def test_two_trees(check, ranks, host_ranks):
    """So many hosts that a Bcast in so many chunks goes along two (policy/cost/tree.h)."""
    settings = {"chunks": "8", "error-bound": "1e-4"}
    settings |= {"host-ranks": host_ranks, "algorithm": "ring"} if host_ranks else {}
    arguments = ("--sections=communicators", f"--sizes=4096,{8 * SMALLEST_CHUNK}")
    checked = check(Job(ranks, settings, arguments=arguments))
    assert checked.pipelined() == COLLECTIVES


@pytest.mark.parametrize("ranks", [3, 5])
def test_two_threads(check, ranks):
    """Also over communicators of which the ranks in the middle are in both."""
    checked = check(Job(ranks, {"error-bound": "1e-4"}, arguments=("--sections=threads",)))
    assert checked.codecs("bounded").keys() == COLLECTIVES


def test_two_threads_under_rules(check, tmp_path):
    rules = tmp_path / "rules.toml"
    rules.write_text(
        '[[rule]]\ncommunicator = "exact"\nmode = "exact"\n'
        '[[rule]]\ndatatype = "double"\nerror-bound = 1e-4\n'
    )
    arguments = ("--sections=threads", "--bound=1e-4")
    checked = check(Job(3, {"config": str(rules)}, arguments=arguments))
    assert checked.codecs("bounded").keys() == COLLECTIVES


def test_many_communicators(check):
    arguments = ("--sections=many-communicators",)
    checked = check(Job(2, {"mode": "exact"}, arguments=arguments))
    assert checked.codecs("exact")["Allreduce"]


def test_refused_calls_are_refused_alike(check, family):
    job = Job(3, {"error-bound": "1e-4"}, arguments=("--sections=invalid-arguments",))
    plain = family.run(Part(job.ranks, job.command(family))).must_succeed().stdout

    def refused(text):
        return [line for line in text.splitlines() if line.startswith("refused")]

    assert len(refused(plain)) >= 10 * len(THRESHOLDS)
    assert refused(check(job).stdout) == refused(plain)
