"""./run results, and what results/provenance.csv says of the files beside it."""

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BENCH = ROOT / "bench"
sys.path.insert(0, str(BENCH))
import provenance  # noqa: E402  (found through the line above)
from pieces import Piece, Progress, read_pieces  # noqa: E402  (found through the line above)

PIECES = read_pieces(BENCH / "pieces.toml")


def test_each_results_file_is_as_it_was_noted():
    assert provenance.unexplained(ROOT / "results") == []


def test_each_results_file_is_made_by_one_piece():
    made = [file for piece in PIECES.values() for file in piece.files]
    assert len(made) == len(set(made))
    assert set(provenance.digests(ROOT / "results")) <= set(made)


def test_a_file_that_changed_without_a_note_is_told(tmp_path):
    (tmp_path / "a.csv").write_text("1\n")
    (tmp_path / "b.csv").write_text("2\n")
    provenance.note(tmp_path, provenance.digests(tmp_path), "made", {}, whole=True)
    assert provenance.unexplained(tmp_path) == []
    (tmp_path / "a.csv").write_text("3\n")
    (tmp_path / "b.csv").unlink()
    (tmp_path / "new.png").write_bytes(b"4")
    assert provenance.unexplained(tmp_path) == ["a.csv", "b.csv", "new.png"]


def scripts_and_options() -> dict[Path, set[str]]:
    """Of the steps, but for codecs: their help is that of programs, for which tests/docs asks."""
    found = {}
    for piece in PIECES.values():
        for first, verb, *rest in piece.commands(Path("/nowhere")):
            if (first, verb) == ("./run", "bench") and not rest[0].startswith(("codec", "estim")):
                options = {word for word in rest if word.startswith("--")}
                found.setdefault(BENCH / f"{rest[0]}.py", set()).update(options)
    return found


