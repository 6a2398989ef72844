"""Rules and hints: in one program, one field stays exact and another is within its bound."""

import json
import re
import sys
from pathlib import Path

import pytest
import python_mpi
from harness import Part

RANKS = 3
PROGRAMS = Path(__file__).parent / "programs"
EVERYWHERE = {"same-host": "compress", "point-to-point": "on"}
OPERATIONS = ("allreduce", "bcast", "allgather", "gatherv", "send")
TYPES = ("double", "float")

BOUND_VELOCITY = """
[[rule]]
communicator = "velo*"
error-bound = 1e-3
"""
ALL_EXACT = """
[[rule]]
mode = "exact"
"""


@pytest.fixture
def part(family, tmp_path):
    """A part of a job: a Python program under Tightwire, with rules."""
    if reason := python_mpi.why_not():
        pytest.skip(reason)

    def make(script, *arguments, rules="", ranks=RANKS, **settings):
        file = tmp_path / f"rules-{abs(hash(rules))}.toml"
        file.write_text(rules)
        keys = {key.replace("_", "-"): value for key, value in settings.items()}
        environment = family.preload({**EVERYWHERE, "config": str(file), **keys})
        command = [sys.executable, str(PROGRAMS / script), *arguments]
        return Part(ranks, command, {**environment, **python_mpi.environment(family)})

    return make


def errors(outcome) -> dict[str, dict[tuple[str, str], float]]:
    """By field, operation and type."""
    found = {"pressure": {}, "velocity": {}}
    for line in outcome.must_succeed().stdout.splitlines():
        field, operation, type_name, error = line.split()
        found[field][operation, type_name] = float(error)
    for field in found.values():
        assert len(field) == len(OPERATIONS) * len(TYPES), str(outcome)
    return found


def must_be_exact(field):
    assert set(field.values()) == {0.0}, field


def must_be_bounded(field, bound):
    for which, error in field.items():
        assert 0 < error <= bound, which


def test_a_field_is_bounded_by_its_name(family, part):
    found = errors(family.run(part("two_fields.py", "names", rules=BOUND_VELOCITY)))
    must_be_exact(found["pressure"])
    must_be_bounded(found["velocity"], 1e-3)


def test_a_field_is_exact_by_its_name(family, part):
    rules = '[[rule]]\ncommunicator = "pressure"\nmode = "exact"\n'
    found = errors(family.run(part("two_fields.py", "names", rules=rules, error_bound="1e-4")))
    must_be_exact(found["pressure"])
    must_be_bounded(found["velocity"], 1e-4)


@pytest.mark.either_mpi
@pytest.mark.parametrize("exact_first", [False, True])
def test_the_first_rule_that_matches_counts(family, part, exact_first):
    rules = ALL_EXACT + BOUND_VELOCITY if exact_first else BOUND_VELOCITY + ALL_EXACT
    found = errors(family.run(part("two_fields.py", "names", rules=rules)))
    must_be_exact(found["pressure"])
    if exact_first:
        must_be_exact(found["velocity"])
    else:
        must_be_bounded(found["velocity"], 1e-3)


@pytest.mark.either_mpi
@pytest.mark.parametrize("chosen", OPERATIONS)
def test_operations(family, part, chosen):
    name = chosen.removesuffix("v")
    rules = f'[[rule]]\noperation = "{name}"\nerror-bound = 1e-3\n'
    for field in errors(family.run(part("two_fields.py", rules=rules))).values():
        must_be_exact({which: e for which, e in field.items() if which[0] != chosen})
        must_be_bounded({which: e for which, e in field.items() if which[0] == chosen}, 1e-3)


@pytest.mark.either_mpi
@pytest.mark.parametrize("job", [{}, {"mode": "raw"}, {"mode": "exact"}], ids=str)
def test_types(family, part, job):
    rules = '[[rule]]\ndatatype = "float"\nmode = "adaptive+pipelined"\nerror-bound = 1e-3\n'
    for field in errors(family.run(part("two_fields.py", rules=rules, **job))).values():
        must_be_exact({which: e for which, e in field.items() if which[1] == "double"})
        must_be_bounded({which: e for which, e in field.items() if which[1] == "float"}, 1e-3)


@pytest.mark.either_mpi
def test_sizes(family, part):
    rules = '[[rule]]\nmin-bytes = "200K"\nerror-bound = 1e-3\n'
    for field in errors(family.run(part("two_fields.py", rules=rules))).values():
        must_be_exact({which: e for which, e in field.items() if which[1] == "float"})
        must_be_bounded({which: e for which, e in field.items() if which[1] == "double"}, 1e-3)


@pytest.mark.either_mpi
def test_peers(family, part):
    """All ranks are on one host here, and compress as if they were not."""
    for peer, bounded in (("same-host", True), ("other-host", False)):
        rules = f'[[rule]]\npeer = "{peer}"\nerror-bound = 1e-3\n'
        for field in errors(family.run(part("two_fields.py", rules=rules))).values():
            sends = {which: error for which, error in field.items() if which[0] == "send"}
            must_be_exact({which: e for which, e in field.items() if which not in sends})
            if bounded:
                must_be_bounded(sends, 1e-3)
            else:
                must_be_exact(sends)


def test_a_hint_gives_a_bound(family, part):
    found = errors(family.run(part("two_fields.py", "tightwire_error_bound=1e-3")))
    must_be_exact(found["pressure"])
    must_be_bounded(found["velocity"], 1e-3)


