"""A bounded sum has the same bits whatever the order of the ranks, the algorithm and the chunks."""

import json
import re

import pytest
from harness import Part

SETTINGS = {
    "same-host": "compress",
    "mode": "bounded",
    "error-bound": "1e-3",
}
RING = {"algorithm": "ring"}  # which lanes take the place of
VARIANTS = [
    {},
    {"mode": "adaptive+pipelined", "threshold-bounded": "1K", "threshold-pipelined": "1K"},
    {"mode": "adaptive+pipelined", "threshold-bounded": "1K", "threshold-pipelined": "1K",
     "chunks": "3", "host-ranks": "2", **RING},
    {"algorithm": "tree"},
    {"algorithm": "recursive-doubling"},
    {"algorithm": "rabenseifner"},
    {"host-ranks": "2", **RING},
    {"host-ranks": "3", **RING},
    {"host-ranks": "2", "lanes": "off", **RING},
]  # fmt: skip


@pytest.fixture
def run(family, tmp_path):
    """Sums with these settings; gives the digest and the report."""

    def run(ranks, settings, count=20000):
        report = tmp_path / "report.json"
        environment = family.preload({**SETTINGS, **settings, "report": str(report)})
        command = [str(family.program("any_order")), str(count)]
        outcome = family.run(Part(ranks, command, environment), limit=120).must_succeed()
        digest = re.search(r"^digest (\w+)$", outcome.stdout, re.MULTILINE)
        return digest[1], json.loads(report.read_text())["collectives"]

    return run


def bytes_before(rows, collective):
    return sum(row["bytes_before"] for row in rows if row["collective"] == collective)


@pytest.mark.either_mpi
@pytest.mark.parametrize(("ranks", "applies_to"), [(4, "result"), (5, "contribution")])
def test_same_bits_in_every_order_and_algorithm(run, ranks, applies_to):
    digests = {run(ranks, {**v, "bound-applies-to": applies_to})[0]: v for v in VARIANTS}
    assert len(digests) == 1, digests


def test_13_ranks(run):
    assert run(13, {})[0] == run(13, {"host-ranks": "4", **RING})[0]


def test_lanes_send_less_across_the_network(run):
    """Two hosts of two ranks: a message crosses once each way, not along a ring of four."""
    lanes = run(4, {"host-ranks": "2", **RING})[1]
    flat = run(4, {"host-ranks": "2", "lanes": "off", **RING})[1]
    # A ring of n sends 2 (n - 1) messages in all; here two rings of 2, each with half a message.
    assert bytes_before(flat, "Allreduce") / bytes_before(lanes, "Allreduce") == pytest.approx(
        (2 * 3) / (2 * 2 * 1 / 2), rel=0.01
    )
    assert bytes_before(lanes, "Reduce_scatter") < bytes_before(flat, "Reduce_scatter") / 2


def test_without_a_bound_the_order_shows(run):
    """So the test can fail: floating-point sums depend on their order."""
    with pytest.raises(AssertionError, match="FAILED"):
        run(4, {"mode": "exact"})
