"""A job that is ended before MPI_Finalize leaves what each rank has done, and dies as it would."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from harness import OPENMPI_OPTIONS, Part, end_session

RANKS = 2
LIMIT = 90
SUMS = 3
REPORT = Path(__file__).parents[2] / "src" / "plot" / "report.py"


def settings(folder, **more):
    return {
        "host-ranks": "1", "mode": "bounded", "error-bound": "1e-3", "same-host": "compress",
        "report": str(folder / "run.json"), **more,
    }  # fmt: skip


def part(family, folder, what, **more):
    program = [str(family.program("is_ended")), what]
    return Part(RANKS, program, family.preload(settings(folder, **more)))


def started(family, folder, what, **more):
    """The job, once all its ranks are beyond their sums, and their process ids."""
    options = OPENMPI_OPTIONS if family.name == "openmpi" else []
    words = [family.mpirun, *options, *part(family, folder, what, **more).words()]
    environment = {k: v for k, v in os.environ.items() if not k.startswith("TIGHTWIRE_")}
    environment |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    with (folder / "stderr").open("w") as stderr:
        job = subprocess.Popen(
            words, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stderr=stderr,
            start_new_session=True,
        )  # fmt: skip
    ready = [folder / f"ready.{rank}" for rank in range(RANKS)]
    until = time.monotonic() + LIMIT
    while not all(file.exists() for file in ready):
        assert job.poll() is None and time.monotonic() < until
        time.sleep(0.02)
    return job, [int(file.read_text()) for file in ready]


@pytest.fixture
def start(family, tmp_path):
    jobs = []

    def starting(what, **more):
        job, processes = started(family, tmp_path, what, **more)
        jobs.append(job)
        return job, processes

    yield starting
    for job in jobs:
        end_session(job.pid)
        job.wait()


def report_of(folder, rank):
    return json.loads((folder / f"run.rank{rank}.json").read_text())


def sums_of(report):
    rows = [row for row in report["collectives"] if row["collective"] == "Allreduce"]
    return sum(row["calls"] for row in rows)


def is_told(report, rank, ended_by):
    assert sums_of(report) == SUMS
    assert report["part"] == {"rank": rank, "ended_by": ended_by}
    assert report["ranks"] == RANKS


def awaited(condition):
    until = time.monotonic() + LIMIT
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.02)


def is_gone(process):
    try:
        return (Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]) == "Z"
    except OSError:
        return True


def end_all(processes):
    """As a batch system does it: all at once. A launcher that sees one go kills the others."""
    launchers = {parent_of(process) for process in processes}
    for launcher in launchers:
        os.kill(launcher, signal.SIGSTOP)
    for process in processes:
        os.kill(process, signal.SIGTERM)
    awaited(lambda: all(is_gone(process) for process in processes))
    for launcher in launchers:
        os.kill(launcher, signal.SIGCONT)


def parent_of(process):
    return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])


@pytest.mark.parametrize("where", ["spins", "waits"])
def test_every_rank_that_gets_sigterm_tells(start, tmp_path, where):
    job, processes = start(where)
    end_all(processes)
    assert job.wait(LIMIT) != 0
    for rank in range(RANKS):
        is_told(report_of(tmp_path, rank), rank, "SIGTERM")
    made = subprocess.run(
        [sys.executable, REPORT, "run.rank0.json", "run.rank1.json", "-o", "run.html"],
        cwd=tmp_path, capture_output=True, text=True,
    )  # fmt: skip
    assert made.returncode == 0, made.stderr
    assert "The job was ended: SIGTERM. All ranks" in (tmp_path / "run.html").read_text()


def test_a_timeline_is_left_too(start, tmp_path):
    job, processes = start("spins", timeline=str(tmp_path / "trace.json"))
    end_all(processes)
    job.wait(LIMIT)
    trace = json.loads((tmp_path / "trace.rank1.json").read_text())
    assert trace["otherData"]["ended_by"] == "SIGTERM"
    names = [event["name"] for event in trace["traceEvents"]]
    assert names.count("MPI_Allreduce") == SUMS


def test_the_programs_own_handler_is_respected(start, tmp_path):
    job, processes = start("handles")
    os.kill(processes[1], signal.SIGTERM)
    job.wait(LIMIT)
    assert not (tmp_path / "run.rank1.json").exists()


def test_snapshots_now_and_then(start, tmp_path):
    _, processes = start("spins", **{"report-every": "0.2s"})
    awaited(lambda: (tmp_path / "run.rank0.json").exists())
    awaited(lambda: sums_of(report_of(tmp_path, 0)) == SUMS)  # the first one may be of fewer
    is_told(report_of(tmp_path, 0), 0, "so far")
    assert not is_gone(processes[0])


def test_the_rank_that_aborts_tells(family, tmp_path):
    outcome = family.run(part(family, tmp_path, "aborts"), folder=tmp_path)
    assert outcome.code != 0 and not outcome.timed_out
    is_told(report_of(tmp_path, 0), 0, "MPI_Abort")


def test_a_program_that_exits_tells(family, tmp_path):
    family.run(part(family, tmp_path, "exits"), folder=tmp_path)
    is_told(report_of(tmp_path, 0), 0, "exit")


def test_a_child_of_the_program_dies_alone(family, tmp_path):
    outcome = family.run(part(family, tmp_path, "forks"), folder=tmp_path).must_succeed()
    assert outcome.stdout == "a part of it is not there\nchild ended\n"
    assert (tmp_path / "run.json").exists() and not (tmp_path / "run.rank0.json").exists()


def test_a_job_that_is_asked_goes_on_and_leaves_one_report(family, tmp_path):
    outcome = family.run(part(family, tmp_path, "asks"), folder=tmp_path).must_succeed()
    # mpirun may put the line of one rank into that of another.
    assert outcome.stdout.replace("\n", "") == "asked" * RANKS
    assert [file.name for file in tmp_path.glob("*.json")] == ["run.json"]
    assert "part" not in json.loads((tmp_path / "run.json").read_text())


def test_a_folder_that_is_gone_is_one_line(start, tmp_path):
    folder = tmp_path / "reports"
    folder.mkdir()
    job, processes = start("spins", report=str(folder / "run.json"))
    folder.rmdir()
    os.kill(processes[0], signal.SIGTERM)
    job.wait(LIMIT)
    awaited(lambda: is_gone(processes[0]))
    said = [line for line in (tmp_path / "stderr").read_text().splitlines() if "report:" in line]
    assert said and all("cannot write" in line and str(folder) in line for line in said)
    assert len(said) <= RANKS and not list(tmp_path.rglob("*.part-*"))
