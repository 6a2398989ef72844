"""Two hosts of two ranks over a real network of the lab: sums over lanes have the same bits as
along one ring, and fewer bytes cross the network."""

import json
import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RUN = str(ROOT / "run")
BUILD = Path(os.environ.get("TIGHTWIRE_BUILD", ROOT / "build"))
CHECK = subprocess.run([RUN, "lab", "check"], capture_output=True, text=True)
pytestmark = [
    pytest.mark.skipif(CHECK.returncode != 0, reason=CHECK.stderr.strip()),
    pytest.mark.alone,
]
SETTINGS = ("--mode", "bounded", "--error-bound", "1e-3", "--algorithm", "ring")


def sums(family: str, lanes: str) -> tuple[str, int]:
    """Digest of the sums, and the bytes that crossed the links for them."""
    program = BUILD / "tests" / "mpi" / family / "any_order"
    if not program.exists():
        pytest.skip(f"the build has no test programs for {family}")
    tightwire = [str(BUILD / "bin" / "tightwire"), *SETTINGS, "--lanes", lanes]
    placed = ["--mpi", family, "-n", "4", "--ranks-per-host", "2", "--timeout", "100"]
    job = [RUN, "lab", "exec", *placed, "--", *tightwire, str(program), "300000"]
    script = f"{shlex.join(job)} && {shlex.quote(RUN)} lab counters --json"
    within = [RUN, "lab", "with", "--hosts", "2", "--rate", "1gbit", "--", "sh", "-c", script]
    done = subprocess.run(within, capture_output=True, text=True, timeout=150)
    assert done.returncode == 0, done.stdout + done.stderr
    digest = re.search(r"^digest (\w+)$", done.stdout, re.MULTILINE)
    counts = json.loads(done.stdout.splitlines()[-1])
    return digest[1], sum(host["tx_bytes"] for host in counts.values())


@pytest.mark.parametrize("family", ["openmpi", "mpich"])
def test_lanes_give_the_same_sums_for_fewer_bytes(family):
    flat, flat_bytes = sums(family, "off")
    lanes, lane_bytes = sums(family, "on")
    assert lanes == flat
    # Among the orders of the ranks are some in which a ring crosses the network at every step.
    assert lane_bytes < 0.8 * flat_bytes
