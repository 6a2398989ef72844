"""What shells complete, and the manual page: made from the same tables as --help."""

import re
import shutil
import subprocess

import pytest

COMPLETE = """
source {script}
COMP_WORDS=(tightwire {words}) COMP_CWORD={index}
_tightwire tightwire "${{COMP_WORDS[COMP_CWORD]}}" "${{COMP_WORDS[COMP_CWORD-1]}}"
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


def named_by_help(tightwire) -> tuple[set[str], set[str]]:
    """The options and commands of --help."""
    text = tightwire.run("--help").out
    options = set(re.findall(r"^  (?:-\w, )?(--[a-z-]+)", text, re.MULTILINE))
    commands = text.split("\nCommands:\n")[1].split("\n\n")[0]
    return options, set(re.findall(r"^  (\w+)", commands, re.MULTILINE))


@pytest.fixture
def complete(tightwire, tmp_path):
    """What bash would offer for the last of these words."""
    script = tmp_path / "tightwire.bash"
    script.write_text(tightwire.run("completion", "bash").out)

    def complete(*words: str) -> set[str]:
        quoted = " ".join(f"'{word}'" for word in words)
        text = COMPLETE.format(script=script, words=quoted, index=len(words))
        done = subprocess.run(
            ["bash", "-c", text], capture_output=True, text=True, timeout=60, cwd=tightwire.folder
        )
        assert (done.returncode, done.stderr) == (0, "")
        return set(done.stdout.split())

    return complete


def test_bash_offers_every_option(tightwire, complete):
    options, _ = named_by_help(tightwire)
    assert len(options) > 20
    assert complete("--") == options
    assert complete("--error") == {"--error-bound"}


def test_bash_offers_every_command_and_programs(tightwire, complete):
    _, commands = named_by_help(tightwire)
    assert len(commands) > 9
    offered = complete("")
    assert commands <= offered
    assert "ls" in offered
    (tightwire.folder / "app").touch()
    assert complete("--mode", "raw", "ap") >= {"app"}


def test_bash_knows_where_the_program_begins(tightwire, complete):
    _, commands = named_by_help(tightwire)
    assert commands <= complete("--error-bound", "1e-4", "--verbose", "")
    assert complete("./app", "--mo") == set()
    (tightwire.folder / "--mode-of-app").touch()
    assert complete("--mode", "raw", "./app", "--mo") == {"--mode-of-app"}


def test_bash_offers_the_values_of_a_setting(complete):
    assert complete("--mode", "") == {"raw", "exact", "bounded", "adaptive", "adaptive+pipelined"}
    assert complete("--mpi", "m") == {"mpich"}
    assert complete("--bounded-codec", "zfp-a") == {"zfp-accuracy"}
    assert complete("--zstd-level", "") == set()
    assert complete("completion", "") == {"bash", "zsh", "fish"}


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_shell_gets_all_of_it(tightwire, shell, tmp_path):
    result = tightwire.run("completion", shell)
    assert (result.code, result.err) == (0, "")
    options, commands = named_by_help(tightwire)
    for option in options:
        name = option.removeprefix("--")
        assert f"--{name}" in result.out or f"-l {name} " in result.out
    for command in commands:
        assert re.search(rf"\b{command}\b", result.out)
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not here to read it")
    script = tmp_path / "script"
    script.write_text(result.out)
    read = subprocess.run([shell, "-n", script], capture_output=True, text=True, timeout=60)
    assert (read.returncode, read.stderr) == (0, "")


@pytest.mark.parametrize("words", [[], ["tcsh"], ["bash", "zsh"]])
def test_another_shell_is_refused_in_one_line(tightwire, words):
    result = tightwire.run("completion", *words)
    assert (result.code, result.out) == (2, "")
    assert len(result.messages) == 1
    assert "bash, zsh or fish" in result.messages[0]


def test_the_manual_page_has_all_of_help(tightwire):
    result = tightwire.run("manual")
    assert (result.code, result.err) == (0, "")
    lines = result.out.splitlines()
    assert lines[0].startswith(".TH TIGHTWIRE 1 ")
    options, commands = named_by_help(tightwire)
    for name in options | commands:
        assert name.replace("-", "\\-") in result.out, name
    known = {"TH", "SH", "SS", "TP", "br"}
    controls = {line[1:].split(" ")[0] for line in lines if line.startswith(".")}
    assert controls <= known
    assert not [line for line in lines if line.startswith("'")]


def test_the_manual_page_can_be_set(tightwire):
    if shutil.which("groff") is None:
        pytest.skip("groff is not here to set it")
    page = tightwire.run("manual").out
    words = ["groff", "-man", "-Tascii", "-ww", "-b"]
    done = subprocess.run(words, input=page, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert "error-bound" in done.stdout


def test_every_command_has_help(tightwire):
    _, commands = named_by_help(tightwire)
    for command in commands - {"plot"}:  # which needs Python's packages
        result = tightwire.run(command, "--help")
        assert (result.code, result.err) == (0, ""), command
        assert f"Usage: tightwire {command}" in result.out
