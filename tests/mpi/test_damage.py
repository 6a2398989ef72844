"""Damaged, cut, foreign and wrong frames become MPI errors: never data, never a hang.
docs/user/faults.md says what is to come of each fault.

preload/damage.c damages one frame of one rank; programs/meets_damage.c does a collective of 1 MiB,
says on each rank what MPI answered and whether the data is right, then does another one.
"""

import re

import pytest
from harness import Part, long

RANKS = 4
# What is done to the frame, and what the message must say of it.
LINK_FAULTS = {
    "payload-bit": "checksum",
    "header-bit": "checksum",
    "checksum-bit": "checksum",
    "cut": "truncated",
    "cut-in-header": "truncated",
    "empty": "truncated",
    "longer": "truncated",
    "far-too-long": "truncated",
}
WRONG_SENDERS = {
    "foreign": "not a tightwire frame",
    "version": "another version of tightwire",
    "codec": "a codec that this build does not have",
    "sequence": "another place",
    "nonsense": "does not decode",
}
DAMAGES = {**LINK_FAULTS, **WRONG_SENDERS}
BETWEEN_GROUPS = ("allgatherv_between", "alltoallv_between")
EXCHANGES = ("alltoallw", "neighbours", "ineighbours", "neighbours_init", *BETWEEN_GROUPS)
FROM_ROOT = ("bcast", "bcast_between")
LINE = re.compile(r"^(first|second), rank (\d+): data ([a-z ]+): (.*)$", re.MULTILINE)


def run(family, words, damage, sender, frame, settings=None, of="frame", count=1):
    """`words`: for the program."""
    # So that it is known how many frames there are.
    fixed = {"same-host": "compress", "algorithm": "ring", "chunks": "8"}
    environment = family.preload({**fixed, **(settings or {})}, behind=("damage",)) | {
        "DAMAGE": damage,
        "DAMAGE_OF": of,
        "DAMAGE_RANK": str(sender),
        "DAMAGE_FRAME": str(frame),
        "DAMAGE_COUNT": str(count),
    }
    command = [str(family.program("meets_damage")), *words]
    outcome = family.run(Part(RANKS, command, environment), limit=60)
    assert not outcome.timed_out, str(outcome)
    assert f"damage: {damage}, {of} of" in outcome.stderr, f"nothing was damaged: {outcome}"
    return outcome


def check_returned(outcome, words):
    """Errors came back; what is said to be good is good; the next call works."""
    outcome.must_succeed()
    lines = LINE.findall(outcome.stdout)
    assert len(lines) == 2 * RANKS, str(outcome)
    failed = [text for round_, _, _, text in lines if round_ == "first" and text != "success"]
    assert any(words in text for text in failed), str(outcome)
    for round_, _, data, text in lines:
        if text == "success":
            assert data in ("right", "none due"), str(outcome)
        else:
            assert round_ == "first" and text.startswith("tightwire: "), str(outcome)
    assert re.search(
        rf"tightwire: rank \d: MPIX?_\w+ of 1048576 bytes .*{words}", outcome.stderr
    ), str(outcome)


@pytest.mark.either_mpi
@pytest.mark.parametrize(
    ("collective", "damage"),
    [("allreduce", damage) for damage in DAMAGES]
    + [
        (collective, damage)
        for collective in ("reduce", "iallreduce", "allreduce_init", *FROM_ROOT, *EXCHANGES)
        for damage in ("payload-bit", "empty", "far-too-long", "version")
    ],
)
def test_error_is_returned(family, collective, damage):
    sender = 0 if collective in FROM_ROOT else 2
    # Of an exchange a rank sends a frame or two to each of the others.
    frame = 1 if collective in EXCHANGES else 3
    outcome = run(family, (collective, "return"), damage, sender, frame)
    check_returned(outcome, DAMAGES[damage])


@pytest.mark.either_mpi
@pytest.mark.parametrize("collective", ["iallreduce", "allreduce_init"])
@pytest.mark.parametrize("damage", [damage for damage in DAMAGES if damage != "nonsense"])
def test_damage_to_what_ranks_tell_of_their_ranges(family, collective, damage):
    """Values are in steps of 1/64 from -1 to 1, and stay what they are. Numbers are not encoded."""
    bound = {"error-bound": "rel:0.00048828125"}
    outcome = run(family, (collective, "return"), damage, 2, 1, bound)
    check_returned(outcome, DAMAGES[damage])


# So fast that nothing is worth encoding: after a call whose blocks go in frames those of one, then
# those of two calls go as they are, each behind a frame that says so.
LEFT_AS_THEY_ARE = {
    "mode": "adaptive+pipelined",
    "link": "400G",
    "threshold-exact": "64K",
    "threshold-pipelined": "64K",
}
# Of one call: to the two neighbours.
FRAMES = 16
NOTICES = 2


