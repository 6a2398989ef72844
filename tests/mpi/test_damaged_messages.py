"""Damage to a point-to-point message, to its frame or to what follows it, becomes an MPI error:
never data, never a hang.

preload/damage_message.c damages one part of the first message that
programs/meets_damaged_message.c receives; the second one arrives as it should.
"""

import re

import pytest
from harness import Part

SETTINGS = {"same-host": "compress", "point-to-point": "on", "threshold-exact": "4096"}
CHUNKS = {"mode": "adaptive+pipelined", "threshold-pipelined": "64K", "chunks": "6"}
# What is done, and what the message must say of it.
FRAMES = {
    "frame-payload-bit": "checksum",
    "frame-trailer-bit": "checksum",
    "frame-mark-bit": "not a tightwire frame",
    "frame-cut": "not a tightwire frame",
    "frame-foreign": "not a tightwire frame",
    "frame-version": "another version of tightwire",
    "frame-codec": "a codec that this build does not have",
    "frame-size": "truncated",
    "frame-nonsense": "does not decode",
}
TAILS = {"tail-bit": "checksum", "tail-empty": "checksum", "tail-long": "truncated"}
LATER_CHUNKS = {"chunk-bit": "checksum", "chunk-empty": "truncated", "chunk-long": "truncated"}
DAMAGES = {**FRAMES, **TAILS, **LATER_CHUNKS}
LINE = re.compile(r"^(first|second): data (right|wrong), handler called (\d+): (.*)$", re.MULTILINE)


def run(family, damage, way, handler):
    settings = SETTINGS | (CHUNKS if damage.startswith("chunk") else {})
    values = "marked" if damage.startswith("tail") else "smooth"
    environment = family.preload(settings, behind=("damage_message",)) | {"DAMAGE": damage}
    command = [str(family.program("meets_damaged_message")), way, values, handler]
    outcome = family.run(Part(2, command, environment), limit=60)
    assert not outcome.timed_out, str(outcome)
    assert f"damage: {damage}, " in outcome.stderr, f"nothing was damaged: {outcome}"
    return outcome


@pytest.mark.either_mpi
@pytest.mark.parametrize("handler", ["return", "handler"])
@pytest.mark.parametrize(
    ("way", "damage"),
    [("blocking", damage) for damage in DAMAGES]
    + [
        (way, damage)
        for way in ("immediate", "probed", "strided", "persistent")
        for damage in ("frame-payload-bit", "frame-version", "tail-bit", "chunk-bit", "chunk-long")
    ],
)
def test_error_is_returned(family, way, damage, handler):
    outcome = run(family, damage, way, handler).must_succeed()
    first, second = LINE.findall(outcome.stdout)
    words = DAMAGES[damage]
    assert first[3].startswith("tightwire: ") and words in first[3], str(outcome)
    # MPICH 4.0 tells MPI_COMM_WORLD's handler, too, of a request whose message is too long.
    calls = 2 if (family.name, damage) == ("mpich", "chunk-long") else 1
    assert int(first[2]) == (calls if handler == "handler" else 0), str(outcome)
    assert second == ("second", "right", "0", "success"), str(outcome)
    assert re.search(rf"tightwire: rank 1: MPI_\w+ of \d+ bytes .*{words}", outcome.stderr), str(
        outcome
    )


@pytest.mark.parametrize("damage", ["frame-payload-bit", "tail-bit", "chunk-bit"])
def test_fatal_by_default(family, damage):
    outcome = run(family, damage, "blocking", "fatal")
    assert outcome.code != 0, str(outcome)
    assert DAMAGES[damage] in outcome.stderr, str(outcome)
    assert not LINE.findall(outcome.stdout), str(outcome)
