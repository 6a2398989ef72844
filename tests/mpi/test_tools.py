"""Tools that stand between a program and MPI by the profiling interface (MPI 4.0, section 15.2)."""

import json
from pathlib import Path

import pytest
from harness import Part

SEEN = {"Init": 1, "Barrier": 1, "Send": 1, "Recv": 1, "Bcast": 1, "Finalize": 1}
SETTINGS = {"same-host": "compress", "point-to-point": "on", "mode": "exact"}


def with_settings(variables, report):
    settings = {**SETTINGS, "report": str(report)}
    named = {"TIGHTWIRE_" + key.upper().replace("-", "_"): value for key, value in settings.items()}
    return variables | named


def must_be_traced_and_compressed(outcome, report):
    must_be_compressed(outcome, report)
    lines = [line.split() for line in outcome.stdout.splitlines() if line.startswith("tool: ")]
    assert {name: int(count) for _, name, count in lines} == SEEN, str(outcome)


def must_be_compressed(outcome, report):
    outcome.must_succeed()
    assert "right" in outcome.stdout.splitlines(), str(outcome)
    rows = json.loads(report.read_text())["collectives"]
    compressed = {row["collective"] for row in rows if row["tier"] == "exact"}
    assert {"Send", "Bcast"} <= compressed, str(outcome)


@pytest.mark.parametrize(
    ("program", "preloaded"),
    [
        ("is_traced", ["profiling_tool"]),
        ("is_traced_linked", []),
        ("is_traced_inside", []),
    ],
    ids=["preloaded", "linked", "inside"],
)
def test_tool_sees_what_it_would_see_without_us(family, tmp_path, program, preloaded):
    """The launcher puts the library behind what the user preloads."""
    report = tmp_path / "report.json"
    tools = [str(family.program(f"{name}.so")) for name in preloaded]
    companions = [str(one) for one in family.companions()]
    environment = {"LD_PRELOAD": ":".join([*companions, *tools])}
    command = [str(family.launcher), str(family.program(program))]
    outcome = family.run(Part(2, command, with_settings(environment, report)), limit=60)
    must_be_traced_and_compressed(outcome, report)


# The second is not linked to MPI itself.
@pytest.mark.parametrize("tool", ["profiling_tool", "profiling_tool_alone"])
def test_tool_preloaded_behind_us(family, tmp_path, tool):
    report = tmp_path / "report.json"
    environment = family.preload(SETTINGS | {"report": str(report)}, behind=(tool,))
    outcome = family.run(Part(2, [str(family.program("is_traced"))], environment), limit=60)
    must_be_traced_and_compressed(outcome, report)


def test_eztrace_writes_its_trace(family, tmp_path):
    """A tool that people use; it calls the MPI_x that comes behind its own."""
    found = list(Path("/usr/lib").glob(f"*/libeztrace-{family.name}.so"))
    if not found:
        pytest.skip(f"there is no libeztrace-{family.name}.so: Debian's package is libeztrace0")
    report = tmp_path / "report.json"
    environment = {"LD_PRELOAD": str(found[0]), "EZTRACE_TRACE_DIR": str(tmp_path / "trace")}
    command = [str(family.launcher), str(family.program("is_traced"))]
    outcome = family.run(Part(2, command, with_settings(environment, report)), limit=60)
    must_be_compressed(outcome, report)
    assert list(tmp_path.rglob("is_traced_trace/*.otf2")), str(outcome)
