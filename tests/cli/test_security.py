"""The promises of SECURITY.md, each tried by what it is to prevent."""

import json
import os
import shutil
import stat
import subprocess
from dataclasses import replace

import pytest
from irregular_files import dangling_link, link, pipe

NOBODY = 65534
SETTINGS = 'mode = "exact"\nchunks = 7\n'
only_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files to other users")


def chunks(tightwire, *options: str) -> list[str]:
    """The value in force, and its origin."""
    lines = tightwire.run("settings", *options).out.splitlines()
    return next(line.split(maxsplit=2)[1:] for line in lines if line.startswith("chunks"))


def installed(tightwire, build, family, home):
    """A copy of the command and its library: home/bin and home/lib/tightwire."""
    library = home / "lib" / "tightwire" / f"libtightwire-{family}.so"
    library.parent.mkdir(parents=True)
    (home / "bin").mkdir()
    shutil.copy(build / "lib" / library.name, library)
    shutil.copy(tightwire.path, home / "bin")
    return replace(tightwire, path=home / "bin" / "tightwire"), library


# Settings


def write_settings(tightwire):
    file = tightwire.folder / "tightwire.toml"
    file.write_text(SETTINGS)
    return file


def test_settings_of_ones_own_folder_are_read(tightwire):
    write_settings(tightwire)
    assert chunks(tightwire) == ["7", "tightwire.toml:2"]


def by_everybody(folder, _file):
    folder.chmod(0o1777)


def by_the_group(folder, _file):
    os.chown(folder, -1, NOBODY)
    folder.chmod(0o775)


def by_everybody_the_file(_folder, file):
    file.chmod(0o666)


def of_another_user(folder, _file):
    os.chown(folder, NOBODY, -1)


def of_another_user_the_file(_folder, file):
    os.chown(file, NOBODY, -1)


@only_root
@pytest.mark.parametrize(
    "open_to",
    [by_everybody, by_the_group, by_everybody_the_file, of_another_user, of_another_user_the_file],
)
def test_settings_that_others_could_have_written(tightwire, open_to):
    file = write_settings(tightwire)
    open_to(tightwire.folder, file)
    result = tightwire.run("settings")
    assert chunks(tightwire) == ["auto", "default"]
    assert len(result.messages) == 1
    assert "tightwire.toml is not read, because it " in result.messages[0]
    assert "--config tightwire.toml" in result.messages[0]
    assert chunks(tightwire, "--config", "tightwire.toml") == ["7", "tightwire.toml:2"], "named"


def test_a_job_says_so_once(tightwire, family, rank_program):
    write_settings(tightwire)
    tightwire.folder.chmod(0o1777)
    result = tightwire.under(family).run("--verbose", rank_program)
    assert result.code == 0, result.err
    said = [line for line in result.messages if "is not read" in line]
    assert len(said) == 1, result.err


def test_a_pipe_for_settings_is_not_waited_for(tightwire):
    os.mkfifo(tightwire.folder / "tightwire.toml")
    assert chunks(tightwire) == ["auto", "default"]


def test_library_loaded_by_hand_reads_no_strangers_settings(tightwire, build, family, rank_program):
    (tightwire.folder / "tightwire.toml").write_text("this is not TOML\n")
    tightwire.folder.chmod(0o1777)
    by_hand = tightwire.under(family, 2)
    *mpirun, _ranks, _count = by_hand.prefix
    variables = ["env", f"LD_PRELOAD={build / 'lib' / f'libtightwire-{family}.so'}"]
    by_hand = replace(by_hand, prefix=(*mpirun, "-n", "2", *variables), path=rank_program)
    result = by_hand.run()
    assert result.code == 0, result.err
    assert len([line for line in result.messages if "is not read" in line]) == 1, result.err


# What is loaded


def test_the_library_is_named_by_its_absolute_path(tightwire, family):
    """Also where the command was found through PATH, and whatever the current folder is."""
    here = replace(tightwire, path="tightwire").with_variables(
        PATH=f"{tightwire.path.parent}:{os.environ['PATH']}"
    )
    preload = here.run("--mpi", family, "sh", "-c", "echo $LD_PRELOAD").out.strip()
    assert preload == str(tightwire.path.parent.parent / "lib" / f"libtightwire-{family}.so")