@pytest.mark.parametrize(
    ("script", "options"),
    [pytest.param(*of, id=of[0].stem) for of in scripts_and_options().items()],
)
def test_the_steps_use_options_that_there_are(script, options):
    done = subprocess.run([sys.executable, script, "--help"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert {word for word in options if word not in done.stdout} == set()


def stand_in(folder: Path, *steps: str, files: str = '"a.csv", "b.csv"') -> Path:
    """A checkout with one piece."""
    (folder / "results").mkdir()
    (folder / "bench").mkdir()
    for name in ("make_pieces.py", "pieces.py", "provenance.py", "noted.py"):
        (folder / "bench" / name).write_text((BENCH / name).read_text())
    lines = "\n".join(f"  {step!r}," for step in steps)
    text = f"[both]\nminutes = 1\nfiles = [{files}]\nsteps = [\n{lines}\n]\n"
    (folder / "bench" / "pieces.toml").write_text(text)
    (folder / ".gitignore").write_text("/results/scratch/\n__pycache__/\n")
    git(folder, "init", "--quiet")
    commit(folder)
    return folder


def git(folder: Path, *words: str) -> None:
    name = ("-c", "user.name=a", "-c", "user.email=a@b")
    subprocess.run(["git", *name, *words], cwd=folder, check=True, capture_output=True)


def commit(folder: Path) -> None:
    git(folder, "add", "-A")
    git(folder, "commit", "--quiet", "-m", "a")


def make(folder: Path, *words: str) -> subprocess.CompletedProcess:
    command = [sys.executable, folder / "bench" / "make_pieces.py", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


STEPS = (
    "sh -c 'echo first >> log; echo 1 > {to}/a.csv'",
    "sh -c 'echo second >> log; test -e allowed && echo 2 > {to}/b.csv'",
)


def test_a_cut_piece_goes_on_where_it_was_cut(tmp_path):
    folder = stand_in(tmp_path, *STEPS)
    done = make(folder)
    assert done.returncode == 1 and "step 2 ended with 1" in done.stderr
    # Nothing half done is among the results.
    assert not (folder / "results" / "a.csv").exists()
    (folder / "allowed").touch()
    done = make(folder)
    assert done.returncode == 0, done.stderr
    assert (folder / "log").read_text().split() == ["first", "second", "second"]
    assert (folder / "results" / "b.csv").read_text() == "2\n"
    assert provenance.unexplained(folder / "results") == []


def test_the_note_names_commit_machine_and_command(tmp_path):
    folder = stand_in(tmp_path, *STEPS)
    (folder / "allowed").touch()
    assert make(folder, "both").returncode == 0
    rows = provenance.read(folder / "results")
    assert [row["file"] for row in rows] == ["a.csv", "b.csv"]
    assert all(row["part"] == "all" and row["processor"] and row["kernel"] for row in rows)
    assert {row["commit"] for row in rows} == {provenance.commit(folder).rstrip("+")}
    assert "echo first" in rows[0]["command"]


def test_what_is_made_is_left_alone_until_code_changes(tmp_path):
    step = "sh -c 'echo 1 >> results/scratch/log; cp results/scratch/log {to}/a.csv'"
    folder = stand_in(tmp_path, step, files='"a.csv"')
    for change, times in [("results/new.txt", 1), ("page.md", 1), ("code.txt", 2)]:
        assert make(folder).returncode == 0
        (folder / change).write_text("new\n")
        commit(folder)
        assert make(folder).returncode == 0
        assert (folder / "results" / "a.csv").read_text() == times * "1\n", change


def test_changes_beside_the_commit_are_refused(tmp_path):
    folder = stand_in(tmp_path, *STEPS)
    (folder / "allowed").touch()
    (folder / "bench" / "noted.py").write_text("# changed\n")
    done = make(folder)
    assert done.returncode == 1 and "in no commit" in done.stderr
    assert not (folder / "log").exists()
    assert make(folder, "--uncommitted").returncode == 0
    assert {row["commit"][-1] for row in provenance.read(folder / "results")} == {"+"}


def test_a_piece_that_leaves_a_file_out_takes_none(tmp_path):
    folder = stand_in(tmp_path, STEPS[0])
    done = make(folder)
    assert done.returncode == 1 and "did not make b.csv" in done.stderr
    assert not (folder / "results" / "a.csv").exists()


def test_a_piece_of_more_cores_than_there_are_is_left_out(tmp_path):
    folder = stand_in(tmp_path, *STEPS)
    file = folder / "bench" / "pieces.toml"
    file.write_text(file.read_text().replace("minutes = 1\n", "minutes = 1\ncores = 4096\n"))
    commit(folder)
    (folder / "allowed").touch()
    done = make(folder)
    assert done.returncode == 0 and "both needs 4096 cores" in done.stdout, done
    assert not (folder / "log").exists()
    done = make(folder, "both")
    assert done.returncode == 1 and "not made: both" in done.stderr, done


def test_an_unknown_piece_is_refused(tmp_path):
    done = make(stand_in(tmp_path, *STEPS), "none")
    assert done.returncode == 2 and "'none'" in done.stderr and "both" in done.stderr


def test_steps_of_another_commit_are_done_again(tmp_path):
    piece = Piece("both", 1, (), STEPS)
    progress = Progress(tmp_path, piece, {"commit": "1"})
    progress.advance()
    assert Progress(tmp_path, piece, {"commit": "1"}).done == 1
    assert Progress(tmp_path, piece, {"commit": "2"}).done == 0
    assert Progress(tmp_path, Piece("both", 1, (), STEPS[:1]), {"commit": "1"}).done == 0


def test_a_benchmark_run_by_hand_is_noted_beside_what_was_there(tmp_path):
    folder = stand_in(tmp_path, *STEPS)
    results = folder / "results"
    (results / "a.csv").write_text("1\n")
    provenance.note(results, provenance.digests(results), "./run results", {}, whole=True)
    script = "echo 2 >> results/a.csv; echo 3 > results/b.csv; exit 5"
    command = [sys.executable, "bench/noted.py", "./run bench a --quick", *shlex.split("sh -c")]
    done = subprocess.run([*command, script], cwd=folder)
    assert done.returncode == 5
    rows = provenance.read(results)
    assert [(row["file"], row["part"], row["command"]) for row in rows] == [
        ("a.csv", "all", "./run results"),
        ("a.csv", "some", "./run bench a --quick"),
        ("b.csv", "all", "./run bench a --quick"),
    ]
    assert provenance.unexplained(results) == []
