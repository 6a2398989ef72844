"""Point-to-point messages against what MPI promises of them: messages/."""

import json
import re
from collections import Counter

import pytest
from harness import Part

SETTINGS = {"same-host": "compress", "point-to-point": "on"}
MODES = {
    "every": {"mode": "exact"},
    "large": {"threshold-exact": "64K"},
    "zstd": {"mode": "exact", "exact-codec": "zstd"},
    "no-memory": {"mode": "exact", "memory-limit": "0"},
}


@pytest.mark.parametrize("threads", [False, True], ids=["single", "threads"])
@pytest.mark.parametrize("mode", MODES)
def test_messages_arrive_as_sent(family, tmp_path, mode, threads):
    report = tmp_path / "report.json"
    settings = {**SETTINGS, **MODES[mode], "report": str(report)}
    command = [str(family.program("check_messages")), *(["threads"] if threads else [])]
    outcome = family.run(Part(3, command, family.preload(settings)))
    outcome.must_succeed()
    assert re.search(r"^checks [1-9]\d*, failures 0$", outcome.stdout, re.MULTILINE), str(outcome)

    rows = [row for row in json.loads(report.read_text())["collectives"]]
    sent: Counter = Counter()
    for row in rows:
        if row["collective"] == "Send":
            sent[row["tier"]] += row["calls"]
    assert sent["raw"] > 200
    assert ("exact" in sent) == (mode != "no-memory")


@pytest.mark.parametrize("threads", ["1", "2"])
def test_chunks_move_on_while_others_are_encoded(family, threads):
    """MPI moves bytes only while it is asked for something: after every chunk, however long that
    takes, since it is no wait."""
    chunks = 16
    settings = {**SETTINGS, "mode": "adaptive+pipelined", "threshold-pipelined": "1", "link": "1M"}
    settings |= {"chunks": str(chunks), "history": "off", "threads": threads}
    command = [str(family.program("sends_in_chunks"))]
    outcome = family.run(Part(2, command, family.preload(settings, behind=("looks_that_move",))))
    printed = dict(line.split() for line in outcome.must_succeed().stdout.splitlines())
    assert printed["wrong"] == "0"
    assert int(printed["looks"]) >= chunks - 1, str(outcome)


@pytest.fixture
def both_ways(family):
    def run(how, threads):
        settings = {**SETTINGS, "mode": "adaptive+pipelined", "threshold-pipelined": "1"}
        settings |= {"link": "1M", "chunks": "8", "history": "off", "threads": threads}
        command = [str(family.program("both_ways_in_chunks")), how]
        outcome = family.run(Part(2, command, family.preload(settings, behind=("asks_ahead",))))
        return outcome.must_succeed()

    return run


def most_asked_for(outcome, receivers):
    printed = [line.split() for line in outcome.stdout.splitlines()]
    assert printed.count(["wrong", "0"]) == receivers, str(outcome)
    (asked,) = [int(number) for what, number in printed if what == "asked"]
    return asked


@pytest.mark.parametrize("threads", ["1", "3"])
@pytest.mark.parametrize("how", ["all", "waits", "tests"])
def test_chunks_are_asked_for_in_turn(both_ways, how, threads):
    """Of long frames that come while others leave one is asked for at once, but while it is not
    known yet which message is the first; and whichever message is waited for comes."""
    outcome = both_ways(how, threads)
    assert 1 <= most_asked_for(outcome, 2) <= 2, str(outcome)


def test_several_chunks_are_asked_for_where_a_rank_only_receives(both_ways):
    outcome = both_ways("one", "1")
    assert most_asked_for(outcome, 1) == 4, str(outcome)


def test_chunks_of_freed_receives_are_taken_at_the_end(both_ways):
    """Several times, as it is a matter of who comes first."""
    for _ in range(6):
        both_ways("frees", "1")


@pytest.mark.parametrize("settings", [{}, {"threshold-exact": "32K"}], ids=["auto", "threshold"])
def test_frames_are_not_padded_to_the_threshold(family, tmp_path, settings):
    """Those of persistent messages that are nearly all zeros."""
    rounds, size = 30, 128 * 2**10
    report = tmp_path / "report.json"
    settings = {"host-ranks": "1", "link": "100M", **settings, "report": str(report)}
    command = [str(family.program("sends_few_values")), str(rounds)]
    outcome = family.run(Part(2, command, family.preload(settings))).must_succeed()
    assert outcome.stdout.count(f"rounds {rounds}, wrong 0") == 2, str(outcome)
    rows = json.loads(report.read_text())["collectives"]
    encoded = [row for row in rows if row["collective"] == "Send" and row["tier"] == "exact"]
    messages = sum(row["calls"] for row in encoded)
    assert messages == 2 * rounds, rows
    assert sum(row["bytes_before"] for row in encoded) == messages * size, rows
    assert sum(row["bytes_after"] for row in encoded) < messages * 8 * 2**10, rows


BETWEEN = {"groups": 12, "spawn": 50, "connect": 31}


def test_uneven_groups(family):
    """A rank that the sender's own group does not have, in the other (MPI 4.0, 7.6)."""
    command = [str(family.program("talks_between_worlds")), "uneven"]
    outcome = family.run(Part(3, command, family.preload(SETTINGS)), limit=60)
    assert "messages 6, wrong 0" in outcome.must_succeed().stdout, str(outcome)


@pytest.mark.parametrize("which", BETWEEN)
def test_between_groups_and_worlds(family, tmp_path, which):
    """Of intercommunicators and of processes spawned or connected to (MPI 4.0, 11.8, 11.9) both
    sides agree that nothing is a frame."""
    arguments = [] if which == "groups" else [which]
    command = [str(family.program("talks_between_worlds")), *arguments]
    if family.run(Part(2, command), limit=60).code != 0:
        assert arguments
        pytest.skip("this MPI cannot do that here: Debian's MPICH 4.0 cannot")
    report = tmp_path / "report.json"
    settings = {**SETTINGS, "mode": "exact"}
    if not arguments:  # the spawned job would write one, too
        settings["report"] = str(report)
    outcome = family.run(Part(2, command, family.preload(settings)), limit=60)
    printed = outcome.must_succeed().stdout
    assert f"messages {BETWEEN[which]}, wrong 0" in printed, str(outcome)
    if not arguments:
        rows = json.loads(report.read_text())["collectives"]
        # Those of MPI_COMM_WORLD, and those of intercommunicators.
        sent = [row for row in rows if row["collective"] == "Send"]
        left = sum(row["calls"] for row in sent if row["why_raw"] == "unhandled")
        assert (sum(row["calls"] for row in sent) - left, left) == (6, 6)


def test_plain_mpi_passes_the_check(family):
    outcome = family.run(Part(3, [str(family.program("check_messages"))])).must_succeed()
    assert "failures 0" in outcome.stdout
