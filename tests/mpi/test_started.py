"""Collectives that return at once: random programs of them against what must come out, started/."""

import json
import os
import re

import pytest
from harness import Part, long

SETTINGS = {"threshold-exact": "1K", "threshold-bounded": "1K", "threshold-pipelined": "32K"}
EVERYWHERE = {"same-host": "compress", **SETTINGS}
TWO_HOSTS = {"host-ranks": "2", "same-host": "raw", **SETTINGS}


two_cores = pytest.mark.skipif(
    len(os.sched_getaffinity(0)) < 2, reason="a thread beside the program needs a second core"
)


@pytest.fixture
def check(family, tmp_path):
    """Runs a program; gives how many bytes of its collectives were compressed."""

    def run(ranks, seed, settings, bound="0", *words, steps=120):
        # What is left to MPI: MPICH 4.0's own persistent collectives fail now and then.
        if (family.name == "mpich" and settings["mode"] != "exact") or "threads" in words:
            words = (*words, "once")
        report = tmp_path / "report.json"
        settings = {**settings, "report": str(report)}
        if bound != "0":
            settings.setdefault("error-bound", bound)
        program = str(family.program("check_started"))
        part = Part(
            ranks, [program, str(seed), str(steps), bound, *words], family.preload(settings)
        )
        outcome = family.run(part, limit=200).must_succeed()
        assert re.search(r"^operations \d+, failures 0$", outcome.stdout, re.MULTILINE), str(
            outcome
        )
        rows = json.loads(report.read_text())["collectives"]
        return {row["collective"] for row in rows if row["tier"] != "raw"}

    return run


NEIGHBOURS = {"Neighbor_allgather", "Neighbor_alltoall"}
ALL = {
    *NEIGHBOURS,
    "Alltoall",
    "Bcast",
    "Reduce",
    "Allreduce",
    "Reduce_scatter",
    "Scan",
    "Gather",
    "Scatter",
    "Allgather",
}


@pytest.mark.parametrize("seed", [1, long(2), long(3)])
def test_exact(check, seed):
    assert check(4, seed, {**EVERYWHERE, "mode": "exact"}) >= ALL


@pytest.mark.parametrize(("seed", "algorithm"), [(4, "auto"), (5, "rabenseifner")])
def test_within_a_bound(check, seed, algorithm):
    settings = {**EVERYWHERE, "mode": "adaptive+pipelined", "algorithm": algorithm}
    assert check(3, seed, settings, "1e-3", "keep") >= {"Bcast", "Allreduce"}


@pytest.mark.parametrize("seed", [21, long(22)])
@pytest.mark.parametrize("hosts", [EVERYWHERE, {**TWO_HOSTS, "link": "1M"}], ids=("flat", "lanes"))
def test_within_a_part_of_the_range(check, seed, hosts):
    """Of reductions that is the range of all ranks' values, which are at most 252."""
    settings = {**hosts, "mode": "adaptive+pipelined", "error-bound": "rel:1e-5"}
    assert check(4, seed, settings, "2.521e-3", "keep", "even") >= {"Allreduce", "Reduce"}


@pytest.mark.parametrize("hosts", [EVERYWHERE, {**TWO_HOSTS, "link": "1M"}], ids=("flat", "lanes"))
@pytest.mark.parametrize("values", ["wider", "constant", "all-constant", "infinite", "upward"])
def test_the_range_is_that_of_blocking_calls(family, tmp_path, values, hosts):
    """So the results have the same bits; all blocking ones are compressed, too."""
    report = tmp_path / "report.json"
    settings = {**hosts, "mode": "bounded", "error-bound": "rel:1e-4", "report": str(report)}
    part = Part(4, [str(family.program("sums_at_once")), values], family.preload(settings))
    assert family.run(part, limit=60).must_succeed().stdout.strip() == "differing 0"
    rows = json.loads(report.read_text())["collectives"]
    assert all(row["tier"] == "bounded" for row in rows if row["collective"] == "Allreduce")


@pytest.mark.parametrize("seed", [6, long(7)])
def test_over_lanes(check, seed):
    assert check(4, seed, {**TWO_HOSTS, "mode": "exact"}) >= {"Allreduce", "Bcast"}


