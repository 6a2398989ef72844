"""Settings in a job: what is wrong with them is said once, before the program's MPI work starts."""

import pytest
from harness import Part

BOUND = {"same-host": "compress", "error-bound": "1e-3"}


def complaints(outcome) -> list[str]:
    return [line for line in outcome.stderr.splitlines() if line.startswith("tightwire: ")]


def refuse(family, *parts: Part) -> str:
    """Runs a job that must end in MPI_Init; returns its only complaint."""
    outcome = family.run(*parts, limit=60)
    assert not outcome.timed_out and outcome.code != 0, str(outcome)
    assert outcome.stdout == "", f"MPI work was started: {outcome}"
    said = complaints(outcome)
    assert len(said) == 1, str(outcome)
    return said[0]


@pytest.fixture
def program(family):
    return [str(family.program("in_c"))]


@pytest.mark.either_mpi
@pytest.mark.parametrize(
    ("key", "first", "other"),
    [
        ("error-bound", "1e-3", "1e-4"),
        ("error-bound", "1e-3", "rel:1e-3"),
        ("mode", "exact", "raw"),
        ("threshold-exact", "1K", "2K"),
        ("exact-codec", "zstd", "lz4"),
        ("chunks", "3", "4"),
    ],
)
def test_ranks_that_disagree(family, program, key, first, other):
    said = refuse(
        family,
        Part(2, program, family.preload({key: first})),
        Part(1, program, family.preload({key: other})),
    )
    assert "the ranks do not agree" in said
    assert f"rank 0 has {key}=" in said and f"rank 2 has {key}=" in said


@pytest.mark.either_mpi
@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("error-bound", "-1"),
        ("error-bound", "nan"),
        ("error-bound", "0"),
        ("error-bound", "rel:inf"),
        ("chunks", "0"),
        ("mode", "fast"),
        ("threshold-exact", "many"),
        ("zstd-level", "99"),
    ],
)
def test_a_bad_value(family, program, key, value):
    said = refuse(family, Part(3, program, family.preload({key: value})))
    variable = "TIGHTWIRE_" + key.upper().replace("-", "_")
    assert f'{key} = "{value}" (environment variable {variable}): ' in said


def test_a_bad_value_on_one_rank(family, program):
    said = refuse(
        family,
        Part(2, program, family.preload()),
        Part(1, program, family.preload({"error-bound": "-1"})),
    )
    assert "on rank 2" in said and "error-bound" in said and '"-1"' in said


@pytest.mark.either_mpi
@pytest.mark.parametrize("name", ["mmx", "", "AVX2"])
def test_an_unknown_instruction_set(family, program, name):
    said = refuse(family, Part(2, program, family.preload({"isa": name})))
    assert f"TIGHTWIRE_ISA={name} is not known" in said and "portable" in said


def test_a_known_instruction_set(family, program):
    settings = {"isa": "portable", "quiet": "on"}
    outcome = family.run(Part(2, program, family.preload(settings))).must_succeed()
    assert complaints(outcome) == []


def test_an_unknown_key(family, program):
    said = refuse(family, Part(2, program, family.preload({"eror-bound": "1e-3"})))
    assert "eror-bound" in said.lower().replace("_", "-")
    assert "error-bound" in said.lower().replace("_", "-")  # the suggestion


def test_a_bad_configuration_file(family, program, tmp_path):
    (tmp_path / "tightwire.toml").write_text('mode = "exact"\nchunks = "few"\n')
    outcome = family.run(Part(2, program, family.preload()), limit=60, folder=tmp_path)
    assert outcome.code != 0 and outcome.stdout == "", str(outcome)
    assert len(complaints(outcome)) == 1, str(outcome)
    assert "tightwire.toml:2" in outcome.stderr and "chunks" in outcome.stderr


def test_a_good_configuration_file(family, program, tmp_path):
    (tmp_path / "tightwire.toml").write_text('same-host = "compress"\nverbose = "on"\n')
    outcome = family.run(Part(2, program, family.preload()), folder=tmp_path).must_succeed()
    assert "exact+pipelined" in outcome.stdout + outcome.stderr


@pytest.mark.parametrize("command", [["echo", "hello"], ["sh", "-c", "echo hello; exit 0"]])
def test_a_program_without_mpi(family, command):
    """Bad settings do not matter where nothing is done with MPI."""
    environment = family.preload({"error-bound": "-1", "verbose": "on"})
    outcome = family.run(Part(2, command, environment)).must_succeed()
    assert outcome.stdout == "hello\nhello\n"
    assert complaints(outcome) == []


def test_exit_code_of_a_program_without_mpi(family):
    outcome = family.run(Part(1, ["sh", "-c", "exit 7"], family.preload()))
    assert outcome.code == 7, str(outcome)
