"""tightwire audit: nothing changes, and what is found is what the program does."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import python_mpi
from harness import Part

RANKS = 4
STEPS = 12
INTERPOSE = Path(__file__).resolve().parents[2] / "src" / "interpose"
SIZE = 8 << 17
# Each rank counts as a host; samples need some time to pass before they are cheap enough.
AUDIT = {"host-ranks": "1", "link": "1G"}


@pytest.fixture
def audit(family, tmp_path):
    """Runs a program; gives the outcome and the audit."""

    def run(*command, ranks=RANKS, environment=None, **settings):
        file = tmp_path / "audit.json"
        keys = {key.replace("_", "-"): value for key, value in settings.items()}
        variables = family.preload({**AUDIT, "audit": str(file), **keys}) | (environment or {})
        outcome = family.run(Part(ranks, [str(word) for word in command], variables))
        return outcome, json.loads(file.read_text()) if file.exists() else None

    return run


def calls(found, site, function):
    return [
        call
        for call in found["calls"]
        if (call["site"], call["function"]) == (site, "MPI_" + function) and call["bytes"] > 0
    ]


def test_finds_what_the_program_does(family, audit):
    program = family.program("audited")
    plain = family.run(Part(RANKS, [str(program), str(STEPS)], family.plain())).must_succeed()
    outcome, found = audit(program, STEPS)
    assert outcome.must_succeed().stdout == plain.stdout
    assert (found["ranks"], found["hosts"]) == (RANKS, RANKS)
    assert 0 < found["mpi_seconds"] < found["seconds"]
    for site, function, count in (
        ("exchange_halo", "Isend", RANKS * STEPS),
        ("swap_noise", "Sendrecv", RANKS * STEPS),
        ("sum_fields", "Allreduce", RANKS * STEPS),
        ("spread", "Bcast", STEPS),  # the root's
    ):
        (call,) = calls(found, site, function)
        assert (call["calls"], call["bytes"]) == (count, count * SIZE), site
        assert (call["object"], call["type"]) == ("audited", "float64")
        assert call["peer"] == "other-host"
        assert call["communicator"] == "MPI_COMM_WORLD" and call["communicator_ranks"] == RANKS
    assert calls(found, "sum_fields", "Allreduce")[0]["reduction"] == "sum"
    waits = [call for call in found["calls"] if call["function"] == "MPI_Waitall"]
    assert sum(call["calls"] for call in waits) == RANKS * STEPS
    assert waits[0]["site"] == "exchange_halo"
    right = {(rank, (rank + 1) % RANKS) for rank in range(RANKS)}
    assert {(one[0], one[1]) for one in found["sent"]} == right
    assert {(one[2], one[3]) for one in found["sent"]} == {(2 * STEPS, 2 * STEPS * SIZE)}


LONG_RUNS = {}


@pytest.fixture
def long_run(family, audit):
    """An audit with time for samples; the same one for all tests."""
    if family.name not in LONG_RUNS:
        outcome, found = audit(family.program("audited"), 200)
        LONG_RUNS[family.name] = outcome.must_succeed(), found
    return LONG_RUNS[family.name]


def test_samples_tell_smooth_from_noise(long_run):
    _, found = long_run

    def ratio(site, function, choice):
        samples = calls(found, site, function)[0]["samples"]
        assert samples["count"] > 0
        return next(one for one in samples["tried"] if one["choice"] == choice)["ratio"]

    assert ratio("exchange_halo", "Isend", "1e-4") > 2 * ratio("swap_noise", "Sendrecv", "1e-4")
    assert ratio("swap_noise", "Sendrecv", "exact") < 1.3
    for call in found["calls"]:
        for one in call.get("samples", {}).get("tried", ()):
            if not one["choice"].startswith(("exact", "rel")):
                assert one["largest_error"] <= float(one["choice"])
    gains = {one["choice"]: one["seconds"] for one in found["forecast"]}
    assert gains["1e-2"] >= gains["exact"] >= 0
    assert found["cost_seconds"] < 0.03 * found["seconds"]
    assert "left to MPI" in calls(found, "sum_fields", "Allreduce")[0]["reason"]


def test_ends_with_advice(family, long_run, tmp_path):
    outcome, found = long_run
    assert "tightwire audit: 4 ranks on 4 hosts" in outcome.stderr
    assert "The audit cost a rank" in outcome.stderr
    tool = str(family.build / "bin" / "tightwire")
    file = tmp_path / "audit.json"
    file.write_text(json.dumps(found))

    def advise(*options):
        return subprocess.run(
            [tool, "advise", file, *options], capture_output=True, text=True, check=True
        ).stdout

    assert "exchange_halo" in advise()
    rules = advise("--rules", "--what-if", "link=100M")
    assert '# where = "exchange_halo"' in rules
    pasted = tmp_path / "pasted.toml"
    pasted.write_text(rules.replace("# [[rule]]", "[[rule]]").replace("# where", "where")
                      .replace("# error-bound", "error-bound"))  # fmt: skip
    explained = subprocess.run(
        [tool, "explain", "--config", str(pasted), "--op", "send", "--bytes", "1M", "--ranks", "2",
         "--type", "double", "--where", "exchange_halo"],
        capture_output=True, text=True,
    )  # fmt: skip
    assert "where=exchange_halo" in explained.stdout, explained.stderr
    lines = advise("--program", str(family.program("audited")))
    assert "exchange_halo audited.c:" in lines


def test_without_symbols_places_are_offsets(family, audit, tmp_path):
    """Nor is there anything for addr2line to find."""
    if shutil.which("strip") is None:
        pytest.skip("binutils are not installed")
    program = shutil.copy(family.program("audited"), tmp_path / "stripped")
    subprocess.run(["strip", program], check=True)
    outcome, found = audit(program)
    outcome.must_succeed()
    places = {(call["site"], call["object"]) for call in found["calls"] if call["bytes"] > 0}
    assert places == {("", "stripped")}
    command = [str(family.build / "bin" / "tightwire"), "advise", str(tmp_path / "audit.json")]
    told = subprocess.run(
        [*command, "--program", str(program)], capture_output=True, text=True, check=True
    )
    assert "stripped+0x" in told.stdout and told.stderr == ""
    assert "In the source" not in told.stdout


def test_a_page_is_told_what_ran(family, audit):
    _, found = audit(family.program("audited"), error_bound="1e-3")
    assert float(found["settings"].pop("link")) == 1e9
    assert found["settings"] == {"host-ranks": "1", "error-bound": "0.001"}
    assert family.version().split()[1] in found["mpi"]


@pytest.mark.parametrize("binding", ["in_mpif_h", "in_use_mpi", "in_use_mpi_f08"])
def test_fortran_calls_are_the_programs(family, audit, binding):
    program = family.program(binding)
    if not program.exists():
        pytest.skip(f"{binding} was not built")
    outcome, found = audit(program)
    outcome.must_succeed()
    sending = [call for call in found["calls"] if call["bytes"] > 0]
    assert sending
    assert {call["object"] for call in sending} == {binding}
    assert all(call["site"] for call in sending)


def test_all_that_is_sent_is_counted(family, audit):
    if reason := python_mpi.why_not():
        pytest.skip(reason)
    script = Path(__file__).parent / "programs" / "calls_to_record.py"
    outcome, found = audit(
        sys.executable, script, ranks=3, environment=python_mpi.environment(family)
    )
    outcome.must_succeed()
    counted = {}
    for call in found["calls"]:
        if call["bytes"] > 0:
            counted[call["function"]] = counted.get(call["function"], 0) + call["calls"]
    assert counted["MPI_Send"] == 6 and counted["MPI_Send_init"] == 9
    assert counted["MPI_Allreduce"] == 9 and counted["MPI_Bcast"] == 1
    assert {call["derived"] for call in found["calls"]} == {True, False}


@pytest.mark.parametrize("ranks", [1, 2])
def test_on_one_host_there_is_nothing_to_gain(family, audit, ranks):
    outcome, found = audit(family.program("audited"), ranks=ranks, host_ranks="65536")
    assert "nothing to gain" in outcome.must_succeed().stderr
    assert {call["reason"] for call in calls(found, "exchange_halo", "Isend")} == {
        "stays on its host"
    }


def test_rules_compress_nothing_meanwhile(family, audit, tmp_path):
    """A program under an audit runs as under plain MPI, whatever is asked for beside it."""
    config = tmp_path / "tightwire.toml"
    config.write_text('error-bound = 1e-1\n[[rule]]\nmode = "bounded"\n')
    program = family.program("audited")
    plain = family.run(Part(RANKS, [str(program)], family.plain())).must_succeed()
    outcome, _ = audit(program, config=str(config), same_host="compress")
    assert outcome.must_succeed().stdout == plain.stdout


def test_where_nothing_can_be_written_nothing_begins(family, audit, tmp_path):
    (tmp_path / "audit.json").symlink_to("elsewhere")
    outcome, found = audit(family.program("audited"))
    assert outcome.code != 0 and outcome.stdout == "" and found is None
    assert "symbolic link" in outcome.stderr


@pytest.mark.parametrize("text", ["", "{", '{"audit": 1}', '{"audit": 7}', '{"collectives": []}'])
def test_advise_refuses_what_is_no_audit(family, tmp_path, text):
    tool = str(family.build / "bin" / "tightwire")
    file = tmp_path / "audit.json"
    file.write_text(text)
    done = subprocess.run([tool, "advise", str(file)], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("tightwire: advise: the file")
    assert len(done.stderr.splitlines()) == 1


def senders(family) -> set[str]:
    """All calls of the table by which this MPI sends, without those between one side's windows."""
    sys.path.insert(0, str(INTERPOSE))
    try:
        from calls_table import read_calls
    finally:
        sys.path.remove(str(INTERPOSE))
    calls = [call for call in read_calls(str(INTERPOSE / "calls.def")) if call.moves_data]
    has_mpi_4 = int(family.version().split()[1].split(".")[0]) >= (4 if family.spins else 5)
    return {
        call.name
        for call in calls
        if call.handler != "counted" and "ecv" not in call.name.replace("endrecv", "")
        if has_mpi_4 or call.form == "persistent" or call.mpi < "4"
    }