def test_a_hint_takes_a_bound_away(family, part):
    job = part("two_fields.py", "tightwire_mode=exact", error_bound="1e-3")
    found = errors(family.run(job))
    must_be_bounded(found["pressure"], 1e-3)
    must_be_exact(found["velocity"])


def test_hints_outdo_rules(family, part):
    job = part("two_fields.py", "names", "tightwire_error_bound=none", rules=BOUND_VELOCITY)
    must_be_exact(errors(family.run(job))["velocity"])


@pytest.mark.either_mpi
@pytest.mark.parametrize(
    ("rules", "hint"),
    [(BOUND_VELOCITY, "none"), ("", "tightwire_error_bound=1e-3")],
    ids=["rule", "hint"],
)
def test_fields_of_a_fortran_program(family, tmp_path, rules, hint):
    program = family.program("two_fields")
    if not program.exists():
        pytest.skip(f"two_fields was not built: no Fortran compiler wrapper of {family.name}")
    file = tmp_path / "rules.toml"
    file.write_text(rules)
    environment = family.preload({**EVERYWHERE, "config": str(file)})
    outcome = family.run(Part(RANKS, [str(program), hint], environment)).must_succeed()
    lines = [line.split() for line in outcome.stdout.splitlines()]
    errors_of = {(field, operation): float(error) for field, operation, error in lines}
    assert len(errors_of) == 4
    for (field, _), error in errors_of.items():
        assert error == 0 if field == "pressure" else 0 < error <= 1e-3, str(outcome)


def test_the_report_counts_rules(family, part, tmp_path):
    report = tmp_path / "report.json"
    rules = BOUND_VELOCITY + '[[rule]]\ncommunicator = "nobody"\nmode = "exact"\n'
    job = part("two_fields.py", "names", rules=rules, report=str(report))
    family.run(job).must_succeed()
    met, never = json.loads(report.read_text())["rules"]
    assert met["calls"] > 0 and never["calls"] == 0
    assert met["text"] == "communicator=velo*: error-bound=0.001"
    assert met["place"].endswith(".toml:2")


def test_hints_as_mpi_has_them(family, part):
    outcome = family.run(part("hints.py")).must_succeed()
    facts = dict(line.split() for line in outcome.stdout.splitlines())
    # MPI 4.0 ended the inheritance by duplicates.
    inherited = "1e-3" if int(facts.pop("version")) < 4 else "none"
    assert facts == {
        "set": "1e-3",
        "kept": "1e-3",
        "dup": inherited,
        "dup-with-info": "1e-2",
        "dup-with-none": "none",
        "split": "none",
        "split-type": "5",
        "refused": "True",
        "after": "1e-3",
    }
    said = [line for line in outcome.stderr.splitlines() if line.startswith("tightwire: ")]
    assert len(said) == 1, str(outcome)
    assert 'rank 1: MPI_Comm_set_info: tightwire_error_bound = "-1"' in said[0]
    assert "is negative; give a positive number" in said[0]


@pytest.mark.either_mpi
@pytest.mark.parametrize(
    ("hint", "words"),
    [
        ("tightwire_moed=exact", "did you mean tightwire_mode?"),
        ("tightwire_mode=bounded", "needs an error bound"),
        ("tightwire_chunks=3", "there is no such hint"),
    ],
)
def test_bad_hints_are_refused(family, part, hint, words):
    outcome = family.run(part("two_fields.py", hint))
    assert not outcome.timed_out and outcome.code != 0, str(outcome)
    # Other ranks' words may stand before it on its line.
    said = re.findall("tightwire: .*", outcome.stderr)
    assert len(said) == 1 and words in said[0] and hint.split("=")[0] in said[0], str(outcome)


def test_ranks_with_other_hints_are_told(family, part):
    outcome = family.run(part("hints.py", "hint")).must_succeed()
    assert "disagree True" in outcome.stdout
    said = [line for line in outcome.stderr.splitlines() if line.startswith("tightwire: ")]
    assert len(said) == 1, str(outcome)
    assert "rank 0 has tightwire_error_bound=1e-4, its rank 1 has" in said[0]


def test_ranks_with_other_names_end_the_job(family, part):
    outcome = family.run(part("hints.py", "name", rules=BOUND_VELOCITY), limit=60)
    assert not outcome.timed_out and outcome.code != 0, str(outcome)
    said = [line for line in outcome.stderr.splitlines() if line.startswith("tightwire: ")]
    assert len(said) == 1 and "MPI_Comm_set_name" in said[0], str(outcome)


def test_other_names_do_no_harm_without_rules_for_them(family, part):
    family.run(part("hints.py", "name", rules=ALL_EXACT), limit=60).must_succeed()


def test_ranks_with_other_rules_do_not_start(family, part):
    exact = part("two_fields.py", rules=ALL_EXACT, ranks=2)
    bounded = part("two_fields.py", rules=BOUND_VELOCITY, ranks=1)
    outcome = family.run(exact, bounded, limit=60)
    assert not outcome.timed_out and outcome.code != 0, str(outcome)
    assert "rank 0 has rule 1, every call: mode=exact" in outcome.stderr, str(outcome)
    assert "rank 2 has rule 1, communicator=velo*: error-bound=0.001" in outcome.stderr