def test_adaptive_where_the_network_counts(check):
    check(4, 8, {**TWO_HOSTS, "mode": "adaptive+pipelined", "link": "1M"}, "1e-3", "keep")


@pytest.mark.parametrize("seed", [18, long(19)])
def test_blocks_that_are_left_as_they_are(check, seed):
    """Whether a block goes in frames depends on its values, on a network that is fast enough."""
    settings = {**EVERYWHERE, "mode": "adaptive+pipelined", "link": "30G"}
    check(4, seed, {**settings, "threshold-pipelined": "4K"}, "1e-3", "keep")


def test_with_threads(check, family):
    """MPICH cannot call us while it waits then: these are passed to it."""
    compressed = check(3, 9, {**EVERYWHERE, "mode": "exact"}, "0", "threads", "keep")
    assert family.name == "mpich" or compressed >= {"Bcast"}


def test_the_start_waits_for_nobody(family, tmp_path):
    report = tmp_path / "report.json"
    settings = {**EVERYWHERE, "mode": "exact", "report": str(report)}
    program = str(family.program("starts_without_waiting"))
    outcome = family.run(Part(2, [program], family.preload(settings)), limit=60).must_succeed()
    assert outcome.stdout.strip() == "failures 0"
    rows = json.loads(report.read_text())["collectives"]
    compressed = {row["collective"] for row in rows if row["tier"] != "raw"}
    assert compressed >= {"Bcast", "Allreduce", "Alltoall"}


def meanwhile(family, tmp_path, thread, seconds="20", before=()):
    """How many of four collectives rank 0 did its part of while it made no call of MPI."""
    settings = {**EVERYWHERE, "mode": "exact", "algorithm": "ring", "progress-thread": thread}
    program = str(family.program("computes_meanwhile"))
    command = [*before, program, str(tmp_path / thread), seconds]
    outcome = family.run(Part(2, command, family.preload(settings)), limit=100).must_succeed()
    moved_on, failures = re.findall(r"moved on (\d) of 4, failures (\d+)", outcome.stdout)[0]
    assert failures == "0", str(outcome)
    return int(moved_on), outcome.stderr


@two_cores
def test_a_thread_moves_them_on_while_the_program_computes(family, tmp_path):
    if family.name == "mpich":
        pytest.skip("this MPI lets no second thread in while it calls us")
    moved_on, said = meanwhile(family, tmp_path, "on")
    assert moved_on == 4 and "progress-thread" not in said
    assert meanwhile(family, tmp_path, "off", "0.5")[0] == 0


def test_where_there_can_be_no_thread_a_line_says_so(family, tmp_path):
    core = str(min(os.sched_getaffinity(0)))
    moved_on, said = meanwhile(family, tmp_path, "on", "0.5", ("taskset", "--cpu-list", core))
    assert moved_on == 0
    reason = "no second thread" if family.name == "mpich" else "one core only"
    assert said.count("progress-thread: there is none") == 1 and reason in said


@two_cores
@pytest.mark.parametrize("words", [(), ("threads",)])
def test_beside_the_thread_that_moves_them_on(check, family, words):
    if family.name == "mpich":
        pytest.skip("this MPI lets no second thread in while it calls us")
    settings = {**EVERYWHERE, "mode": "exact", "progress-thread": "on"}
    assert check(3, 11, settings, "0", *words, "keep") >= {"Bcast", "Allreduce"}
    settings["mode"] = "adaptive+pipelined"
    assert check(3, 15, settings, "1e-3", *words, "keep") >= {"Bcast"}


@pytest.mark.parametrize(
    ("more", "bound"),
    # Values are from 0 to 65535.
    [({}, "0"), ({"link": "100M"}, "0"), ({"error-bound": "rel:1e-6"}, "0.0656")],
    ids=("not", "slow", "relative"),
)
def test_where_nothing_is_known_of_the_network(family, tmp_path, more, bound):
    """What a sender can leave as it is goes our way; a reduction only if that pays on fast ones."""
    report = tmp_path / "report.json"
    settings = {"host-ranks": "1", "mode": "adaptive+pipelined", "report": str(report), **more}
    program = [str(family.program("starts_without_waiting")), bound]
    outcome = family.run(Part(2, program, family.preload(settings)), limit=60).must_succeed()
    assert outcome.stdout.strip() == "failures 0"
    rows = json.loads(report.read_text())["collectives"]
    compressed = {row["collective"] for row in rows if row["tier"] != "raw"}
    assert compressed >= {"Bcast", "Alltoall"}
    assert ("Allreduce" in compressed) == (more != {})


