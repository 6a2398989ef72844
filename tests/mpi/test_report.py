"""The report at the end: what was passed to MPI as it is, and why, to the byte."""

import json
import re
from collections import Counter

import pytest
from harness import Part

LARGE = 1 << 20
BOTH = 2  # ranks
SMALL_MESSAGES = {("Send", "below-threshold"): (16, 10 * 64 + 6 * 400)}
COLLECTIVES = {
    ("Allreduce", "rounded-sum"): (4, 4 * LARGE),
    ("Bcast", "below-threshold"): (7, 700),
    ("Alltoall", "below-threshold"): (2, 2 * BOTH * 1000),
    ("Bcast", "same-host"): (1, LARGE),
}
ONE_SIDED = {("One-sided", "one-sided"): (5, 3 * 8192 + 40 + 56)}
ALWAYS = {**COLLECTIVES, **ONE_SIDED}
ALL_MESSAGES = (17, 10 * 64 + 6 * 400 + LARGE)
MESSAGES_OFF = {("Send", "off"): ALL_MESSAGES, **ONE_SIDED}
ALL_OFF = {
    **MESSAGES_OFF,
    ("Allreduce", "off"): (4, 4 * LARGE),
    ("Bcast", "off"): (8, 700 + LARGE),
    ("Alltoall", "off"): (2, 2 * BOTH * 1000),
}
EACH_A_HOST = {"host-ranks": "1"}
UNITS = {"B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}
CASES = {
    "hosts": (EACH_A_HOST, {**SMALL_MESSAGES, ("Send", "synchronous"): (1, LARGE), **ALWAYS}),
    "one-host": ({}, {("Send", "same-host"): ALL_MESSAGES, **ALWAYS}),
    "off": ({**EACH_A_HOST, "point-to-point": "off"}, {**MESSAGES_OFF, **COLLECTIVES}),
    "raw": ({**EACH_A_HOST, "mode": "raw"}, ALL_OFF),
}


def passed_through(report) -> dict[tuple[str, str], tuple[int, int]]:
    """Calls and bytes of a rank."""
    calls: Counter = Counter()
    size: Counter = Counter()
    for row in report["collectives"]:
        assert row["tier"] == "raw", row
        key = (row["collective"], row["why_raw"])
        calls[key] += row["calls"]
        size[key] += row["message_bytes"]
    return {key: (calls[key] // BOTH, size[key] // BOTH) for key in calls}


@pytest.mark.parametrize("case", CASES)
def test_all_calls_are_told_of(family, tmp_path, case):
    settings, expected = CASES[case]
    file = tmp_path / "report.json"
    settings = {**settings, "report": str(file), "verbose": "on"}
    program = [str(family.program("many_kinds"))]
    outcome = family.run(Part(BOTH, program, family.preload(settings))).must_succeed()
    report = json.loads(file.read_text())
    assert passed_through(report) == expected

    rows = report["collectives"]
    last = re.search(r"^all +(\d+) +([\d.]+) (\w+) ", outcome.stderr, re.MULTILINE)
    assert last, outcome.stderr
    assert int(last[1]) == sum(row["calls"] for row in rows)
    size = float(last[2]) * UNITS[last[3]]
    assert size == pytest.approx(sum(row["message_bytes"] for row in rows), rel=0.02)


def test_blocks_that_do_not_shrink_are_told_so(family, tmp_path):
    """Of a v-operation, in which ranks find that out each for itself."""
    file = tmp_path / "report.json"
    settings = {**EACH_A_HOST, "link": "10M", "threshold-exact": "4K", "report": str(file)}
    program = [str(family.program("noise_and_waves")), "alltoallv"]
    family.run(Part(BOTH, program, family.preload(settings))).must_succeed()
    reasons = {row["why_raw"] for row in json.loads(file.read_text())["collectives"]}
    assert "no-gain" in reasons
    assert "unhandled" not in reasons


REMARKS = {
    "sums": (EACH_A_HOST, "are sums of floating-point numbers"),
    "one-host": ({}, f"all {BOTH} ranks are on one host"),
    "beside-a-report": ({**EACH_A_HOST, "verbose": "on"}, "are sums of floating-point numbers"),
    "quiet": ({**EACH_A_HOST, "quiet": "on"}, None),
    "raw": ({**EACH_A_HOST, "mode": "raw"}, None),
    "gained": ({**EACH_A_HOST, "mode": "exact"}, None),
}


@pytest.mark.parametrize("case", REMARKS)
def test_one_line_says_why_nothing_was_gained(family, case):
    settings, words = REMARKS[case]
    program = [str(family.program("many_kinds"))]
    outcome = family.run(Part(BOTH, program, family.preload(settings))).must_succeed()
    said = [line for line in outcome.stderr.splitlines() if "nothing was gained" in line]
    assert len(said) == (1 if words else 0), outcome.stderr
    assert all(words in line for line in said), said
    if "verbose" not in settings:
        assert "tightwire" not in "".join(set(outcome.stderr.splitlines()) - set(said))


def test_tools_read_the_counters(family):
    settings = {**EACH_A_HOST, "mode": "bounded", "error-bound": "1e-3", "same-host": "compress"}
    program = [str(family.program("reads_variables"))]
    outcome = family.run(Part(BOTH, program, family.preload(settings))).must_succeed()
    assert outcome.stdout == "compressed 3, wrong 0\n"
