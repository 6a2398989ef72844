"""Every algorithm of the reductions, forced, against true answers and against each other."""

import json
import re

import pytest
from harness import Part, long

SETTINGS = {
    "same-host": "compress",
    "threshold-exact": "1024",
    "threshold-bounded": "4096",
    "threshold-pipelined": "32768",
}
# Reduce has a way of its own; Allreduce has no tree.
OF_OPERATION = {
    "Allreduce": {"ring", "recursive-doubling", "rabenseifner"},
    "Reduce": {"ring", "tree"},
}


@pytest.mark.either_mpi
@pytest.mark.parametrize("ranks", [long(2), 3, long(5), 7, 8])
@pytest.mark.parametrize("algorithm", ["ring", "recursive-doubling", "rabenseifner", "tree"])
def test_answers_are_right(family, tmp_path, algorithm, ranks):
    report = tmp_path / "report.json"
    settings = {**SETTINGS, "algorithm": algorithm, "error-bound": "1e-4", "report": str(report)}
    command = [
        str(family.program("check_collectives")),
        "--sizes=1024,4096,32768",
        "--identical-from=1024",
        "--bound=1e-4",
        *(["--sections=communicators,user-operations"] if ranks > 5 else []),
    ]
    outcome = family.run(Part(ranks, command, family.preload(settings)), limit=240)
    outcome.must_succeed()
    assert re.search(r"^cases [1-9]\d*, failures 0,", outcome.stdout, re.MULTILINE), str(outcome)
    rows = json.loads(report.read_text())["collectives"]
    for operation, known in OF_OPERATION.items():
        for tier in ("exact", "bounded"):
            used = {
                row["algorithm"]
                for row in rows
                if row["collective"] == operation and row["tier"] == tier
            }
            assert used and (used == {algorithm} if algorithm in known else used <= known), rows


@pytest.mark.either_mpi
@pytest.mark.parametrize("ranks", [3, 4])
@pytest.mark.parametrize("algorithm", ["ring", "recursive-doubling", "rabenseifner", "tree"])
def test_exact_answers_are_right(family, tmp_path, algorithm, ranks):
    """Of sums that round, too, which the adaptive modes leave to MPI."""
    report = tmp_path / "report.json"
    settings = {
        "same-host": "compress",
        "mode": "exact",
        "algorithm": algorithm,
        "report": str(report),
    }
    command = [
        str(family.program("check_collectives")),
        "--sizes=1024,32768",
        "--identical-from=0",
    ]
    outcome = family.run(Part(ranks, command, family.preload(settings)), limit=240)
    outcome.must_succeed()
    assert re.search(r"^cases [1-9]\d*, failures 0,", outcome.stdout, re.MULTILINE), str(outcome)
    used = {
        (row["collective"], row["algorithm"])
        for row in json.loads(report.read_text())["collectives"]
    }
    for operation, known in OF_OPERATION.items():
        assert algorithm not in known or (operation, algorithm) in used, used


@pytest.mark.parametrize("ranks", [long(2), 3, long(5), long(7), 8, 13])
@pytest.mark.parametrize("applies_to", ["result", "contribution"])
def test_bounded_sums_have_the_same_bits_by_every_way_and_order(family, ranks, applies_to):
    settings = {**SETTINGS, "error-bound": "1e-3", "bound-applies-to": applies_to}
    command = [str(family.program("same_bits"))]
    outcome = family.run(Part(ranks, command, family.preload(settings)), limit=120)
    outcome.must_succeed()
    assert "combinations 198, different 0" in outcome.stdout, str(outcome)