def test_a_library_in_the_current_folder_is_not_taken(tightwire, family, tmp_path):
    (tmp_path / "bin").mkdir()
    shutil.copy(tightwire.path, tmp_path / "bin")
    for folder in ("lib", "lib/tightwire", "."):
        (tightwire.folder / folder).mkdir(exist_ok=True)
        (tightwire.folder / folder / f"libtightwire-{family}.so").write_text("")
    alone = replace(tightwire, path=tmp_path / "bin" / "tightwire")
    elsewhere = alone.with_variables(LD_LIBRARY_PATH=str(tightwire.folder))
    result = elsewhere.run("--mpi", family, "env")
    assert (result.code, result.out) == (2, "")
    assert "is not in" in result.messages[0]


def library_open_to_all(library):
    library.chmod(0o666)


def folder_open_to_all(library):
    library.parent.chmod(0o777)


def library_of_another(library):
    os.chown(library, NOBODY, -1)


@only_root
@pytest.mark.parametrize("change", [library_open_to_all, folder_open_to_all, library_of_another])
def test_a_library_that_others_could_change(tightwire, build, family, tmp_path, change):
    moved, library = installed(tightwire, build, family, tmp_path / "home")
    assert str(library) in moved.run("--mpi", family, "env").out
    change(library)
    result = moved.run("--mpi", family, "env")
    assert (result.code, result.out) == (2, "")
    assert f"{library} is not loaded, because it " in result.messages[0]


def a_helper(home, family):
    """What calibrate starts; says that it ran."""
    helper = home / "libexec" / "tightwire" / f"tightwire-calibrate-{family}"
    helper.parent.mkdir(parents=True)
    helper.write_text("#!/bin/sh\necho ran\n")
    helper.chmod(0o755)
    return helper


def a_script(folder):
    """What plot has Python run; says that it ran."""
    script = folder / "plot.py"
    script.parent.mkdir(parents=True)
    script.write_text("print('ran')\n")
    return script


def open_to_all(file):
    file.chmod(0o777)


def file_of_another(file):
    os.chown(file, NOBODY, -1)


def folder_of_another(file):
    os.chown(file.parent, NOBODY, -1)


def folder_where_all_may_add(file):
    file.parent.chmod(0o1777)


def must_be_run_until(change, file, command, word):
    assert command.run(word).out == "ran\n"
    change(file)
    result = command.run(word)
    # MPICH's mpirun may write of the rank that failed to standard output.
    assert result.code == 2 and "ran\n" not in result.out, str(result)
    assert f"{file} is not run, because it " in result.messages[0]


STRANGERS = [open_to_all, folder_open_to_all, file_of_another, folder_of_another]


@only_root
@pytest.mark.parametrize("change", STRANGERS)
def test_a_program_that_others_could_change_is_not_run(tightwire, build, family, tmp_path, change):
    moved, _ = installed(tightwire, build, family, tmp_path / "home")
    helper = a_helper(tmp_path / "home", family)
    must_be_run_until(change, helper, moved.under(family, 1), "calibrate")


@only_root
@pytest.mark.parametrize("change", [*STRANGERS, folder_where_all_may_add])
def test_a_script_that_others_could_change_is_not_run(tightwire, build, family, tmp_path, change):
    """Or beside which they could put modules: Python would load those."""
    moved, _ = installed(tightwire, build, family, tmp_path / "home")
    script = a_script(tmp_path / "home" / "share" / "tightwire")
    must_be_run_until(change, script, moved, "plot")


@only_root
def test_files_in_a_folder_where_only_owners_replace_them(tightwire, build, family, tmp_path):
    """As in /tmp, which everybody can write to."""
    moved, library = installed(tightwire, build, family, tmp_path / "home")
    folder_where_all_may_add(library)
    assert str(library) in moved.run("--mpi", family, "env").out


def a_python(folder):
    """The Python of an environment that somebody made there."""
    python = folder / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text("#!/bin/sh\necho environment\n")
    python.chmod(0o755)
    return python


