"""Threads that code pieces of one call: messages and bytes are the same as without them."""

import json
import os
import re

import pytest
from harness import Part, either_mpi

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


# Frames are the same at every run: nothing is measured, nothing predicted.
FIELDS = {
    "same-host": "compress",
    "deterministic": "on",
    "history": "off",
    "threshold-exact": "1",
    "threshold-bounded": "1",
    "threshold-pipelined": "1",
    "chunks": "9",
}
# To moves_fields.
ALLREDUCE = "0"
REDUCE = "2"
REDUCE_SCATTER = "3"
SCATTER = "7"


def bits(family, tmp_path, ranks, settings, *words, senders=None):
    """Of all that was sent and received, on each rank; how many pieces helpers did."""
    report = tmp_path / "report.json"
    environment = family.preload(
        FIELDS | settings | {"report": str(report)}, behind=("hash_sends",)
    )
    part = Part(ranks, [str(family.program("moves_fields")), *words], environment)
    lines = family.run(part).must_succeed().stdout.splitlines()
    assert len(lines) == ranks + (senders or ranks), lines
    assert all("received" in line or line.endswith("by other threads 0") for line in lines), lines
    done = json.loads(report.read_text())
    return sorted(lines), done.get("helper", {}).get("chunks", 0), done["collectives"]


# Three or more: Open MPI binds two to a core each.
@two_cores
@pytest.mark.parametrize(
    ("ranks", "settings"),
    [
        (3, {"error-bound": "1e-3", "algorithm": "ring"}),
        (4, {"error-bound": "rel:1e-4", "algorithm": "rabenseifner"}),
        either_mpi(3, {"error-bound": "1e-3", "algorithm": "rabenseifner"}),
        either_mpi(3, {"error-bound": "1e-3", "algorithm": "recursive-doubling"}),
        either_mpi(3, {"error-bound": "1e-3", "bounded-codec": "zfp-accuracy"}),
        either_mpi(3, {"error-bound": "none"}),
        either_mpi(4, {"error-bound": "1e-3", "host-ranks": "2", "same-host": "raw"}),
    ],
    ids=lambda value: (
        "-".join(value.values()).replace(":", "") if isinstance(value, dict) else None
    ),
)
def test_same_bits_in_collectives(family, tmp_path, ranks, settings):
    alone, helped_alone, calls = bits(family, tmp_path, ranks, settings | {"threads": "1"})
    together, helped, _ = bits(family, tmp_path, ranks, settings | {"threads": "2"})
    assert helped_alone == 0 and helped > 0
    assert together == alone
    # What rounds is MPI's own.
    sums = 0 if settings["error-bound"] == "none" else 2
    compressed = {row["collective"] for row in calls if row["pipelined"]}
    assert len(compressed) >= 7 + sums, calls


@two_cores
def test_blocks_for_several_ranks_are_encoded_at_once(family, tmp_path):
    """Of a Scatter, each in one piece: there is no other work for a helper."""
    settings = {"error-bound": "1e-3", "threshold-pipelined": "1G"}
    roots = {"senders": 2}
    alone, _, _ = bits(family, tmp_path, 4, settings | {"threads": "1"}, SCATTER, **roots)
    together, helped, _ = bits(family, tmp_path, 4, settings | {"threads": "2"}, SCATTER, **roots)
    assert helped > 0
    assert together == alone


# Of hosts of two or three ranks: frames go on along a lane of three and inside a host of three,
# and one of five ranks has no lane.
@two_cores
@pytest.mark.either_mpi
@pytest.mark.parametrize(
    ("ranks", "of_host", "operation", "codec"),
    [
        *((6, 3, operation, "bounded") for operation in (ALLREDUCE, REDUCE, REDUCE_SCATTER)),
        (6, 2, ALLREDUCE, "bounded"),
        (5, 3, ALLREDUCE, "bounded"),
        (5, 3, REDUCE, "bounded"),
        (4, 2, ALLREDUCE, "zfp-accuracy"),
    ],
)
def test_same_bits_over_lanes(family, tmp_path, ranks, of_host, operation, codec):
    """Several threads merge, combine, keep for the host and decode."""
    lanes = {"error-bound": "1e-3", "bounded-codec": codec, "algorithm": "ring"}
    lanes |= {"host-ranks": str(of_host)}
    alone, _, rows = bits(family, tmp_path, ranks, lanes | {"threads": "1"}, operation)
    together, helped, _ = bits(family, tmp_path, ranks, lanes | {"threads": "2"}, operation)
    flat = bits(family, tmp_path, ranks, lanes | {"threads": "1", "lanes": "off"}, operation)[2]
    assert helped > 0
    assert together == alone
    assert rows[0]["bytes_before"] < flat[0]["bytes_before"]


