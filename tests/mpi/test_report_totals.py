"""Reports of compressed runs: their rows add up to what the program moved, on roots and leaves."""

import json
import re
from collections import Counter

import pytest
from harness import Part

FLOAT = 4
RANKS = 3
EACH_A_HOST = {"host-ranks": "1"}
BOUNDED = {"error-bound": "rel:1e-4"}
TABLE_ROW = re.compile(r"^(\w+) .*? +(\S+) +[\d.]+ (?:|Ki|Mi|Gi)B ", re.MULTILINE)


def moved_fields(ranks):
    """Calls and bytes of all ranks: of what programs/moves_fields.c does in its two steps."""
    field = FLOAT * (3 << 19)
    one = (2 * ranks, 2 * ranks * field)
    block = (2 * ranks, 2 * field)
    names = ("Reduce", "Reduce_scatter", "Bcast", "Alltoall", "Send")
    blocks = dict.fromkeys(("Gather", "Scatter", "Allgather"), block)
    return {"Allreduce": (2 * one[0], 2 * one[1]), **dict.fromkeys(names, one), **blocks}


def moved_bits(ranks):
    """Of programs/bits_of_a_run.c, which does half of it in every second step only."""
    values = 1 << 16
    part = values // ranks
    uneven = sum(part - 100 * (i + j) for i in range(ranks) for j in range(ranks))
    moved = {
        "Allreduce": (45, 45 * ranks * values),
        "Bcast": (30, 30 * ranks * values),
        "Alltoall": (45, 30 * ranks * ranks * part + 15 * uneven),
        "Send": (45, 45 * ranks * values),
        "Allgather": (15, 15 * ranks * part),
    }
    return {name: (ranks * calls, FLOAT * size) for name, (calls, size) in moved.items()}


PROGRAMS = {"moves_fields": moved_fields, "bits_of_a_run": moved_bits}
CASES = {
    "bounded": ("moves_fields", RANKS, {**EACH_A_HOST, **BOUNDED, "mode": "bounded"}),
    "exact": ("moves_fields", RANKS, {**EACH_A_HOST, "link": "1G"}),
    "lanes": ("moves_fields", 4, {"host-ranks": "2", **BOUNDED, "link": "1G"}),
    "repeated": ("bits_of_a_run", RANKS, {**EACH_A_HOST, **BOUNDED, "link": "100M"}),
    "learning": ("bits_of_a_run", RANKS, EACH_A_HOST),
}
# Without a word on the network what is encoded is a matter of times.
ENCODED = {case: {"Bcast", "Send"} for case in CASES} | {"learning": set()}


@pytest.mark.parametrize("case", CASES)
def test_rows_add_up_to_what_the_program_moved(family, tmp_path, case):
    name, ranks, settings = CASES[case]
    file = tmp_path / "report.json"
    settings = {**settings, "report": str(file), "verbose": "on"}
    outcome = family.run(Part(ranks, [str(family.program(name))], family.preload(settings)))
    printed = TABLE_ROW.findall(outcome.must_succeed().stderr)
    rows = json.loads(file.read_text())["collectives"]
    calls: Counter = Counter()
    size: Counter = Counter()
    for row in rows:
        assert isinstance(row["calls"], int) and row["calls"] > 0, row
        assert row["message_bytes"] > 0, row
        calls[row["collective"]] += row["calls"]
        size[row["collective"]] += row["message_bytes"]
    assert {key: (calls[key], size[key]) for key in calls} == PROGRAMS[name](ranks)
    assert ENCODED[case] <= {row["collective"] for row in rows if row["tier"] != "raw"}
    counted = [(row["collective"], str(row["calls"])) for row in rows]
    assert printed == [*counted, ("all", str(calls.total()))], outcome.stderr