def test_an_installation_runs_no_python_that_lies_about(tightwire, build, family, tmp_path):
    home = tmp_path / "home"
    moved, _ = installed(tightwire, build, family, home)
    a_script(home / "share" / "tightwire")
    for folder in (home / "share", home, tmp_path):
        a_python(folder)
    assert moved.run("plot").out == "ran\n"


@only_root
def test_a_source_tree_has_a_python_of_its_own(tightwire, build, family, tmp_path):
    moved, _ = installed(tightwire, build, family, tmp_path / "build")
    (tmp_path / "build" / "CMakeCache.txt").touch()
    (tmp_path / "CMakeLists.txt").touch()
    a_script(tmp_path / "src" / "plot")
    python = a_python(tmp_path)
    assert moved.run("plot").out == "environment\n"
    file_of_another(python)
    result = moved.run("plot")
    assert (result.code, result.out) == (2, "")
    assert f"{python} is not run, because it " in result.messages[0]


def test_entries_of_the_user_stay(tightwire, build, family):
    theirs = "libm.so.6 libdl.so.2"
    job = tightwire.with_variables(LD_PRELOAD=theirs)
    preload = job.run("--mpi", family, "sh", "-c", 'echo "$LD_PRELOAD"').out.strip()
    assert preload == f"{theirs}:{build / 'lib' / f'libtightwire-{family}.so'}"


# Rights


@only_root
def test_the_command_refuses_to_be_setuid(tightwire, build, family, tmp_path):
    moved, _ = installed(tightwire, build, family, tmp_path / "home")
    os.chown(moved.path, NOBODY, -1)
    moved.path.chmod(0o4755)
    result = moved.run("env")
    assert (result.code, result.out) == (2, "")
    assert "setuid" in result.messages[0]


@only_root
def test_a_setuid_program_runs_as_it_is(tightwire, family, compiler):
    source = '#include <stdio.h>\nint main(void) { return puts("ran") < 0; }\n'
    program = compiler.build(f"setuid-{family}", source, "gcc")
    os.chown(program, NOBODY, -1)
    program.chmod(0o4755)
    result = tightwire.under(family, 2).run(program)
    assert (result.code, result.out) == (0, "ran\nran\n")
    assert len(result.messages) == 1
    assert "is setuid" in result.messages[0]


# Reports


def device(path, _victim):
    if os.geteuid() != 0:
        pytest.skip("only root makes devices")
    try:
        os.mknod(path, 0o020666, os.makedev(1, 3))  # /dev/null's numbers
    except PermissionError:
        pytest.skip("devices cannot be made here")


def test_a_page_is_made_by_the_script_of_the_installation(tightwire):
    result = tightwire.run("report", "none.json")
    assert result.code != 0
    assert result.err == "tightwire report: cannot read none.json: No such file or directory\n"


@pytest.mark.parametrize("key", ["report", "audit", "learned"])
@pytest.mark.parametrize("what", [link, dangling_link, pipe, device])
def test_reports_overwrite_regular_files_only(tightwire, witness, tmp_path, what, key):
    program, begun = witness
    victim = tmp_path / "victim"
    victim.write_text("untouched")
    report = tightwire.folder / "report.json"
    what(report, victim)
    kind = os.lstat(report).st_mode
    result = tightwire.run(f"--{key}", "report.json", program)
    assert result.code == 2
    assert f'{key} = "report.json"' in result.messages[0]
    assert not begun.exists()
    assert os.lstat(report).st_mode == kind
    assert victim.read_text() == "untouched"


def test_learned_auto_is_no_file_of_this_folder(tightwire, witness, tmp_path):
    program, begun = witness
    link(tightwire.folder / "auto", tmp_path / "victim")
    tightwire.run("--learned", "auto", program)
    assert begun.exists()


LAYING = """
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
int main(int count, char** words) {
  MPI_Init(&count, &words);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const struct rlimit none = {0, 0};
  if (strcmp(words[1], "limit") == 0) {
    if (setrlimit(RLIMIT_FSIZE, &none) != 0) return 3;
  } else if (rank == 0 && system(words[1]) != 0) {
    return 3;
  }
  return MPI_Finalize();
}
"""