@two_cores
@pytest.mark.either_mpi
@pytest.mark.parametrize("settings", [{"error-bound": "1e-3"}, {"early": "on"}])
def test_collectives_give_what_mpi_gives(family, settings):
    bound = settings.get("error-bound", "0")
    words = [str(family.program("check_operations")), "bounded" if bound != "0" else "exact", bound]
    environment = family.preload(
        {"same-host": "compress", "threads": "2", "chunks": "9", "mode": words[1], **settings}
    )
    outcome = family.run(Part(3, words, environment), limit=300).must_succeed()
    assert re.search(r"^cases \d+, failures 0$", outcome.stdout, re.MULTILINE), str(outcome)


# On such a link one thread codes too slowly to gain, also on a machine that codes three times as
# fast as the cost model's; threads that are 32 times as fast do not.
FAST_LINK = {
    "same-host": "compress",
    "link": "320G",
    "error-bound": "1e-2",
    "history": "off",
    "point-to-point": "off",
}


def compressed_sums(family, tmp_path, settings, before=()):
    report = tmp_path / "report.json"
    environment = family.preload(FAST_LINK | settings | {"report": str(report)})
    family.run(Part(3, [*before, str(family.program("moves_fields"))], environment)).must_succeed()
    rows = json.loads(report.read_text())["collectives"]
    sums = [row for row in rows if row["collective"] == "Allreduce"]
    assert sum(row["calls"] for row in sums) == 3 * 4, sums
    return sum(row["calls"] for row in sums if row["tier"] != "raw")


# The speed-up is said here: each rank's is one more than that of the rank before. On a machine that
# is busy ranks measure a latency of milliseconds, beside which nothing else counts.
@pytest.mark.parametrize("unlike", [{"threads": "1"}, {"threads": "2", "coding-speedup": "1"}])
def test_helpers_decide_as_the_slowest_rank_has_them(family, tmp_path, unlike):
    fast = compressed_sums(family, tmp_path, {"threads": "2", "coding-speedup": "32"})
    assert fast > 0
    slow = (compressed_sums(family, tmp_path, unlike) for _ in range(5))
    assert any(compressed == 0 for compressed in slow)


@two_cores
def test_ranks_on_the_same_cores_divide_them(family, tmp_path):
    """Three, each of which takes itself for a host, and has a core at most."""
    cores = ",".join(map(str, sorted(os.sched_getaffinity(0))[:4]))
    settings = {"threads": "auto", "coding-speedup": "32", "host-ranks": "1"}
    before = ("taskset", "--cpu-list", cores)
    several = (compressed_sums(family, tmp_path, settings, before) for _ in range(5))
    assert any(compressed == 0 for compressed in several)


@two_cores
@pytest.mark.either_mpi
def test_what_helpers_speed_up_is_measured(family, tmp_path):
    compressed_sums(family, tmp_path, {"threads": "2"})
    compressed_sums(family, tmp_path, {"threads": "auto"})


def sent_as(family, tmp_path, settings):
    """A message of 16 MiB by a job without collectives, on such a link that one thread codes too
    slowly to gain, by the cost model."""
    report = tmp_path / "report.json"
    fixed = {"host-ranks": "1", "link": "100G", "history": "off"}
    fixed |= {"mode": "adaptive+pipelined", "chunks": "32", "report": str(report)}
    command = [str(family.program("sends_in_chunks")), str(1 << 22)]
    outcome = family.run(Part(3, command, family.preload(fixed | settings))).must_succeed()
    assert "wrong 0" in outcome.stdout, str(outcome)
    rows = json.loads(report.read_text())["collectives"]
    assert sum(row["calls"] for row in rows) == 1, rows
    return {row["tier"] for row in rows}


