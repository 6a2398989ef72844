"""--timeline: what each rank did when, on one clock, in the format that Perfetto reads."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from harness import Part
from trace_format import read_trace

MERGE = Path(__file__).parents[2] / "src" / "plot" / "timeline.py"
COMPRESSED = {
    "host-ranks": "1", "same-host": "compress", "mode": "bounded", "error-bound": "1e-3",
}  # fmt: skip
APART = 1000  # seconds
# Half of a message's way, on a machine that is busy with other things: far below APART.
ALIGNED = 1e6  # microseconds


def merged(folder):
    parts = sorted(folder.glob("trace.rank*.json"))
    subprocess.run([sys.executable, MERGE, *parts, "-o", "all.json"], cwd=folder, check=True)
    return read_trace(folder / "all.json")


def sums(family, folder, *before, **settings):
    """Three sums, by ranks of which each of `before` gives one a start of its own."""
    program = [str(family.program("is_ended")), "forks"]
    preload = family.preload({**COMPRESSED, "timeline": str(folder / "trace.json"), **settings})
    parts = [Part(1, [*words, *program], preload) for words in (before or ((), ()))]
    family.run(*parts, folder=folder).must_succeed()
    return merged(folder)


def test_calls_and_what_they_are_made_of(family, tmp_path):
    spans = sums(family, tmp_path)
    assert {span["pid"] for span in spans} == {0, 1}
    calls = [span for span in spans if span["name"] == "MPI_Allreduce" and span["pid"] == 0]
    assert len(calls) == 3
    inside = {
        span["name"]
        for span in spans
        if span["pid"] == 0 and span["ts"] >= calls[0]["ts"] and span["cat"] != "call"
    }
    assert {"encode", "combine", "decode", "send", "wait"} <= inside
    sent = [span for span in spans if span["name"] == "send" and span["pid"] == 0]
    assert all(span["args"]["rank"] == 1 and span["args"]["bytes"] > 0 for span in sent)


def inside(spans, call):
    """Names of what a rank was at work on in its calls, in order."""
    for one in spans:
        if one["name"] == call:
            end = one["ts"] + one["dur"]
            within = [s for s in spans if s["cat"] != "call" and one["ts"] <= s["ts"] < end]
            yield [span["name"] for span in sorted(within, key=lambda span: span["ts"])]


def test_an_alltoall_sends_to_several_before_the_first_has_come(family, tmp_path):
    ranks, alltoall = 4, "8"
    program = [str(family.program("moves_fields")), alltoall]
    settings = {**COMPRESSED, "chunks": "1", "timeline": str(tmp_path / "trace.json")}
    family.run(Part(ranks, program, family.preload(settings))).must_succeed()
    spans = merged(tmp_path)
    for rank in range(ranks):
        calls = list(inside([s for s in spans if s["pid"] == rank], "MPI_Alltoall"))
        assert len(calls) == 2
        for names in calls:
            coded = [name for name in names if name in ("encode", "decode")]
            assert coded == ["encode"] * (ranks - 1) + ["decode"] * (ranks - 1), names


def can_have_clocks_of_its_own():
    words = ["unshare", "-T", "--monotonic", "1", "true"]
    return subprocess.run(words, capture_output=True).returncode == 0


@pytest.mark.skipif(not can_have_clocks_of_its_own(), reason="needs root and time namespaces")
def test_clocks_that_differ_are_aligned(family, tmp_path):
    spans = sums(family, tmp_path, (), ("unshare", "-T", "--monotonic", str(APART)))
    calls = [
        [span for span in spans if span["name"] == "MPI_Allreduce" and span["pid"] == rank]
        for rank in range(2)
    ]
    for here, there in zip(*calls, strict=True):  # no rank has its sum before the other's values
        assert here["ts"] < there["ts"] + there["dur"] + ALIGNED
        assert there["ts"] < here["ts"] + here["dur"] + ALIGNED


def test_memory_is_bounded(family, tmp_path):
    spans = sums(family, tmp_path, **{"timeline-memory": "400"})
    assert len(spans) == 2 * 10  # 40 bytes each
    about = json.loads((tmp_path / "trace.rank1.json").read_text())["otherData"]
    assert about["events_lost"] > 0


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="a helper needs a second core")
def test_the_helper_thread_is_seen_beside_the_main_one(family, tmp_path):
    settings = {
        "same-host": "compress", "threshold-exact": "1", "threshold-pipelined": "1", "chunks": "8",
        "threads": "2", "history": "off", "timeline": str(tmp_path / "trace.json"),
    }  # fmt: skip
    program = [str(family.program("check_messages"))]
    family.run(Part(3, program, family.preload(settings))).must_succeed()
    encoded_on = {span["tid"] for span in merged(tmp_path) if span["name"] == "encode"}
    assert len(encoded_on) == 2


def test_a_file_that_cannot_be_written_is_one_line(family, tmp_path):
    program = [str(family.program("is_ended")), "forks"]
    preload = family.preload({**COMPRESSED, "timeline": str(tmp_path / "none" / "trace.json")})
    outcome = family.run(Part(2, program, preload), folder=tmp_path).must_succeed()
    said = [line for line in outcome.stderr.splitlines() if "timeline:" in line]
    assert len(said) == 2 and all("No such file" in line for line in said), str(outcome)