# What rank 0 does while the program runs, and what is then said.
LAID = {
    "link": ("ln -s ../../victim reports/report.json", "symbolic link"),
    "folder gone": ("rm -r reports", "No such file"),
    "file for the folder": ("rm -r reports && touch reports", "Not a directory"),
    "folder for the file": ("mkdir reports/report.json", "it is a folder"),
    "folder sealed": ("chmod 500 reports", "Permission denied"),
    "no room": ("limit", "File too large"),
}


@pytest.mark.parametrize("what", LAID)
def test_a_report_that_can_no_longer_be_written(tightwire, family, compiler, tmp_path, what):
    """The launcher looks before the program begins, the library when it writes: one line then, and
    the program's own exit code."""
    command, said = LAID[what]
    if what == "folder sealed" and os.geteuid() == 0:
        pytest.skip("root may write everywhere")
    program = compiler.build(f"laying-{family}", LAYING, f"mpicc.{family}")
    victim = tmp_path / "victim"
    victim.write_text("untouched")
    reports = tightwire.folder / "reports"
    reports.mkdir()
    result = tightwire.under(family, 2).run("--report", "reports/report.json", program, command)
    assert result.code == 0, result.err
    assert len(result.messages) == 1 and said in result.messages[0], result.err
    assert victim.read_text() == "untouched"
    assert list(tightwire.folder.iterdir()) == ([] if what == "folder gone" else [reports])
    if reports.is_dir():
        assert all(path.name == "report.json" for path in reports.iterdir())


@pytest.mark.parametrize("what", ["no room", "folder gone", "file for the folder"])
def test_an_audit_that_can_no_longer_be_written(tightwire, family, compiler, what):
    """One line; what it found is told all the same."""
    command, said = LAID[what]
    program = compiler.build(f"laying-{family}", LAYING, f"mpicc.{family}")
    reports = tightwire.folder / "reports"
    reports.mkdir()
    result = tightwire.under(family, 2).run("--audit", "reports/audit.json", program, command)
    assert result.code == 0, result.err
    assert sum(said in line for line in result.err.splitlines()) == 1, result.err
    assert "tightwire audit: 2 ranks" in result.err
    assert not reports.is_dir() or not list(reports.iterdir())


STRAYING = """
#include <mpi.h>
#include <unistd.h>
int main(int count, char** words) {
  MPI_Init(&count, &words);
  if (chdir(words[1]) != 0) return 3;
  return MPI_Finalize();
}
"""


def test_a_report_lies_where_the_program_began(tightwire, family, compiler, tmp_path):
    program = compiler.build(f"straying-{family}", STRAYING, f"mpicc.{family}")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    result = tightwire.under(family, 2).run("--report", "report.json", program, elsewhere)
    assert result.code == 0, result.err
    assert (tightwire.folder / "report.json").exists() and not list(elsewhere.iterdir())


@pytest.mark.parametrize(("options", "code"), [(["--verbose"], 0), (["--mode", "none"], 2)])
def test_nobody_reads_what_is_said(tightwire, family, compiler, options, code):
    """Neither the library's report nor the launcher's refusal ends in SIGPIPE."""
    program = compiler.build(f"straying-{family}", STRAYING, f"mpicc.{family}")
    reading, writing = os.pipe()
    os.close(reading)
    environment = {k: v for k, v in os.environ.items() if not k.startswith("TIGHTWIRE_")}
    environment |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    command = [tightwire.path, "--mpi", family, *options, program, "."]
    run = subprocess.run(command, cwd=tightwire.folder, stderr=writing, env=environment)
    os.close(writing)
    assert run.returncode == code


def test_a_report_stays_as_private_as_it_was(tightwire, family, rank_program):
    report = tightwire.folder / "report.json"
    report.write_text("old")
    report.chmod(0o600)
    result = tightwire.under(family, 2).run("--report", "report.json", rank_program)
    assert result.code == 0, result.err
    assert json.loads(report.read_text())["ranks"] == 2
    assert stat.S_IMODE(report.stat().st_mode) == 0o600