@pytest.mark.either_mpi
@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (damage, words)
        for damage, words in DAMAGES.items()
        if damage not in ("payload-bit", "codec", "nonsense")
    ],
)
@pytest.mark.parametrize("collective", ["ineighbours", "neighbours_init"])
@pytest.mark.parametrize("calls", ["1", "3"])
def test_damage_in_front_of_a_block_that_is_left_as_it_is(family, collective, calls, damage, words):
    """In the last of such calls, after which there are frames, and in the last but one: the next is
    as it is, too, but its receiver has not been told."""
    outcome = run(
        family,
        (collective, "return", calls),
        damage,
        2,
        (0 if calls == "1" else NOTICES) + 1,
        LEFT_AS_THEY_ARE,
        of="unframed",
    )
    check_returned(outcome, words)


@pytest.mark.either_mpi
@pytest.mark.parametrize("damage", ["payload-bit", "empty", "far-too-long", "version"])
@pytest.mark.parametrize("collective", ["ineighbours", "neighbours_init"])
@pytest.mark.parametrize("frame", [0, 3, FRAMES // 2])
def test_damage_where_blocks_may_be_left_as_they_are(family, collective, damage, frame):
    """The next call's blocks go as they are."""
    outcome = run(family, (collective, "return"), damage, 2, frame, LEFT_AS_THEY_ARE)
    check_returned(outcome, DAMAGES[damage])


@pytest.mark.parametrize("damage", ["header-bit", "empty", "far-too-long", "sequence"])
def test_damage_to_all_that_tells_what_comes(family, damage):
    """What comes behind a damaged frame, of which nothing was told, is found out."""
    command = ("ineighbours", "return", "1")
    outcome = run(family, command, damage, 2, 0, LEFT_AS_THEY_ARE, count=FRAMES + NOTICES)
    check_returned(outcome, DAMAGES[damage])


@pytest.mark.either_mpi
@pytest.mark.parametrize("damage", ["header-bit", "empty", "far-too-long", "sequence"])
@pytest.mark.parametrize(
    ("of", "frame", "count"),
    [
        *(("unframed", frame, 1) for frame in range(NOTICES, 3 * NOTICES)),
        ("unframed", NOTICES, 2 * NOTICES),
        # Of the calls at once, the first two have notices.
        *(("frame", 2 * FRAMES + NOTICES, count) for count in (1, 2, 3, NOTICES + 1, 2 * NOTICES)),
        ("frame", 2 * FRAMES + NOTICES, 2 * NOTICES + FRAMES),
    ],
)
def test_damage_where_several_are_under_way(family, of, frame, count, damage):
    """The second may have begun beside the first: what is left of that is in MPI's hands."""
    command = ("ineighbours_at_once", "return", "1")
    outcome = run(family, command, damage, 2, frame, LEFT_AS_THEY_ARE, of=of, count=count)
    check_returned(outcome, DAMAGES[damage])


# Damage to a frame is seen before the codec is asked, but for the last.
@pytest.mark.either_mpi
@pytest.mark.parametrize(
    ("bound", "damage"),
    [
        *((None, one) for one in ("payload-bit", "empty", "far-too-long", "version", "nonsense")),
        *(("1e-4", one) for one in ("payload-bit", "nonsense")),
        *(long("1e-4", one) for one in ("empty", "far-too-long", "version")),
    ],
)
@pytest.mark.parametrize(
    ("collective", "algorithm"),
    [("allreduce", "recursive-doubling"), ("allreduce", "rabenseifner"), ("reduce", "tree")],
)
def test_every_algorithm_returns_errors(family, collective, algorithm, damage, bound):
    settings = {"algorithm": algorithm, "chunks": "4"} | ({"error-bound": bound} if bound else {})
    outcome = run(family, (collective, "return"), damage, 2, frame=3, settings=settings)
    check_returned(outcome, DAMAGES[damage])


@pytest.mark.either_mpi
@pytest.mark.parametrize("frame", [0, 1, 5, 14])
@pytest.mark.parametrize(
    "damage",
    ["payload-bit", "size-bit", "cut", "cut-in-header", "empty", "longer", "far-too-long"],
)
def test_several_frames_of_a_message(family, damage, frame):
    """Of 32 KiB of values each, two to a message."""
    settings = {"algorithm": "rabenseifner", "chunks": "64", "error-bound": "1e-4"}
    outcome = run(family, ("allreduce", "return"), damage, 2, frame, settings, of="bundle")
    check_returned(outcome, "checksum" if damage == "payload-bit" else "truncated")


@pytest.mark.either_mpi
@pytest.mark.parametrize("damage", ["payload-bit", "nonsense"])
@pytest.mark.parametrize("frame", [0, 1, 9, 17])
def test_any_frame(family, frame, damage):
    """Frames of the ring's first phase (partial sums) and of its second (results)."""
    outcome = run(family, ("allreduce", "return"), damage, 1, frame, {"error-bound": "1e-4"})
    check_returned(outcome, DAMAGES[damage])


@pytest.mark.either_mpi
@pytest.mark.parametrize(
    "settings",
    [
        {"mode": "exact"},
        {"mode": "exact", "exact-codec": "lz4"},
        {"mode": "exact", "exact-codec": "exact"},
        {"mode": "bounded", "error-bound": "1e-4"},
        {"mode": "bounded", "error-bound": "1e-4", "bounded-codec": "sz3"},
        {"mode": "bounded", "error-bound": "1e-4", "bounded-codec": "zfp-accuracy"},
    ],
    ids=lambda settings: "-".join(settings.values()),
)
@pytest.mark.parametrize("collective", ["allreduce", "bcast"])
def test_payload_that_means_nothing(family, collective, settings):
    """A right checksum over bytes that no encoder wrote: the codecs themselves must notice."""
    sender = 0 if collective == "bcast" else 1
    outcome = run(family, (collective, "return"), "nonsense", sender, 0, settings)
    check_returned(outcome, "does not decode")


def check_successes(outcome):
    """Where a rank heard of no error its data is right."""
    for _, _, data, text in LINE.findall(outcome.stdout):
        assert text == "success" and data in ("right", "none due"), str(outcome)


@pytest.mark.parametrize("damage", ["payload-bit", "version"])
@pytest.mark.parametrize("collective", ["allreduce", "reduce", "bcast"])
def test_fatal_by_default(family, collective, damage):
    outcome = run(family, (collective, "fatal"), damage, 0 if collective == "bcast" else 1, 0)
    assert outcome.code != 0, str(outcome)
    assert DAMAGES[damage] in outcome.stderr, str(outcome)
    check_successes(outcome)


# An operation, and a rank that sends frames in it; in bcast one that sends to a single rank.
SENDERS = {
    "allreduce": 1,
    "reduce": 1,
    "bcast": 2,
    "scan": 0,
    "allgather": 1,
    "gather": 1,
    "alltoall": 1,
    "alltoallw": 1,
    "neighbours": 1,
}


# Not a broadcast or a gather in one chunk: the other ranks are in MPI_Finalize when one aborts, and
# the mpirun of Open MPI 4.1 then does not always come to its end.
@pytest.mark.either_mpi
@pytest.mark.parametrize(
    ("collective", "chunks"),
    [(one, "1") for one in SENDERS if one not in ("bcast", "gather")]
    + [(one, "8") for one in SENDERS],
)
def test_a_frame_that_comes_twice_ends_the_job(family, collective, chunks):
    """MPI delivers once; a wrong sender could do that. It is out of step, at the latest in the
    next call, whose data is other."""
    settings = {"chunks": chunks}
    outcome = run(family, (collective, "fatal"), "twice", SENDERS[collective], 0, settings)
    assert outcome.code != 0, str(outcome)
    assert "another place" in outcome.stderr, str(outcome)
    check_successes(outcome)


@pytest.mark.parametrize("collective", ["allreduce", "bcast"])
def test_a_frame_that_never_comes_ends_the_job(family, collective):
    """The next one comes in its place. Without a next one it is waited for, as by plain MPI."""
    outcome = run(family, (collective, "fatal"), "drop", 0 if collective == "bcast" else 1, 0)
    assert outcome.code != 0, str(outcome)
    assert "another place" in outcome.stderr, str(outcome)
    check_successes(outcome)


@pytest.mark.parametrize("collective", ["allreduce", "reduce", "bcast"])
def test_a_late_frame_is_waited_for(family, collective):
    outcome = run(family, (collective, "return"), "delay", 0 if collective == "bcast" else 1, 0)
    outcome.must_succeed()
    lines = LINE.findall(outcome.stdout)
    assert len(lines) == 2 * RANKS, str(outcome)
    check_successes(outcome)


@pytest.mark.parametrize("collective", ["allreduce", "reduce", "bcast"])
def test_a_rank_that_dies_ends_the_job(family, collective):
    outcome = run(family, (collective, "return"), "kill", 0 if collective == "bcast" else 1, 1)
    assert outcome.code != 0, str(outcome)
    check_successes(outcome)
