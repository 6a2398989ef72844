"""What "./run fuzz" makes of its fuzzers: finding something, or trying nothing, is a failure."""

import os
import subprocess
import xml.etree.ElementTree as xml
from pathlib import Path

import pytest

VERB = Path(__file__).resolve().parents[2] / "tools" / "run.d" / "fuzz"
SETUP = """\
set -euo pipefail
cd "$TIGHTWIRE_ROOT"
say() { echo "== $*"; }
fail() { echo "run: $*" >&2; exit 1; }
set_up() { :; }
build_asan_tree() { echo "built $build_targets"; }
"""
TRIED = 'echo "stat::number_of_executed_units: 12" >&2\n'


@pytest.fixture
def fuzz(tmp_path):
    """Runs the verb over fuzzers that are shell scripts."""

    def fuzz(*words: str, **fuzzers: str) -> tuple[subprocess.CompletedProcess, dict[str, bool]]:
        (tmp_path / "tools").mkdir()
        (tmp_path / "tools" / "setup.sh").write_text(SETUP)
        programs = tmp_path / "build-asan" / "bin"
        programs.mkdir(parents=True)
        for name, script in fuzzers.items():
            (tmp_path / "tests" / "fuzz" / "corpus" / name).mkdir(parents=True)
            program = programs / f"fuzz_{name}"
            program.write_text(f"#!/bin/sh\n{script}")
            program.chmod(0o755)
        environment = os.environ | {"TIGHTWIRE_ROOT": str(tmp_path)}
        done = subprocess.run([VERB, *words], env=environment, capture_output=True, text=True)
        cases = xml.parse(tmp_path / "build-asan" / "fuzz" / "report.xml").iter("testcase")
        return done, {case.get("name"): case.find("failure") is None for case in cases}

    return fuzz


def test_all_that_have_a_corpus_are_run(fuzz):
    done, passed = fuzz("3", a=TRIED, b=TRIED)
    assert done.returncode == 0, done.stderr
    assert passed == {"a": True, "b": True}
    assert "built fuzz_a fuzz_b" in done.stdout and "nothing found" in done.stdout


def test_it_is_given_its_time_and_both_corpora(fuzz, tmp_path):
    fuzz("7", a=TRIED + f'echo "$@" >{tmp_path}/words\n')
    words = (tmp_path / "words").read_text().split()
    assert words[:2] == [str(tmp_path / "build-asan/fuzz/corpus/a"), "tests/fuzz/corpus/a"]
    assert "-max_total_time=7" in words


def test_one_that_finds_something_fails(fuzz):
    done, passed = fuzz("3", a=TRIED, b=TRIED + "exit 77\n", c=TRIED)
    assert done.returncode == 1
    assert passed == {"a": True, "b": False, "c": True}
    assert "found something: b;" in done.stderr


def test_one_that_tries_nothing_fails(fuzz):
    done, passed = fuzz("3", a="exit 0\n", b=TRIED)
    assert (done.returncode, passed) == (1, {"a": False, "b": True})
