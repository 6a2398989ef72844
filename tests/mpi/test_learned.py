"""What a job learned is kept in a file, and the next one begins with it."""

import json
import os
import stat

import pytest
from harness import Part
from irregular_files import dangling_link, link, pipe

# Both ranks count as hosts, and all that decides is measured.
SETTINGS = {"host-ranks": "1", "same-host": "raw", "learned": "app.json"}
RANKS = 2


def run(family, folder, *words, program="collects_again", ranks=RANKS, **settings):
    changed = {key.replace("_", "-"): value for key, value in settings.items()}
    environment = family.preload(SETTINGS | {"report": "report.json"} | changed)
    command = [str(family.program(program)), *words]
    return family.run(Part(ranks, command, environment), limit=60, folder=folder)


def rows_of(folder):
    return json.loads((folder / "report.json").read_text())["collectives"]


def measuring(folder):
    return sum(row["calls"] for row in rows_of(folder) if row["why_raw"] == "measuring")


def learned(folder):
    return json.loads((folder / "app.json").read_text())


def test_the_next_job_begins_with_it(family, tmp_path):
    run(family, tmp_path).must_succeed()
    assert measuring(tmp_path) > 0
    known = learned(tmp_path)
    assert known["network"]["bandwidth"] > 0
    kinds = {(row["operation"], row["ranks"], row["hosts"]) for row in known["collectives"]}
    assert {("allgather", 2, 2), ("alltoall", 2, 2)} <= kinds, known
    run(family, tmp_path, verbose="on").must_succeed()
    assert measuring(tmp_path) == 0
    assert len(learned(tmp_path)["collectives"]) == len(known["collectives"]), "the same kinds"


