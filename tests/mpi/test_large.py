"""Messages near and above 2 GiB. They need 12 GiB of memory and two to five minutes: set
TIGHTWIRE_TEST_LARGE=1 to run them."""

import json
import os
import re

import pytest
from harness import Part

pytestmark = [
    pytest.mark.timeout(600),
    pytest.mark.skipif(
        not os.environ.get("TIGHTWIRE_TEST_LARGE"), reason="needs 12 GiB: TIGHTWIRE_TEST_LARGE=1"
    ),
]

COLLECTIVE = {"allreduce": "Allreduce", "gather": "Gather"}


@pytest.mark.parametrize("mode", ["exact", "adaptive+pipelined"])
@pytest.mark.parametrize(
    "operation", ["bcast", "bcast-bytes", "bcast-records", "allreduce", "gather", "bcast-c"]
)
def test_large_messages(family, tmp_path, operation, mode):
    if operation == "bcast-c" and family.name == "openmpi":
        pytest.skip("Open MPI 4.1 has no MPI_Bcast_c")
    report = tmp_path / "report.json"
    settings = {"same-host": "compress", "mode": mode, "report": str(report)}
    # Without a bound, a sum that rounds is MPI's own in the adaptive modes.
    bounded = operation == "allreduce" and mode != "exact"
    settings |= {"error-bound": "0.25"} if bounded else {}
    part = Part(2, [str(family.program("large")), operation], family.preload(settings))
    outcome = family.run(part, limit=500).must_succeed()
    bytes_moved = re.search(r"^bytes (\d+), wrong 0$", outcome.stdout, re.MULTILINE)
    assert bytes_moved and int(bytes_moved[1]) >= 2**31 - 1, str(outcome)
    rows = json.loads(report.read_text())["collectives"]
    name = COLLECTIVE.get(operation, "Bcast")
    tier = "bounded" if bounded else "exact"
    assert any(row["collective"] == name and row["tier"] == tier for row in rows), rows


AS_THEY_ARE = {"mode": "exact"}  # as beyond 1 GiB all messages do that are not cut
IN_CHUNKS = {"mode": "adaptive+pipelined", "chunks": "8", "link": "100M", "memory-limit": "8G"}
WAYS = ["send", "send-noise", "send-blocks", "isend", "sendrecv", "probe", "mprobe", "persistent"]


@pytest.mark.parametrize("mode", [AS_THEY_ARE, IN_CHUNKS], ids=["as-they-are", "in-chunks"])
@pytest.mark.parametrize("way", [*WAYS, "send-c"])
def test_large_messages_between_two_ranks(family, tmp_path, way, mode):
    if way == "send-c" and family.name == "openmpi":
        pytest.skip("Open MPI 4.1 has no MPI_Send_c")
    report = tmp_path / "report.json"
    settings = {"same-host": "compress", "report": str(report), **mode}
    part = Part(2, [str(family.program("large")), way], family.preload(settings))
    outcome = family.run(part, limit=400).must_succeed()
    bytes_moved = re.search(r"^bytes (\d+), wrong 0$", outcome.stdout, re.MULTILINE)
    assert bytes_moved and int(bytes_moved[1]) > 2**31, str(outcome)
    rows = json.loads(report.read_text())["collectives"]
    compressed = {row["bytes_before"] for row in rows if row["collective"] == "Send"} - {0}
    expected = mode == IN_CHUNKS and way != "send-noise"
    assert compressed == ({int(bytes_moved[1])} if expected else set()), rows
