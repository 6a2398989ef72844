"""What the documentation tells one to run can be run."""

import os
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = re.compile(r"\./run (bench|soak) ([a-z][a-z0-9_]*)")


def named() -> set[tuple[str, str]]:
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("bench/*.py")]
    return {match.groups() for page in pages for match in SCRIPTS.finditer(page.read_text())}


def folder_of(verb: str) -> Path:
    return ROOT / {"bench": "bench", "soak": "tests/soak"}[verb]


def test_something_is_named():
    assert {("bench", "codec"), ("soak", "p2p")} <= named()


@pytest.mark.parametrize(("verb", "name"), sorted(named()))
def test_the_script_is_there_and_executable(verb, name):
    scripts = [folder_of(verb) / f"{name}{ending}" for ending in (".py", ".sh")]
    assert any(script.exists() and os.access(script, os.X_OK) for script in scripts)
