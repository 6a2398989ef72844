"""Programs of MPI 4 sessions, beside MPI_Init or without it: programs/uses_sessions.c."""

import pytest
from harness import Part

RANKS = 2
NO_SESSIONS = 77
SETTINGS = {"same-host": "compress", "point-to-point": "on", "mode": "exact"}
EXCHANGES = {"alone": 8, "around": 35, "within": 16}


def run(family, which, environment):
    command = [str(family.program("uses_sessions")), which]
    outcome = family.run(Part(RANKS, command, environment), limit=60)
    if outcome.code == NO_SESSIONS:
        pytest.skip("this MPI is older than sessions")
    assert f"exchanges {EXCHANGES[which]}, wrong 0\n" in outcome.must_succeed().stdout, str(outcome)
    return outcome


@pytest.mark.parametrize("which", EXCHANGES)
def test_as_in_plain_mpi(family, which):
    """MPI 4.0, 11.3: a session's communicators live before MPI_Init and beyond MPI_Finalize."""
    outcome = run(family, which, family.preload(SETTINGS))
    assert ("session" in outcome.stderr) == (which == "around"), str(outcome)


@pytest.mark.parametrize("which", EXCHANGES)
def test_control(family, which):
    run(family, which, family.plain())
