"""Messages leave nothing behind. ./run soak p2p does the same for as many as one likes."""

import re

import pytest
from harness import Part

MESSAGES = 32000
# Of the heap, in that tenth of the messages in which it grew least, when pools have what they
# need: the least that malloc gives, 24 bytes for each message, would be 77 KB.
MOST_GROWTH = 16 << 10
SETTINGS = {"point-to-point": "on", "same-host": "compress", "threshold-exact": "4096"}
CHUNKS = {"mode": "adaptive+pipelined", "threshold-pipelined": "32K", "chunks": "4"}


@pytest.mark.parametrize("more", [{}, CHUNKS], ids=["whole", "chunks"])
def test_the_heap_does_not_grow(family, more):
    command = [str(family.program("soak_p2p")), str(MESSAGES)]
    part = Part(2, command, family.preload({**SETTINGS, **more}))
    printed = family.run(part, limit=250).must_succeed().stdout
    found = re.search(r"^messages (\d+), heap ([+-]\d+) B", printed, re.MULTILINE)
    assert int(found[1]) == MESSAGES
    assert int(found[2]) < MOST_GROWTH, printed
