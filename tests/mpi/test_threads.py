"""Threads that code pieces of one call: messages and bytes are the same as without them."""

import json
import os
import re

import pytest
from harness import Part

pytestmark = pytest.mark.alone

SETTINGS = {
    "same-host": "compress",
    "point-to-point": "on",
    "threshold-exact": "1",
    "threshold-pipelined": "1",
    "chunks": "8",
}
two_cores = pytest.mark.skipif(
    len(os.sched_getaffinity(0)) < 2, reason="a helper needs a second core"
)


def run(family, tmp_path, settings, *options, before=()):
    report = tmp_path / "report.json"
    command = [*before, str(family.program("check_messages")), *options]
    preload = family.preload({**SETTINGS, **settings, "report": str(report)})
    outcome = family.run(Part(3, command, preload)).must_succeed()
    assert re.search(r"^checks [1-9]\d*, failures 0$", outcome.stdout, re.MULTILINE), str(outcome)
    return json.loads(report.read_text())


def without_times(report):
    return [
        {key: value for key, value in row.items() if "seconds" not in key}
        for row in report["collectives"]
    ]


@two_cores
def test_same_messages_and_bytes(family, tmp_path):
    # What is predicted from earlier messages depends on when the receiver has said what it keeps.
    alone = run(family, tmp_path, {"threads": "1", "history": "off"})
    helped = run(family, tmp_path, {"threads": "2", "history": "off"})
    assert "helper" not in alone
    assert helped["helper"]["chunks"] > 0
    assert any(row["pipelined"] for row in alone["collectives"])
    assert without_times(helped) == without_times(alone)


@two_cores
@pytest.mark.parametrize("early", ["off", "on"])
def test_beside_threads_of_the_program(family, tmp_path, early):
    settings = {"threads": "2", "early": early}
    assert run(family, tmp_path, settings, "threads")["helper"]["chunks"] > 0


def test_spare_cores_only(family, tmp_path):
    run(family, tmp_path, {"threads": "auto"})


def test_none_on_a_single_core(family, tmp_path):
    core = str(min(os.sched_getaffinity(0)))
    before = ("taskset", "--cpu-list", core)
    assert "helper" not in run(family, tmp_path, {"threads": "auto"}, before=before)
    assert run(family, tmp_path, {"threads": "2"}, before=before)["helper"]["chunks"] == 0