@pytest.mark.parametrize("what", [link, dangling_link, pipe, device])
@pytest.mark.parametrize("words", [("compress", "a.f32"), ("expand", "a.tw")])
def test_file_commands_overwrite_regular_files_only(tightwire, tmp_path, words, what):
    (tightwire.folder / "a.f32").write_bytes(bytes(400))
    assert tightwire.run("compress", "a.f32", "--output", "a.tw").code == 0
    victim = tmp_path / "victim"
    victim.write_text("untouched")
    output = tightwire.folder / "output"
    what(output, victim)
    kind = os.lstat(output).st_mode
    result = tightwire.run(*words, "--force", "--output", "output")
    assert result.code == 1
    assert "cannot write output: it is " in result.err
    assert os.lstat(output).st_mode == kind
    assert victim.read_text() == "untouched"
    assert len(list(tightwire.folder.iterdir())) == 3


@pytest.fixture
def calibrated(family, build):
    """Of an MPI for which this build, which may be a part (./run test quick), can calibrate."""
    if not (build / "bin" / f"tightwire-calibrate-{family}").exists():
        pytest.skip(f"this build has no tightwire-calibrate-{family}")
    return family


@pytest.mark.parametrize("option", ["--csv", "--output"])
def test_calibration_follows_no_links(tightwire, calibrated, tmp_path, option):
    victim = tmp_path / "victim"
    victim.write_text("untouched")
    link(tightwire.folder / "output", victim)
    job = tightwire.under(calibrated, 2).with_variables(TIGHTWIRE_SAME_HOST="compress")
    words = ("calibrate", "--from", "1K", "--to", "2K", "--seconds", "0.2", "--force")
    result = job.run(*words, option, "output")
    assert result.code == 1
    assert "cannot write output: it is a symbolic link" in result.err
    assert victim.read_text() == "untouched"
    assert len(list(tightwire.folder.iterdir())) == 1


def on_host(name: str, command):
    """The same command on a host of this name."""
    rename = f'hostname {name} && exec "$@"'
    own = ("unshare", "--user", "--map-root-user", "--uts", "sh", "-c", rename, "sh")
    if subprocess.run([*own, "true"], capture_output=True).returncode != 0:
        pytest.skip("cannot make namespaces")
    return replace(command, prefix=(*own, *command.prefix))


def test_reports_name_no_hosts_and_no_secrets(tightwire, family, rank_program):
    job = on_host("host-of-bluebeard", tightwire.under(family, 2))
    job = job.with_variables(SESSION_TOKEN="token-of-bluebeard")
    home = tightwire.folder / "home-of-bluebeard"
    home.mkdir()
    (home / "rules.toml").write_text('\n[[rule]]\noperation = "bcast"\nmode = "exact"\n')
    words = ("--verbose", "--same-host", "compress", "--report", "report.json")
    words += ("--config", home / "rules.toml")
    result = job.run(*words, rank_program, "argument-of-bluebeard")
    assert result.code == 0, result.err
    report = (tightwire.folder / "report.json").read_text()
    assert json.loads(report)["ranks"] == 2
    assert json.loads(report)["rules"][0]["place"] == "rules.toml:2"
    assert "tightwire 0" in result.err
    assert "rule 1 (rules.toml:2; " in result.err
    assert "bluebeard" not in report + result.out + result.err
    audited = job.run("audit", *words[3:], "--host-ranks", "1", rank_program, "of-bluebeard")
    found = (tightwire.folder / "tightwire-audit.json").read_text()
    assert audited.code == 0 and json.loads(found)["hosts"] == 2
    assert "bluebeard" not in found + audited.out + audited.err


def test_calibration_names_no_hosts(tightwire, calibrated):
    job = on_host("host-of-bluebeard", tightwire.under(calibrated, 2))
    job = job.with_variables(TIGHTWIRE_SAME_HOST="compress")
    words = ("calibrate", "--from", "1K", "--to", "2K", "--seconds", "0.2")
    result = job.run(*words)
    assert result.code == 0, result.err
    written = [file.read_text() for file in tightwire.folder.iterdir()]
    assert len(written) == 2
    assert "bluebeard" not in "".join(written)
    asked = on_host("host-of-bluebeard", tightwire).run("doctor")
    assert "bluebeard" in asked.out, "the host's name was never to be seen"
