"""Messages between two ranks over a network of the lab: their own times say how fast it is."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RUN = str(ROOT / "run")
BUILD = Path(os.environ.get("TIGHTWIRE_BUILD", ROOT / "build"))
CHECK = subprocess.run([RUN, "lab", "check"], capture_output=True, text=True)
STEPS = 60
pytestmark = [
    pytest.mark.skipif(CHECK.returncode != 0, reason=CHECK.stderr.strip()),
    pytest.mark.alone,
]


def in_lab(family, rate, job):
    """What two ranks print, each on a host of its own."""
    lab = [RUN, "lab", "exec", "--mpi", family, "-n", "2", "--timeout", "60", "--", *job]
    within = [RUN, "lab", "with", "--hosts", "2", "--rate", rate, "--", *lab]
    done = subprocess.run(within, capture_output=True, text=True, timeout=90)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def encoded_messages(report):
    """Rows of the report."""
    rows = json.loads(report.read_text())["collectives"]
    return [row for row in rows if row["collective"] == "Send" and row["tier"] != "raw"]


def run_in_time(family, rate, folder, name, *arguments):
    """Runs a test program whose messages resemble earlier ones: how many it sent, all of them
    right, and where the report is."""
    program = BUILD / "tests" / "mpi" / family / name
    if not program.exists():
        pytest.skip(f"the build has no test programs for {family}")
    report = folder / "report.json"
    settings = ["--report", str(report), "--threshold-exact", "4K"]
    job = [str(BUILD / "bin" / "tightwire"), *settings, str(program), *arguments]
    printed = in_lab(family, rate, job)
    sent, wrong = re.search(r"^messages (\d+), wrong (\d+)$", printed, re.MULTILINE).groups()
    assert int(wrong) == 0, printed
    return int(sent), report


@pytest.mark.parametrize("family", ["openmpi", "mpich"])
def test_on_a_slow_network_all_but_the_first_are_encoded(family, tmp_path):
    steps = ("blocking", str(STEPS), "0")
    sent, report = run_in_time(family, "20mbit", tmp_path, "steps_in_time", *steps)
    encoded = sum(row["calls"] for row in encoded_messages(report))
    assert 0.5 * sent < encoded <= sent - 2 * 6  # of each rank


def test_messages_of_some_kilobytes_are_encoded_without_being_told(tmp_path):
    pytest.importorskip("mpi4py")
    program = ROOT / "bench" / "programs" / "blast.py"
    job = ["env", "MPI4PY_MPIABI=openmpi", sys.executable, str(program), "30", "60"]
    report = tmp_path / "report.json"
    tightwire = [str(BUILD / "bin" / "tightwire"), "--report", str(report)]
    in_lab("openmpi", "100mbit", [*job, str(tmp_path / "plain")])
    in_lab("openmpi", "100mbit", [*tightwire, *job, str(tmp_path / "compressed")])
    assert (tmp_path / "plain").read_bytes() == (tmp_path / "compressed").read_bytes()
    encoded = encoded_messages(report)
    # 23 and 46 KB; the wave does not reach the other rank's side before the end.
    assert sum(row["bytes_before"] for row in encoded) > 2**20
    assert sum(row["bytes_after"] for row in encoded) < 0.3 * sum(
        row["bytes_before"] for row in encoded
    )


# Not an Open MPI Scatter, whose root is far ahead of its receivers' reports: it finds out in most
# runs, not in all.
@pytest.mark.parametrize(
    ("family", "way"),
    [
        *(("openmpi", "alltoall"), ("openmpi", "bcast")),
        *(("mpich", "alltoall"), ("mpich", "scatter"), ("mpich", "bcast")),
    ],
)
def test_what_only_earlier_blocks_tell_of_is_found_out(family, way, tmp_path):
    """Fields that are rough in space and smooth in time: a sample of one promises little."""
    sent, report = run_in_time(family, "50mbit", tmp_path, "collectives_in_time", way, "240")
    assert sent > 0
    history = json.loads(report.read_text())["history"]
    assert history["messages"] >= 5, history
    assert history["bytes_after"] <= 0.7 * history["bytes_before"], history


# Their first calls end in buffers, so the network seems fast; no rank knows what the others sent.
@pytest.mark.parametrize(
    ("family", "way"), [("openmpi", "alltoallv"), ("mpich", "gatherv"), ("openmpi", "scatterv")]
)
def test_calls_with_a_count_for_each_rank_find_out_that_the_network_is_slow(family, way, tmp_path):
    _, report = run_in_time(family, "50mbit", tmp_path, "collectives_in_time", way, "240")
    rows = json.loads(report.read_text())["collectives"]
    encoded = [row for row in rows if row["tier"] == "exact"]
    assert sum(row["calls"] for row in encoded) >= 60, rows
    assert sum(row["bytes_after"] for row in encoded) < 0.95 * sum(
        row["bytes_before"] for row in encoded
    )