# So fast that no codec pays: of the same size, every second of the first blocks goes as it is.
LEFT_AS_THEY_ARE = {"mode": "adaptive+pipelined", "link": "400G", "threshold-pipelined": "4K"}


@pytest.mark.parametrize(
    ("values", "settings", "expected"),
    [
        ("noise", LEFT_AS_THEY_ARE, [0, 2, 0, 2, 2, 0]),
        # A sample promises a gain, which the whole does not keep: that takes two blocks.
        (
            "records",
            {"mode": "adaptive+pipelined", "link": "1G", "error-bound": "1e-3", "history": "off"},
            [0, 0, 2, 0, 2, 2],
        ),
    ],
    ids=("noise", "records"),
)
def test_blocks_of_which_it_was_told_are_under_way_at_once(family, values, settings, expected):
    command = [str(family.program("starts_blocks")), values]
    counted = family.preload({**EVERYWHERE, **settings}, behind=("count_synchronous",))
    outcome = family.run(Part(4, command, counted), limit=60)
    lines = outcome.must_succeed().stdout.split("\n")
    assert lines[:-1] == [f"{count} of {count}" for count in expected]


def test_one_begins_beside_another_that_is_in_the_hands_of_mpi(family, tmp_path):
    command = [str(family.program("starts_two")), str(tmp_path / "file")]
    counted = family.preload({**EVERYWHERE, **LEFT_AS_THEY_ARE}, behind=("count_synchronous",))
    outcome = family.run(Part(2, command, counted), limit=90).must_succeed()
    assert outcome.stdout.splitlines() == ["2 begun", "failures 0"]


@pytest.mark.parametrize("settings", [{"mode": "exact"}, LEFT_AS_THEY_ARE], ids=("exact", "left"))
def test_repeated_neighbours_meet_as_in_mpi(family, tmp_path, settings):
    report = tmp_path / "report.json"
    settings = {**EVERYWHERE, **settings, "report": str(report)}
    program = str(family.program("repeated_neighbours"))
    outcomes = [
        family.run(Part(4, [program], environment), limit=60).must_succeed()
        for environment in (family.plain(), family.preload(settings))
    ]
    plain, compressed = (sorted(outcome.stdout.splitlines()) for outcome in outcomes)
    assert len(plain) == 4 * 9 and not any("torn" in line for line in plain)
    assert compressed == plain
    rows = json.loads(report.read_text())["collectives"]
    tier = "exact" if settings["mode"] == "exact" else "raw"
    assert any(row["tier"] == tier and row["collective"] in NEIGHBOURS for row in rows)


@pytest.mark.parametrize("thread", ["off", "on"])
@pytest.mark.parametrize("who", ["all", "one"])
def test_a_program_that_ends_early_ends(family, who, thread):
    """What only some ranks have started never comes to an end: a line says so."""
    settings = {**EVERYWHERE, "mode": "exact", "progress-thread": thread}
    part = Part(2, [str(family.program("ends_early")), who], family.preload(settings))
    outcome = family.run(part, limit=120).must_succeed()
    assert outcome.stdout.splitlines()[-1] == "ended"
    assert ("They are given up" in outcome.stderr) == (who == "one"), str(outcome)


@pytest.mark.parametrize("how", ["rot", "freed", "persistent"])
def test_what_nobody_waits_for_is_carried_out(family, tmp_path, how):
    """On communicators in use, on freed ones, and under requests that are started again."""
    report = tmp_path / "report.json"
    settings = {**EVERYWHERE, "mode": "exact", "report": str(report)}
    part = Part(3, [str(family.program("leaves_requests")), how], family.preload(settings))
    outcome = family.run(part, limit=60).must_succeed()
    assert outcome.stdout.splitlines() == ["failures 0", "ended"], str(outcome)
    assert "given up" not in outcome.stderr, str(outcome)
    rows = json.loads(report.read_text())["collectives"]
    assert sum(row["calls"] for row in rows if row["tier"] == "exact") >= 30
