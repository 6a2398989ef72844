"""Early compression: nothing stale arrives, and what was ready is counted."""

import json
import re

import pytest
from harness import Part

SETTINGS = {"same-host": "compress", "point-to-point": "on", "mode": "exact"}


def run(family, tmp_path, settings, name="sends_again", *words, ranks=3):
    report = tmp_path / "report.json"
    program = str(family.program(name))
    settings = {**SETTINGS, **settings, "report": str(report)}
    outcome = family.run(Part(ranks, [program, *words], family.preload(settings))).must_succeed()
    assert re.search(r"^checks [1-9]\d*, failures 0$", outcome.stdout, re.MULTILINE), str(outcome)
    return json.loads(report.read_text())


@pytest.mark.parametrize("mechanism", ["auto", "wp-async", "wp-sync", "hash"])
@pytest.mark.parametrize("mode", ["auto", "on"])
def test_nothing_stale_arrives(family, tmp_path, mode, mechanism):
    early = run(family, tmp_path, {"early": mode, "early-mechanism": mechanism})["early"]
    assert early["ready"] + early["recompressed"] == early["chunks"]
    if mode == "on":
        # The unchanged buffer alone: three sends in each round but the first ones. How many of the
        # others are coded in time is for the clock to decide.
        assert early["ready"] > 40
        assert early["recompressed"] > 40


@pytest.mark.parametrize("mechanism", ["wp-async", "wp-sync", "hash"])
def test_memory_that_changes_in_odd_ways(family, tmp_path, mechanism):
    # What is predicted from earlier messages is not coded before the send.
    settings = {"early": "on", "early-mechanism": mechanism, "history": "off"}
    early = run(family, tmp_path, settings, "sends_from_odd_memory", ranks=2)["early"]
    # Of 21 buffers 16 are sent unchanged every other time; in 10 of them most parts never change,
    # and these go in chunks. Where writes are noticed by protection, not all memory can be watched.
    assert early["ready"] > 250
    assert early["recompressed"] > 150


def test_a_pipelined_message_is_ready_by_chunks(family, tmp_path):
    settings = {"mode": "adaptive+pipelined", "threshold-exact": "1", "threshold-pipelined": "1"}
    early = run(family, tmp_path, {**settings, "early": "on", "chunks": "8"})["early"]
    assert early["chunks"] > early["sends"]
    assert early["ready"] > 80


def test_only_the_rewritten_part_of_a_message_is_coded_again(family, tmp_path):
    # In mode exact nothing else is cut: the 38 messages of 2 MiB are by early compression.
    early = run(family, tmp_path, {"early": "on", "early-mechanism": "hash"})["early"]
    assert early["ready"] >= 38 * 30


@pytest.mark.parametrize(
    ("mechanism", "words"), [("wp-async", []), ("hash", []), ("hash", ["persistent"])]
)
def test_collective_calls_take_what_is_ready(family, tmp_path, mechanism, words):
    # What is predicted from earlier messages is not coded before the send.
    settings = {"early": "on", "early-mechanism": mechanism, "history": "off"}
    early = run(family, tmp_path, settings, "collects_again", *words)["early"]
    # A round's blocks: 3 of Allgather, 6 of Alltoall, 2 of Scatter, 2 of Gather. The first sends of
    # the nine buffers are not tracked. How many are ready in time the clock decides.
    assert early["chunks"] == 13 * 24 - 9
    assert early["ready"] > 13 * 5
    assert early["recompressed"] > 0


def test_off_by_default(family, tmp_path):
    assert "early" not in run(family, tmp_path, {})


def test_a_limit_of_memory_is_kept(family, tmp_path):
    early = run(family, tmp_path, {"early": "on", "early-memory": "4K"})["early"]
    assert early["chunks"] == 0
    assert early["left_alone"] > 0
