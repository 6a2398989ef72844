"""Random schedules of point-to-point messages, plain and under tightwire: the same outcome, byte
for byte and status for status.

semantics/ says what a schedule may hold and why it cannot hang. A test is a job that goes through
hundreds of schedules. A failure names the seed of the first schedule that differs and the command
lines that perform it alone; TIGHTWIRE_SEMANTICS_SEED and TIGHTWIRE_SEMANTICS_COUNT set where the
seeds begin and how many each test takes.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path

import pytest
from harness import Family, Outcome, Part

FIRST_SEED = int(os.environ.get("TIGHTWIRE_SEMANTICS_SEED", "1"))
COUNT = int(os.environ.get("TIGHTWIRE_SEMANTICS_COUNT", "120"))
THRESHOLD = 4096
SETTINGS = {
    "same-host": "compress",
    "point-to-point": "on",
    "threshold-exact": str(THRESHOLD),
}


@dataclass(frozen=True)
class Job:
    ranks: int
    seed: int = FIRST_SEED
    count: int = COUNT
    settings: dict[str, str] | None = None  # None: plain MPI
    arguments: tuple[str, ...] = ()

    def perform(self, family: Family, folder: Path, limit: float = 300) -> Outcome:
        folder.mkdir(exist_ok=True)
        command = [
            str(family.program("check_semantics")),
            f"--seed={self.seed}",
            f"--count={self.count}",
            f"--folder={folder}",
            f"--threshold={THRESHOLD}",
            *self.arguments,
        ]
        return family.run(Part(self.ranks, command, self.environment(family)), limit=limit)

    def environment(self, family: Family) -> dict[str, str]:
        return family.plain() if self.settings is None else family.preload(self.settings)


@dataclass(frozen=True)
class Log:
    """What one rank wrote."""

    schedules: dict[int, list[str]] = field(default_factory=dict)
    begun: int = 0

    @classmethod
    def read(cls, file: Path) -> Log:
        schedules, begun, lines = {}, 0, []
        for line in file.read_text().splitlines() if file.exists() else []:
            word, _, rest = line.partition(" ")
            if word == "begins":
                begun = int(rest)
            elif word == "schedule":
                lines = schedules.setdefault(int(rest), [])
            else:
                lines.append(line)
        return cls(schedules, begun)


@dataclass(frozen=True)
class Difference:
    seed: int
    rank: int
    plain: str
    other: str


def differences(plain: Path, other: Path, ranks: int) -> list[Difference]:
    """At most one for each schedule and rank, by seed."""
    found = []
    for rank in range(ranks):
        logs = [Log.read(folder / f"rank-{rank}.log").schedules for folder in (plain, other)]
        for seed in sorted(logs[0].keys() | logs[1].keys()):
            lines = [log.get(seed, []) for log in logs]
            for a, b in zip_longest(*lines, fillvalue="(nothing)"):
                if a != b:
                    found.append(Difference(seed, rank, a, b))
                    break
    return sorted(found, key=lambda difference: difference.seed)


def how_to_repeat(job: Job, family: Family, seed: int) -> str:
    words = f"{family.program('check_semantics')} --seed={seed} --count=1 --threshold={THRESHOLD}"
    settings = " ".join(
        f"{name}={value}" for name, value in job.environment(family).items() if value
    )
    return (
        f"{family.mpirun} -n {job.ranks} env {settings} {words} {' '.join(job.arguments)}\n"
        f"or: TIGHTWIRE_SEMANTICS_SEED={seed} TIGHTWIRE_SEMANTICS_COUNT=1 (alone), or the whole "
        f"run: --seed={job.seed} --count={job.count}"
    )


def explain(job: Job, family: Family, found: list[Difference]) -> str:
    first = found[0]
    return (
        f"seed {first.seed}, rank {first.rank} ({len(found)} schedules and ranks differ)\n"
        f"  plain:     {first.plain}\n"
        f"  tightwire: {first.other}\n"
        f"{how_to_repeat(job, family, first.seed)}"
    )


def must_end(job: Job, family: Family, outcome: Outcome, folder: Path) -> None:
    if outcome.code == 0 and not outcome.timed_out:
        return
    begun = max(Log.read(folder / f"rank-{rank}.log").begun for rank in range(job.ranks))
    pytest.fail(f"at seed {begun}:\n{how_to_repeat(job, family, begun)}\n{outcome}")


@pytest.fixture(scope="session")
def plain_logs(tmp_path_factory):
    """Where the logs of a job under plain MPI are; tests that ask for the same one share them."""
    folders: dict[tuple[Family, Job], Path] = {}

    def logs(family: Family, job: Job) -> Path:
        if (family, job) not in folders:
            folder = tmp_path_factory.mktemp("plain")
            must_end(job, family, job.perform(family, folder), folder)
            folders[family, job] = folder
        return folders[family, job]

    return logs


@pytest.fixture
def agree(family, tmp_path, plain_logs):
    """Performs the schedules plain and under tightwire; returns the lines of all logs."""

    def run(job: Job) -> list[str]:
        plain = Job(job.ranks, job.seed, job.count, None, job.arguments)
        folders = plain_logs(family, plain), tmp_path / "tightwire"
        must_end(job, family, job.perform(family, folders[1]), folders[1])
        if found := differences(*folders, job.ranks):
            pytest.fail(explain(job, family, found))
        return [
            line
            for rank in range(job.ranks)
            for lines in Log.read(folders[0] / f"rank-{rank}.log").schedules.values()
            for line in lines
        ]

    return run


# What plain MPI must have shown, so that the comparison is of something.
WRONG = re.compile("[A-Z]{4}")
BEGINNINGS = "look ", "mistake ", "attribute ", "reduce ", "file ok", "communicators "
WITHIN = " waits", " generalized "


@pytest.mark.parametrize("ranks", [2, 3, 4])
def test_plain_mpi_twice(agree, ranks):
    """The schedules cannot hang, and their logs hold nothing that is left to time."""
    lines = agree(Job(ranks, settings=None))
    assert not [line for line in lines if WRONG.search(line)]
    assert len(lines) > 8 * COUNT
    if COUNT >= 150 and ranks < 4:  # generate.cpp leaves some out for Open MPI
        log = "\n".join(lines)
        for part in [*(f"\n{beginning}" for beginning in BEGINNINGS), *WITHIN]:
            assert part in log


@pytest.mark.parametrize("fault", ["byte", "guard", "source", "tag", "count"])
def test_a_fault_is_found(family, tmp_path, fault):
    job = Job(2, count=20)
    folders = tmp_path / "plain", tmp_path / "faulty"
    job.perform(family, folders[0]).must_succeed()
    faulty = Job(2, count=20, arguments=(f"--fault={fault}",))
    faulty.perform(family, folders[1]).must_succeed()
    assert not differences(folders[0], folders[0], 2)
    found = differences(*folders, 2)
    assert found
    assert f"seed {found[0].seed}, rank" in explain(job, family, found)


@pytest.mark.parametrize("ranks", [2, 3, 4])
def test_exact_by_default(agree, ranks):
    agree(Job(ranks, settings=SETTINGS))


def test_always_compressed(agree):
    agree(Job(3, settings={**SETTINGS, "mode": "exact", "exact-codec": "lz4"}))


def test_within_the_bound(agree):
    settings = {**SETTINGS, "threshold-bounded": str(THRESHOLD), "error-bound": "1e-3"}
    agree(Job(3, settings=settings, arguments=("--bound=1e-3",)))


def test_chosen_by_cost(agree):
    """Between hosts whose network is known, each message goes the way that the model finds best."""
    settings = {
        "point-to-point": "on",
        "host-ranks": "1",
        "link": "200M",
        "mode": "adaptive+pipelined",
        "threshold-exact": str(THRESHOLD),
        "threshold-pipelined": "16K",
    }
    agree(Job(3, settings=settings))


def test_cut_small(agree):
    """All that can be cut goes in as many chunks as can be, derived datatypes too."""
    chunks = {"threshold-pipelined": "16K", "chunks": "1000"}
    agree(Job(3, count=COUNT // 2, settings={**SETTINGS, **chunks}))


def test_threads(agree):
    """Three threads at a time, each with a schedule and communicators of its own."""
    agree(Job(3, settings=SETTINGS, arguments=("--threads=3",)))
