"""Rules that go by the function which makes the call (where)."""

import json
import subprocess

import pytest
from harness import Part

BOUND = 1e-3
ROUNDING = 1e-10
WITHIN = f'error-bound = {BOUND}\nmode = "bounded"\n'


@pytest.fixture
def errors(family, tmp_path):
    """The largest error of each step, and how often the rules were met."""

    def run(rules, program="calls_from_places", ranks=3):
        config, report = tmp_path / "rules.toml", tmp_path / "report.json"
        config.write_text(rules)
        settings = {"same-host": "compress", "config": str(config), "report": str(report)}
        outcome = family.run(
            Part(ranks, [str(family.program(program))], family.preload(settings))
        ).must_succeed()
        found = dict(line.split() for line in outcome.stdout.splitlines())
        met = [rule["calls"] for rule in json.loads(report.read_text())["rules"]]
        return {step: float(error) for step, error in found.items()}, met, outcome.stderr

    return run


def within(found):
    assert all(error <= BOUND for error in found.values()), found
    return {step for step, error in found.items() if error > ROUNDING}


def test_a_bound_for_what_a_function_sends(errors):
    found, met, _ = errors(f'[[rule]]\nwhere = "send_vel*"\n{WITHIN}')
    assert within(found) == {"send_velocity"}
    assert met == [3]


def test_a_bound_for_all_of_a_variable(errors):
    """Where ranks come from different places a sum is MPI's, and of data that is moved the sender's
    place counts."""
    found, _, _ = errors(f'[[rule]]\nwhere = "*_velocity"\n{WITHIN}')
    assert within(found) == {
        "send_velocity",
        "add_velocity",
        "spread_velocity",
        "spread_from_velocity",
    }


def test_exact_where_all_else_is_bounded(errors):
    rules = f'{WITHIN}[[rule]]\nwhere = "*_pressure"\nmode = "exact"\n'
    bounded = within(errors(rules)[0])
    assert bounded == {
        "send_velocity",
        "add_velocity",
        "spread_velocity",
        "spread_from_velocity",
    }


def test_the_first_rule_counts(errors):
    rules = '[[rule]]\nwhere = "send_velocity"\nmode = "exact"\n' + (
        f'[[rule]]\noperation = "send"\nwhere = "send_*"\n{WITHIN}'
    )
    found, met, _ = errors(rules)
    assert within(found) == {"send_pressure"}
    assert met == [3, 3]


def test_a_place_that_there_is_not(errors):
    found, met, said = errors(f'[[rule]]\nwhere = "nowhere"\n{WITHIN}')
    assert within(found) == set()
    assert met == [0] and "does not name" not in said


def test_a_stripped_program_says_so(family, tmp_path, errors):
    stripped = tmp_path / "stripped"
    subprocess.run(["strip", "-o", stripped, family.program("calls_from_places")], check=True)
    found, met, said = errors(f'[[rule]]\nwhere = "*_velocity"\n{WITHIN}', program=stripped)
    assert within(found) == set()
    assert met == [0]
    assert "stripped does not name those that call MPI" in said


@pytest.mark.parametrize("binding", ["in_mpif_h", "in_use_mpi", "in_use_mpi_f08"])
def test_fortran_procedures(family, tmp_path, binding):
    if not family.program(binding).exists():
        pytest.skip(f"{binding} was not built")
    config, report = tmp_path / "rules.toml", tmp_path / "report.json"
    config.write_text('[[rule]]\nwhere = "?*"\nmode = "exact"\n')
    settings = {"same-host": "compress", "config": str(config), "report": str(report)}
    program = [str(family.program(binding))]
    family.run(Part(3, program, family.preload(settings))).must_succeed()
    assert json.loads(report.read_text())["rules"][0]["calls"] > 0
