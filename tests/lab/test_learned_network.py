"""Collectives over a network of the lab: plain calls say how fast it is; nothing else is sent."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RUN = str(ROOT / "run")
BUILD = Path(os.environ.get("TIGHTWIRE_BUILD", ROOT / "build"))
CHECK = subprocess.run([RUN, "lab", "check"], capture_output=True, text=True)
RANKS = 2
CALLS = 4 * 24  # of a rank: Allgather, Alltoall, Scatter, Gather
pytestmark = [
    pytest.mark.skipif(CHECK.returncode != 0, reason=CHECK.stderr.strip()),
    pytest.mark.alone,
]


def in_lab(family, rate, job):
    """What the ranks print, each on a host of its own, and the bytes that went over the wire."""
    lab = f"{RUN} lab exec --mpi {family} -n {RANKS} --timeout 60 -- {' '.join(job)}"
    counted = f"{lab} && {RUN} lab counters --json"
    within = [RUN, "lab", "with", "--hosts", str(RANKS), "--rate", rate, "--", "sh", "-c", counted]
    done = subprocess.run(within, capture_output=True, text=True, timeout=90)
    assert done.returncode == 0, done.stdout + done.stderr
    printed, counters = done.stdout.split("{", 1)
    hosts = json.loads("{" + counters).values()
    return printed, sum(host["tx_bytes"] for host in hosts)


def collects_again(family, rate, *settings, data=()):
    program = BUILD / "tests" / "mpi" / family / "collects_again"
    if not program.exists():
        pytest.skip(f"the build has no test programs for {family}")
    launcher = [str(BUILD / "bin" / "tightwire"), *settings] if settings else []
    printed, sent = in_lab(family, rate, [*launcher, str(program), *data])
    assert re.search(r"failures 0$", printed, re.MULTILINE), printed
    return sent


def plain_bytes(family, data=()):
    """Of plain MPI, over a fast network: within a thousandth they are the same over a slow one,
    where it takes most of a minute."""
    return collects_again(family, "1gbit", data=data)


@pytest.mark.parametrize("family", ["openmpi", "mpich"])
def test_the_first_calls_go_plain_and_tell(family, tmp_path):
    report = tmp_path / "report.json"
    plain = plain_bytes(family)
    sent = collects_again(family, "20mbit", "--report", str(report))
    rows = json.loads(report.read_text())["collectives"]
    measuring = [row for row in rows if row["why_raw"] == "measuring"]
    # Two of each kind at most, for all kinds begin at once.
    assert 2 * RANKS <= sum(row["calls"] for row in measuring) <= 4 * 2 * RANKS
    compressed = sum(row["calls"] for row in rows if row["tier"] == "exact")
    assert compressed > 0.7 * CALLS * RANKS, rows
    assert sent < 0.5 * plain


@pytest.mark.parametrize("family", ["openmpi", "mpich"])
def test_where_nothing_shrinks_nothing_is_measured(family, tmp_path):
    report = tmp_path / "report.json"
    plain = plain_bytes(family, data=("noise",))
    alone = ("--history", "off")  # what was sent before tells of all that does not change
    sent = collects_again(family, "100mbit", "--report", str(report), *alone, data=("noise",))
    rows = json.loads(report.read_text())["collectives"]
    large = {row["why_raw"] for row in rows if row["message_bytes"] > 2**20}
    assert large == {"no-gain"}, rows
    assert sent < 1.005 * plain + 100_000
