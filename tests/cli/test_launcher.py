"""mpirun -n N tightwire [OPTIONS] PROGRAM: what reaches the program, under both families."""

import shutil
import sys

import pytest


def preload_of(build, family):
    return str(build / "lib" / f"libtightwire-{family}.so")


def told_by(tightwire, rank):
    """What this rank of the rank_program found."""
    return (tightwire.folder / f"rank.{rank}").read_text()


def test_every_rank_is_preloaded_with_its_own_family(tightwire, build, family, rank_program):
    result = tightwire.under(family).run(rank_program)
    assert result.code == 0, result.err
    for rank in range(3):
        assert told_by(tightwire, rank) == preload_of(build, family)
    assert result.messages == []


def test_arguments_arrive_as_they_are(tightwire, family, rank_program):
    words = ["", "a b", "--mode", "-x", "--", "$HOME", "*", "--verbose", "on"]
    result = tightwire.under(family, 1).run("--chunks", "4", rank_program, *words)
    assert result.code == 0, result.err
    assert told_by(tightwire, 0).endswith("".join(f" <{word}>" for word in words))


def test_an_existing_preload_stays_before_ours(tightwire, build, family, rank_program):
    """Tools must see the program's calls: MPI 4.0, section 15.2."""
    theirs = "libm.so.6"
    tightwire.with_variables(LD_PRELOAD=theirs).under(family, 1).run(rank_program)
    assert told_by(tightwire, 0) == f"{theirs}:{preload_of(build, family)}"


def test_script_without_a_first_line(tightwire, family):
    """As mpirun would run it, by execvp(3): the shell does."""
    script = tightwire.folder / "script"
    script.write_text('echo "arguments: $*"\n')
    script.chmod(0o755)
    result = tightwire.under(family, 1).run("./script", "a", "b")
    assert result.code == 0, result.err
    assert "arguments: a b" in result.out


def test_settings_reach_the_program(tightwire, family):
    (tightwire.folder / "tightwire.toml").write_text("zstd-level = 3\n")
    result = (
        tightwire.with_variables(TIGHTWIRE_CHUNKS="5", TIGHTWIRE_MODE="raw")
        .under(family, 1)
        .run("--mode", "exact", "--verbose", "env")
    )
    lines = result.out.splitlines()
    assert "TIGHTWIRE_MODE=exact" in lines
    assert "TIGHTWIRE_CHUNKS=5" in lines
    assert f"TIGHTWIRE_CONFIG={tightwire.folder / 'tightwire.toml'}" in lines
    named = [line for line in lines if line.startswith("TIGHTWIRE_COMMAND_LINE=")]
    assert len(named) == 1
    assert sorted(named[0].split("=")[1].split(",")) == ["mode", "verbose"]


def test_a_nested_launcher_knows_the_command_line_of_the_outer(tightwire):
    result = tightwire.run("--chunks", "4", "--", tightwire.path, "settings")
    chunks = next(line.split(maxsplit=2) for line in result.out.splitlines() if "chunks" in line)
    assert chunks == ["chunks", "4", "command line"]


def test_a_program_without_mpi_runs_untouched(tightwire, family):
    result = tightwire.under(family).run("/bin/echo", "hi")
    assert (result.code, result.out, result.err) == (0, "hi\n" * 3, "")


def test_exit_code_is_the_programs(tightwire):
    assert tightwire.run("/bin/sh", "-c", "exit 7").code == 7


def test_python_gets_the_launchers_family(tightwire, build, family):
    code = "import os; print(os.environ['LD_PRELOAD'])"
    result = tightwire.under(family, 1).run(sys.executable, "-c", code)
    assert result.out.strip() == preload_of(build, family)


def test_without_mpi_and_launcher_nothing_is_loaded(tightwire):
    result = tightwire.run("env")
    assert "LD_PRELOAD" not in result.out
    assert result.messages == []
    noted = tightwire.run("--verbose", "env")
    assert len(noted.messages) == 1
    assert "no MPI" in noted.messages[0]


def test_srun_without_a_hint_asks_for_mpi(tightwire, build, family):
    for other in ("openmpi", "mpich"):
        if not (build / "lib" / f"libtightwire-{other}.so").exists():
            pytest.skip("with one family installed there is no question")
    srun = tightwire.with_variables(SLURM_STEP_ID="0", SLURM_PROCID="0", SLURM_LOCALID="0")
    refused = srun.run("env")
    assert refused.code == 2
    assert "--mpi with one of openmpi, mpich or abi" in refused.messages[0]
    assert f"LD_PRELOAD={preload_of(build, family)}" in srun.run("--mpi", family, "env").out


@pytest.mark.parametrize(
    ("variables", "family"),
    [
        ({"PMIX_RANK": "0", "SLURM_PROCID": "0"}, "openmpi"),
        ({"PMI_RANK": "0", "PMI_SIZE": "1", "SLURM_PROCID": "0"}, "mpich"),
    ],
)
def test_srun_tells_by_its_environment_alone(tightwire, build, variables, family):
    if not (build / "lib" / f"libtightwire-{family}.so").exists():
        pytest.skip(f"this build has no {family}")
    result = tightwire.with_variables(**variables).run("env")
    assert f"LD_PRELOAD={preload_of(build, family)}" in result.out


def test_warns_of_the_other_familys_mpirun(tightwire, build, family, rank_program):
    other = {"openmpi": "mpich", "mpich": "openmpi"}[family]
    result = tightwire.under(other, 2).run(rank_program)
    assert len(result.messages) == 1
    assert "each rank will believe that it is alone" in result.messages[0]
    assert told_by(tightwire, 0) == preload_of(build, family), "the program's own family is loaded"


def test_an_installation_may_lie_anywhere(tightwire, build, family, tmp_path):
    home = tmp_path / "opt"
    for folder in ("bin", "lib/tightwire", "libexec/tightwire", "share/tightwire"):
        (home / folder).mkdir(parents=True)
    shutil.copy(tightwire.path, home / "bin")
    shutil.copy(preload_of(build, family), home / "lib/tightwire")
    helper = home / f"libexec/tightwire/tightwire-calibrate-{family}"
    helper.write_text('#!/bin/sh\necho "calibrates $* with $LD_PRELOAD"\n')
    helper.chmod(0o755)
    (home / "share/tightwire/plot.py").write_text("import sys; print('plots', sys.argv[1:])\n")
    moved = type(tightwire)(home / "bin/tightwire", tightwire.folder)

    library = home / f"lib/tightwire/libtightwire-{family}.so"
    assert f"LD_PRELOAD={library}" in moved.under(family, 1).run("env").out
    calibrated = moved.under(family, 1).run("calibrate", "--quick")
    assert calibrated.out == f"calibrates --quick with {library}\n"
    assert moved.run("plot", "a.csv").out == "plots ['a.csv']\n"


def test_an_installation_that_cannot_be_preloaded_is_named(tightwire, build, family, tmp_path):
    home = tmp_path / "my programs"
    (home / "bin").mkdir(parents=True)
    (home / "lib").mkdir()
    shutil.copy(tightwire.path, home / "bin")
    shutil.copy(preload_of(build, family), home / "lib")
    moved = type(tightwire)(home / "bin/tightwire", tightwire.folder)
    result = moved.under(family, 2).run("env")
    assert result.code == 2
    assert len(result.messages) == 1
    assert "space" in result.messages[0]
