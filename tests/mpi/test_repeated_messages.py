"""Messages between two ranks that come twice, late or not at all: what test_damage.py does to
collectives. Damage to their bytes: test_damaged_messages.py.

Ranks 0 and 1 send 1 MiB to ranks 2 and 3. A message has a lead, which lands in the program's
buffer; after it come frames, if it goes in chunks, or the tail, if it is stored: noise that looks
like a frame.
"""

import pytest
from test_damage import LINE, RANKS, check_successes, run

ON = {"point-to-point": "on"}
WHOLE = {**ON, "mode": "exact"}
IN_CHUNKS = {**ON, "mode": "adaptive+pipelined", "threshold-exact": "4K"} | {
    "threshold-pipelined": "64K",
    "chunks": "4",
}
TWICE = {"lead": "has come before", "frame": "another place"}


@pytest.mark.either_mpi
@pytest.mark.parametrize(
    ("operation", "of", "settings"),
    [
        ("message", "lead", WHOLE),
        ("request", "lead", WHOLE),
        ("marked", "lead", WHOLE),
        ("message", "frame", IN_CHUNKS),
    ],
)
def test_what_comes_twice_ends_the_job(family, operation, of, settings):
    outcome = run(family, (operation, "fatal"), "twice", 0, 0, settings, of)
    assert outcome.code != 0, str(outcome)
    assert TWICE[of] in outcome.stderr, str(outcome)
    check_successes(outcome)


@pytest.mark.parametrize("handler", ["fatal", "return"])
@pytest.mark.parametrize("chunk", [0, 1])
def test_a_chunk_that_never_comes_is_an_error(family, chunk, handler):
    """All but the last, after which none is waited for."""
    outcome = run(family, ("message", handler), "drop", 0, chunk, IN_CHUNKS, "frame")
    lost = [text for _, _, _, text in LINE.findall(outcome.stdout) if text != "success"]
    if handler == "fatal":
        assert outcome.code != 0 and not lost, str(outcome)
    else:
        assert outcome.code == 0 and len(lost) == 1, str(outcome)
    assert TWICE["frame"] in outcome.stderr, str(outcome)
    for _, _, data, text in LINE.findall(outcome.stdout):
        assert text != "success" or data in ("right", "none due"), str(outcome)


@pytest.mark.parametrize(("operation", "of"), [("message", "lead"), ("marked", "tail")])
def test_what_is_late_is_waited_for(family, operation, of):
    outcome = run(family, (operation, "return"), "delay", 0, 0, WHOLE, of).must_succeed()
    assert len(LINE.findall(outcome.stdout)) == 2 * RANKS, str(outcome)
    check_successes(outcome)


@pytest.mark.parametrize(("operation", "of"), [("message", "lead"), ("marked", "tail")])
def test_a_rank_that_dies_ends_the_job(family, operation, of):
    outcome = run(family, (operation, "return"), "kill", 0, 0, WHOLE, of)
    assert outcome.code != 0, str(outcome)
    check_successes(outcome)
