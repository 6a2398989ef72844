"""Layouts of datatypes against MPI's own packing: datatypes/."""

import re

import pytest
from harness import Part

TOTALS = re.compile(r"^types (\d+) understood (\d+) bytes (\d+) wrong (\d+)$", re.MULTILINE)


def totals(outcome) -> list[int]:
    found = TOTALS.search(outcome.stdout)
    assert found, str(outcome)
    return [int(number) for number in found.groups()]


def test_layouts_pack_as_mpi_does(family):
    outcome = family.run(Part(1, [str(family.program("datatypes")), "--seed=1", "--count=10000"]))
    types, understood, size, wrong = totals(outcome.must_succeed())
    assert wrong == 0
    assert understood > 0.95 * types
    assert size > 1000 * types


@pytest.mark.parametrize("fault", ["byte", "order"])
def test_a_fault_is_found(family, fault):
    command = [str(family.program("datatypes")), "--count=200", f"--fault={fault}"]
    outcome = family.run(Part(1, command))
    assert totals(outcome)[3] > 100
    assert re.search(r"^seed \d+: ", outcome.stdout, re.MULTILINE), str(outcome)
