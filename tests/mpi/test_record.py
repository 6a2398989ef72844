"""tightwire record: what each rank sends is in its file, whatever is made of it on the wire."""

import struct
import subprocess
import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import numpy
import pytest
import python_mpi
from harness import Part

PROGRAM = "calls_to_record.py"
MESSAGE = 12
RANKS = 3
HEADER = struct.Struct("<IIiiQQ24sB7x")
TYPES = {3: "i4", 6: "f8"}


@dataclass(frozen=True)
class Message:
    function: str
    peer: int
    tag: int
    values: numpy.ndarray


def read(file):
    """As docs/user/recordings.md says."""
    content = file.read_bytes()
    assert content[:8] == b"TWRECORD"
    version, rank, ranks = struct.unpack_from("<III", content, 8)
    assert (version, f"rank-{rank:05}.messages", ranks) == (1, file.name, RANKS)
    messages, at = [], 32
    while at < len(content):
        magic, _, peer, tag, size, _, function, kind = HEADER.unpack_from(content, at)
        assert magic == 0x4D575431
        at += HEADER.size
        values = numpy.frombuffer(content, TYPES[kind], size // int(TYPES[kind][1]), at)
        messages.append(Message(function.rstrip(b"\0").decode(), peer, tag, values))
        at += size
    assert at == len(content)
    return messages


@pytest.fixture
def job(family, tmp_path):
    """Runs the program with these settings; gives the outcome and the folder of the recording."""
    if reason := python_mpi.why_not():
        pytest.skip(reason)
    folder = tmp_path / "messages"

    def run(**settings):
        keys = {key.replace("_", "-"): value for key, value in settings.items()}
        environment = family.preload({"record": str(folder), **keys})
        command = [sys.executable, str(Path(__file__).parent / "programs" / PROGRAM)]
        return family.run(
            Part(RANKS, command, {**environment, **python_mpi.environment(family)})
        ), folder

    return run


def by_function(folder, rank):
    found = defaultdict(list)
    for message in read(folder / f"rank-{rank:05}.messages"):
        found[message.function].append(message)
    return found


def must_be(message, rank, call, count=MESSAGE, *, peer=-1, tag=-1):
    assert (message.peer, message.tag) == (peer, tag)
    assert message.values.tolist() == [1000 * rank + call] * count


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"mode": "raw"},
        {"same-host": "compress", "mode": "exact", "point-to-point": "on", "threshold-exact": "64"},
    ],
    ids=["default", "raw", "compressed"],
)
def test_each_rank_records_what_it_sends(job, settings):
    outcome, folder = job(**settings)
    outcome.must_succeed()
    for rank in range(RANKS):
        right = (rank + 1) % RANKS
        found = by_function(folder, rank)
        sends = found.pop("MPI_Send")
        must_be(sends[0], rank, 1, peer=right, tag=1)
        must_be(sends[1], rank, 6, peer=right, tag=6)  # of a derived type, packed
        for call, function in (
            (2, "MPI_Isend"),
            (3, "MPI_Sendrecv"),
            (4, "MPI_Sendrecv_replace"),
        ):
            (message,) = found.pop(function)
            must_be(message, rank, call, peer=right, tag=call)
        for step, message in enumerate(found.pop("MPI_Send_init")):
            must_be(message, rank, 5 + step / 4, peer=right, tag=5)
        assert step == 2
        both, in_place, integers = found.pop("MPI_Allreduce")
        must_be(both, rank, 11)
        must_be(in_place, rank, 12)
        must_be(integers, rank, 22)
        assert integers.values.dtype == numpy.int32
        for call, function, count in (
            (13, "MPI_Reduce", MESSAGE),
            (14, "MPI_Reduce_scatter_block", 3 * MESSAGE),
            (15, "MPI_Reduce_scatter", 6),
            (16, "MPI_Scan", MESSAGE),
            (17, "MPI_Gather", MESSAGE),
            (19, "MPI_Allgather", MESSAGE),
            (20, "MPI_Alltoall", 3 * MESSAGE),
        ):
            (message,) = found.pop(function)
            must_be(message, rank, call, count)
        for call, function in ((21, "MPI_Alltoallv"), (23, "MPI_Alltoallw")):
            first, third = found.pop(function)  # nothing for rank 1
            must_be(first, rank, call, 4, peer=0)
            must_be(third, rank, call, 2, peer=2)
        for call, function in ((30, "MPI_Neighbor_allgather"), (31, "MPI_Neighbor_allgatherv")):
            (message,) = found.pop(function)
            must_be(message, rank, call)
        for call, function, to_left, to_right in (
            (32, "MPI_Neighbor_alltoall", MESSAGE, MESSAGE),
            (33, "MPI_Neighbor_alltoallv", 4, 2),
            (34, "MPI_Neighbor_alltoallw", 4, 2),
        ):
            first, second = found.pop(function)
            must_be(first, rank, call, to_left, peer=(rank - 1) % RANKS)
            must_be(second, rank, call, to_right, peer=right)
        for call, function, root, count in (
            (10, "MPI_Bcast", 1, MESSAGE),
            (18, "MPI_Scatter", 2, 3 * MESSAGE),
        ):
            messages = found.pop(function, [])
            assert len(messages) == (rank == root)
            for message in messages:
                must_be(message, rank, call, count)
        assert not found


def test_a_recording_ends_at_its_limit(job):
    outcome, folder = job(record_limit="1K")
    outcome.must_succeed()
    for rank in range(RANKS):
        file = folder / f"rank-{rank:05}.messages"
        assert file.stat().st_size <= 1024
        assert len(read(file)) >= 4
    assert outcome.stderr.count("record-limit") == RANKS


def test_a_recording_takes_nobody_elses_place(job):
    _, folder = job()
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    outcome, _ = job()
    assert outcome.code != 0
    assert "record: cannot write" in outcome.stderr
    assert "without a recording" in outcome.stderr
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == before


def test_inspect_tells_what_channels_would_shrink_to(job, family):
    _, folder = job()
    file = folder / "rank-00001.messages"
    tool = str(family.build / "bin" / "tightwire")
    told = subprocess.run(
        [tool, "inspect", str(file), "--error-bound", "1e-3"], capture_output=True, text=True
    )
    assert told.returncode == 0, told.stderr
    lines = {line.split()[0]: line.split() for line in told.stdout.splitlines() if line.strip()}
    call, _, peer, tag, kind, messages, size, *ratios = lines["MPI_Send_init"]
    exact, exact_in_time, bounded, bounded_in_time = map(float, ratios)
    assert (peer, tag, kind, messages, size) == ("2", "5", "float64", "3", str(3 * 8 * MESSAGE))
    assert call == "MPI_Send_init"
    assert 1 < exact <= bounded
    assert exact <= exact_in_time and bounded <= bounded_in_time
    assert lines["all"][1] == str(len(read(file)))
    cut = folder / "cut.messages"
    cut.write_bytes(file.read_bytes()[:-5])
    told = subprocess.run([tool, "inspect", str(cut)], capture_output=True, text=True)
    assert told.returncode == 0
    assert "ends in the middle of a message" in told.stdout