def sending(found) -> dict[str, list[dict]]:
    """Rows of values, by the name of their call."""
    rows = {}
    for call in found["calls"]:
        if call["bytes"] > 0 and call["type"] == "float64":
            rows.setdefault(call["function"].removeprefix("MPI_"), []).append(call)
    return rows


@pytest.mark.alone
def test_each_call_in_each_form_is_counted(family, audit):
    """Once: of very many calls that are cheap, only some would be counted."""
    outcome, found = audit(family.program("all_forms"))
    assert outcome.must_succeed().stdout == "1\n"
    counted = sending(found)
    assert counted.keys() == senders(family)
    block, ranks = 64 * 8, RANKS
    for name, rows in counted.items():
        base = name.removesuffix("_init").lower()
        base = base if not base.startswith("i") else base[1:]
        one_root = base in ("bcast", "scatter", "scatterv")
        to_each = base in ("alltoallv", "alltoallw", "scatterv")
        to_both = base.startswith("neighbor_alltoall")
        whole = base in ("scatter", "alltoall", "reduce_scatter", "reduce_scatter_block")
        expected = (1 if one_root else ranks) * (ranks if to_each else 2 if to_both else 1)
        assert sum(row["calls"] for row in rows) == expected, name
        size = expected * block * (ranks if whole else 1)
        assert sum(row["bytes"] for row in rows) == size, name


@pytest.mark.alone
def test_each_call_in_each_form_is_sampled(family, audit):
    """In some seconds: samples must be cheap against the time so far."""
    outcome, found = audit(family.program("all_forms"), 6)
    outcome.must_succeed()
    sampled = {
        name
        for name, rows in sending(found).items()
        if any(row.get("samples", {}).get("count", 0) > 0 for row in rows)
    }
    assert sampled == senders(family) - {"Psend_init"}