STATED = {"coding-speedup": "32"}
CALIBRATED = {"coding-speedups": "2:2", "link": "36G"}


@two_cores
@pytest.mark.either_mpi
@pytest.mark.parametrize("stated", [STATED, CALIBRATED], ids=["stated", "calibrated"])
def test_a_sender_knows_its_helpers_without_collectives(family, tmp_path, stated):
    assert sent_as(family, tmp_path, {"threads": "2", **stated}) == {"exact"}
    assert sent_as(family, tmp_path, {"threads": "1", **stated}) == {"raw"}


@two_cores
def test_nothing_is_taken_for_granted_of_a_receiver(family, tmp_path):
    """Only itself knows what cores it finds idle; and a `deterministic` job asks no clock."""
    assert sent_as(family, tmp_path, {"threads": "auto", **STATED}) == {"raw"}
    alike = {"threads": "2", "deterministic": "on", **STATED}
    assert sent_as(family, tmp_path, alike) == {"raw"}


@two_cores
@pytest.mark.parametrize("threads", ["2", "auto"])
def test_a_sender_measures_its_helpers(family, tmp_path, threads):
    sent_as(family, tmp_path, {"threads": threads})


# What one thread decodes too slowly, and two do not, by the cost model.
BETWEEN = 4.5e9


def in_turn(family, tmp_path, settings):
    """Messages of nearly 4 MiB, the first report after three of them, over a network of so many
    bytes a second, as the receiver says. The third rank has a single core, so settings tell nobody
    what a receiver makes of two threads. As what the messages went, and what the receiver told of
    its helpers, in eighths."""
    report = tmp_path / "report.json"
    fixed = {"host-ranks": "1", "history": "off", "mode": "adaptive+pipelined", "chunks": "16"}
    environment = family.preload(
        fixed | {"report": str(report)} | settings, behind=("tell_network",)
    )
    environment["NETWORK"] = str(BETWEEN)
    command = [str(family.program("sends_in_turn")), str((1 << 20) - 1), "7"]
    pinned = ["taskset", "--cpu-list", str(min(os.sched_getaffinity(0))), *command]
    parts = [Part(2, command, environment), Part(1, pinned, environment)]
    outcome = family.run(*parts).must_succeed()
    assert "wrong 0" in outcome.stdout, str(outcome)
    answers = {"why_raw": "below-threshold"}.items()
    rows = [r for r in json.loads(report.read_text())["collectives"] if not answers <= r.items()]
    assert sum(row["calls"] for row in rows) == 7, rows
    told = re.findall(r"^told (.*)$", outcome.stdout, re.MULTILINE)
    assert len(told) < 2, str(outcome)
    return {row["tier"] for row in rows}, [int(one) for line in told for one in line.split()]


@two_cores
def test_a_sender_goes_by_what_the_receiver_tells_of_its_helpers(family, tmp_path):
    two = {"threads": "2", "coding-speedups": "2:2"}
    tiers, told = in_turn(family, tmp_path, two)
    assert (tiers, told[0]) == ({"raw", "exact"}, 16)
    for unlike in ({"coding-speedups": "2:1"}, {"threads": "1"}):
        tiers, told = in_turn(family, tmp_path, two | unlike)
        assert (tiers, set(told)) == ({"raw"}, {8})


@two_cores
@pytest.mark.either_mpi
def test_a_deterministic_receiver_tells_nothing(family, tmp_path):
    settings = {"threads": "2", "coding-speedups": "2:2", "deterministic": "on"}
    assert in_turn(family, tmp_path, settings)[1] == []


@two_cores
@pytest.mark.either_mpi
def test_a_receiver_measures_its_helpers(family, tmp_path):
    """Once its first message is there. Others may want the second core meanwhile."""
    several = [in_turn(family, tmp_path, {"threads": "2"})[1] for _ in range(5)]
    assert any(8 < told[-1] <= 16 for told in several), several
    assert set(in_turn(family, tmp_path, {"threads": "1"})[1]) == {8}
