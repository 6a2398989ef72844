"""Texts that are kept: a change of --help or of the settings shows in a diff."""

from pathlib import Path

HERE = Path(__file__).resolve().parent
SETTINGS_PAGE = HERE.parents[1] / "docs" / "user" / "settings.md"
BEGIN = "<!-- begin: tightwire settings --markdown -->\n"
END = "<!-- end -->\n"


def test_help(tightwire):
    """After an intended change: build/bin/tightwire --help > tests/cli/golden/help.txt"""
    result = tightwire.run("--help")
    assert result.code == 0
    assert result.out == (HERE / "golden" / "help.txt").read_text()


def test_version(tightwire):
    name, version = tightwire.run("--version").out.split()
    assert name == "tightwire"
    assert [part.isdigit() for part in version.split(".")] == [True] * 3


def test_settings_page_is_current(tightwire):
    """After a change of settings.def: tools/update_settings_page.sh"""
    page = SETTINGS_PAGE.read_text()
    table = page.split(BEGIN)[1].split(END)[0]
    assert tightwire.run("settings", "--markdown").out == table


def test_help_is_a_command_too(tightwire):
    assert tightwire.run("help").out == tightwire.run("--help").out
    assert tightwire.run("help", "audit").out == tightwire.run("audit", "--help").out
    result = tightwire.run("help", "nothing")
    assert result.code == 2
    assert result.messages == ["tightwire: help of which command? tightwire --help lists them"]
