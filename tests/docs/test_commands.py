"""Every command line of the pages is run here, or is left out for a reason.

Lines of tightwire and mpirun run in a folder with a program of each kind, 2 ranks for whatever
number; what they print is not looked at, but they must end well. Of ./run bench and soak the
options are looked for in their help.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), ROOT / "lab" / "README.md"]
FIRST_WORDS = re.compile(
    r"(\./run|(build/bin/)?tightwire|mpirun|srun|sbatch|pip|cmake|cpack|module|spack|eb|conda|source"
    r"|rattler-build|git|python3?|apptainer|docker|ctest|\.venv/bin/\w+|[A-Z_]+=\S+) [^=]"
)
# A command line begins with one of these; the reason says what tries it otherwise.
LEFT_OUT = {
    r"./run (demo|build|check|fuzz|test)\b": "a person's start: takes minutes, or runs this test",
    r"./run wheel\b": "builds for minutes; ./run soak wheel tries what comes of it",
    r"\.venv/bin/pytest": "runs tests, as ./run test does",
    r"pip install dist/": "./run soak wheel installs it",
    r"./run lab\b": "tests/lab runs the lab",
    r"cmake --install": "tests/packaging/test_prefix.py installs",
    r"cpack": "tests/packaging packs",
    r"module (use|load)": "tests/packaging/test_prefix.py loads the module",
    r"srun": "./run soak slurm runs them; tests/cli/test_launcher.py sets the same variables",
    r"apptainer": "needs Apptainer and an image",
    r"rattler-build|git archive|eb ": "./run soak recipes has these tools read what they are given",
    r"spack": "needs Spack and its packages",
    r"mpirun -n 4 tightwire calibrate": "measures for a minute; tests/calibrate runs it",
    r"tightwire completion fish \|": "needs fish; tests/cli/test_completion.py reads it",
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
APP = "from mpi4py import MPI\nassert MPI.COMM_WORLD.allreduce(1) == MPI.COMM_WORLD.size\n"
MPIRUN = """#!/bin/bash
words=()
while [[ $# -gt 0 ]]; do
  [[ $1 == -n ]] && { words+=(-n 2); shift 2; continue; }
  words+=("$1"); shift
done
exec mpirun.openmpi --oversubscribe --mca mpi_yield_when_idle 1 "${words[@]}"
"""


def command_lines() -> list[tuple[str, str]]:
    """(page, command) of every indented or fenced line that is one."""
    found = []
    for page in PAGES:
        fenced = False
        for line in page.read_text().splitlines():
            fenced ^= line.startswith("```")
            text = re.sub(r"  +#.*|(?<=\S) # .*", "", line).strip()
            if (fenced or line.startswith("    ")) and FIRST_WORDS.match(text + "  "):
                found += [(page.name, part) for part in text.split(" && ")]
    return list(dict.fromkeys(found))


LINES = command_lines()


def reason_for(line: str) -> str | None:
    return next((why for start, why in LEFT_OUT.items() if re.match(start, line)), None)


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
    if name == "codec" and not (build_folder / "bin" / "bench_codec").exists():
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


@pytest.fixture(scope="module")
def folder(build_folder, tmp_path_factory) -> Path:
    app = build_folder / "tests" / "mpi" / "openmpi" / "in_c"
    if not app.exists() or shutil.which("mpirun.openmpi") is None:
        pytest.skip("this build has no program for Open MPI")
    made = tmp_path_factory.mktemp("commands")
    shutil.copy(app, made / "app")
    (made / "app.py").write_text(APP)
    shutil.copy(ROOT / "results" / "calibration.csv", made)
    (made / "bin").mkdir()
    (made / "bin" / "mpirun").write_text(MPIRUN)
    (made / "bin" / "mpirun").chmod(0o755)
    return made


@pytest.mark.parametrize(
    "line",
    sorted({line for _, line in LINES if not reason_for(line) and not is_script(line)}),
)
def test_it_runs(line, folder, build_folder):
    for there, instead in FILLED_IN.items():
        line = line.replace(there, instead.format(build=build_folder))
    if "man -l" in line and shutil.which("man") is None:
        pytest.skip("man is not here")
    if "app.py" in line:
        pytest.importorskip("mpi4py")
    ours = ("TIGHTWIRE_", "OMPI_MCA", "PMI", "LD_PRELOAD")
    environment = {k: v for k, v in os.environ.items() if not k.startswith(ours)}
    places = [folder / "bin", build_folder / "bin", Path(sys.executable).parent]
    environment |= {
        "PATH": ":".join([*map(str, places), os.environ["PATH"]]),
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "MPI4PY_MPIABI": "openmpi",
    }
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", line],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=100,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
