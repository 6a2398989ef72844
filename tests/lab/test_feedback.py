"""Messages between two ranks over a network of the lab: their own times say how fast it is."""

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
STEPS = 60
pytestmark = [
    pytest.mark.skipif(CHECK.returncode != 0, reason=CHECK.stderr.strip()),
    pytest.mark.alone,
]


def rows_of(family, rate, folder):
    """What the report says of messages that are encoded exactly, of so many that were sent."""
    program = BUILD / "tests" / "mpi" / family / "steps_in_time"
    if not program.exists():
        pytest.skip(f"the build has no test programs for {family}")
    report = folder / "report.json"
    settings = ["--report", str(report), "--threshold-exact", "4K"]
    job = [str(BUILD / "bin" / "tightwire"), *settings, str(program), "blocking", str(STEPS), "0"]
    lab = [RUN, "lab", "exec", "--mpi", family, "-n", "2", "--timeout", "60", "--", *job]
    within = [RUN, "lab", "with", "--hosts", "2", "--rate", rate, "--", *lab]
    done = subprocess.run(within, capture_output=True, text=True, timeout=90)
    assert done.returncode == 0, done.stdout + done.stderr
    sent, wrong = re.search(r"^messages (\d+), wrong (\d+)$", done.stdout, re.MULTILINE).groups()
    assert int(wrong) == 0, done.stdout
    rows = json.loads(report.read_text())["collectives"]
    encoded = [row["calls"] for row in rows if row["collective"] == "Send" and row["tier"] != "raw"]
    return sum(encoded), int(sent)


@pytest.mark.parametrize("family", ["openmpi", "mpich"])
def test_on_a_slow_network_all_but_the_first_are_encoded(family, tmp_path):
    encoded, sent = rows_of(family, "20mbit", tmp_path)
    assert 0.5 * sent < encoded <= sent - 2 * 6  # of each rank