def test_auto_keeps_a_file_for_each_program_in_the_users_cache(family, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    run(family, tmp_path, learned="auto").must_succeed()
    assert measuring(tmp_path) > 0
    (file,) = (tmp_path / "cache" / "tightwire").iterdir()
    assert file.name == "collects_again.json"
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert json.loads(file.read_text())["network"]["bandwidth"] > 0
    run(family, tmp_path, learned="auto").must_succeed()
    assert measuring(tmp_path) == 0


def test_auto_without_a_home_ends_the_job(family, tmp_path, monkeypatch):
    for name in ("XDG_CACHE_HOME", "HOME"):
        monkeypatch.setenv(name, "nowhere")
    outcome = run(family, tmp_path, learned="auto")
    assert outcome.code != 0 and "needs XDG_CACHE_HOME or HOME" in outcome.stderr, str(outcome)


@pytest.mark.parametrize(("bandwidth", "compresses"), [(1e6, True), (1e12, False)])
def test_calls_that_return_at_once_know_the_network_by_it(family, tmp_path, bandwidth, compresses):
    """MPI_Iallreduce of maxima on a communicator of which no blocking call is ever made."""
    network = {"latency": 2e-5, "bandwidth": bandwidth}
    rest = {"collectives": [], "v_operations": [], "messages": []}
    file = tmp_path / "app.json"
    file.write_text(json.dumps({"learned": 1, "tightwire": "0.1.0", "network": network} | rest))
    run(family, tmp_path, program="starts_without_waiting").must_succeed()
    reduced = {row["tier"] for row in rows_of(tmp_path) if row["collective"] == "Allreduce"}
    assert reduced == {"exact" if compresses else "raw"}, rows_of(tmp_path)


def is_compressed(family, folder, **row_by_row):
    """What a job does that begins with such lessons."""
    known = learned(folder)
    known["network"]["bandwidth"] = 1e6  # by which the model compresses
    for row in known["collectives"]:
        row |= {"compressed_seconds": 0.01, **row_by_row}
    (folder / "app.json").write_text(json.dumps(known))
    run(family, folder).must_succeed()
    return "exact" in {row["tier"] for row in rows_of(folder)}


@pytest.mark.either_mpi
def test_calls_are_compressed_as_it_says(family, tmp_path):
    run(family, tmp_path).must_succeed()
    paid = {"compress": True, "correction": 1, "raw_seconds": 100}
    assert is_compressed(family, tmp_path, **paid)
    did_not_pay = {"compress": False, "correction": 20, "raw_seconds": 1e-6}
    assert not is_compressed(family, tmp_path, **did_not_pay)


@pytest.mark.either_mpi
@pytest.mark.parametrize("way", ["turns", "sizes"])
def test_messages_begin_as_it_says(family, tmp_path, way):
    """Of a program whose ranks send each other the same fields again and again."""
    say = {"program": "steps_in_time", "history": "off"}
    run(family, tmp_path, way, "40", "0", **say).must_succeed()
    known = learned(tmp_path)
    assert known["messages"]
    rates = {}
    for pays in (True, False):
        for row in known["messages"]:
            row |= {"unmodified": 1e-6, "pays": pays}  # as on a network of 8 Mbit/s
        (tmp_path / "app.json").write_text(json.dumps(known))
        run(family, tmp_path, way, "40", "0", **say).must_succeed()
        encoded = [row for row in rows_of(tmp_path) if row["tier"] != "raw"]
        rates[pays] = sum(row["calls"] for row in encoded)
    assert rates[True] > 0 and rates[False] == 0, rates


def test_messages_of_each_size_are_learned_of(family, tmp_path):
    """What the receiver tells of one does not keep back what it tells of the other."""
    say = {"program": "steps_in_time", "history": "off"}
    run(family, tmp_path, "two-sizes", "300", "0", **say).must_succeed()
    sizes = {row["size"] for row in learned(tmp_path)["messages"]}
    assert {(24000).bit_length(), (48000).bit_length()} <= sizes


@pytest.mark.either_mpi
def test_another_number_of_ranks_learns_its_own(family, tmp_path):
    run(family, tmp_path).must_succeed()
    run(family, tmp_path, ranks=3).must_succeed()
    assert {row["ranks"] for row in learned(tmp_path)["collectives"]} == {2, 3}


@pytest.mark.either_mpi
def test_nothing_is_kept_of_a_job_that_goes_by_no_clock(family, tmp_path):
    run(family, tmp_path, deterministic="on").must_succeed()
    assert not (tmp_path / "app.json").exists()


@pytest.mark.either_mpi
def test_nothing_is_kept_where_nobody_asks(family, tmp_path):
    run(family, tmp_path, learned="").must_succeed()
    assert [path.name for path in tmp_path.iterdir()] == ["report.json"]


@pytest.mark.either_mpi
def test_an_empty_file_is_filled_and_stays_private(family, tmp_path):
    file = tmp_path / "app.json"
    file.touch()
    file.chmod(0o600)
    run(family, tmp_path).must_succeed()
    assert learned(tmp_path)["learned"] == 1
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


FOREIGN = {
    "a report": '{"report": 1}',
    "a text": "dear diary",
    "of another version": '{"learned": 2}',
    "cut off": '{"learned": 1, "network"',
    "damaged": '{"learned": 1, "network": {"latency": -1, "bandwidth": 1}}',
    "longer than a message may be": json.dumps(
        {
            "learned": 1,
            "network": {"latency": 0, "bandwidth": 0},
            "collectives": [{"operation": "\0\n" + 9000 * "a"}],
        }
    ),
}


@pytest.mark.parametrize("what", FOREIGN)
def test_what_is_not_ours_ends_the_job_and_stays(family, tmp_path, what):
    (tmp_path / "app.json").write_text(FOREIGN[what])
    outcome = run(family, tmp_path)
    assert outcome.code != 0
    said = [line for line in outcome.stderr.splitlines() if 'learned = "app.json"' in line]
    assert len(said) == 1 and "name a file that tightwire has written" in said[0], outcome
    assert (tmp_path / "app.json").read_text() == FOREIGN[what]


@pytest.mark.either_mpi
@pytest.mark.parametrize("what", [link, dangling_link, pipe])
def test_only_a_regular_file_is_read_and_replaced(family, tmp_path, what):
    victim = tmp_path / "victim"
    victim.write_text("untouched")
    what(tmp_path / "app.json", victim)
    kind = os.lstat(tmp_path / "app.json").st_mode
    outcome = run(family, tmp_path)
    assert outcome.code != 0
    assert 'learned = "app.json"' in outcome.stderr
    assert os.lstat(tmp_path / "app.json").st_mode == kind
    assert victim.read_text() == "untouched"


@pytest.mark.either_mpi
def test_a_folder_that_is_not_there_is_told_of_and_harms_nothing_else(family, tmp_path):
    outcome = run(family, tmp_path, learned="no/app.json").must_succeed()
    assert "learned: cannot write" in outcome.stderr
    assert "name a file in a folder that rank 0 can write to" in outcome.stderr
