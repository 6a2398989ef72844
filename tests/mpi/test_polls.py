"""Lists of requests that are polled: they complete (MPI 4.0, sections 3.7.3 and 3.7.5), and a look
at a long one costs no more than plain MPI's."""

import re

import pytest
from harness import Part

pytestmark = pytest.mark.alone

SETTINGS = {"same-host": "compress", "point-to-point": "on", "mode": "exact"}


def polls(family, environment, case):
    command = [str(family.program("polls")), case]
    return family.run(Part(2, command, environment), limit=60).must_succeed().stdout


@pytest.mark.parametrize("chunks", ["1", "8"])
def test_messages_come_while_a_list_is_polled(family, chunks):
    settings = SETTINGS | {"chunks": chunks, "threshold-pipelined": "64K"}
    assert "received 72, wrong 0" in polls(family, family.preload(settings), "orders")


def nanoseconds(family, environment):
    return float(re.search(r"^testall (\d+)$", polls(family, environment, "cost"), re.M)[1])


@pytest.mark.long  # on a machine with nothing else to do
def test_polling_is_cheap(family):
    """It was 8 to 38 times as much; ./run bench overhead has the figures."""
    plain = nanoseconds(family, family.plain())
    assert nanoseconds(family, family.preload(SETTINGS)) < 3 * plain + 3000
