"""tools/sum_reports.py must never turn a failure, or nothing at all, into a pass."""

import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "tools" / "sum_reports.py"
PASSED = '<testcase name="a"/>'
FAILED = '<testcase name="b"><failure/></testcase>'
CTEST_FAILED = '<testcase name="c" status="fail"/>'
SKIPPED = '<testcase name="d"><skipped/></testcase>'


def last_line(folder, cases, status="0"):
    if cases is not None:
        (folder / "s.xml").write_text(f"<testsuite>{cases}</testsuite>")
    done = subprocess.run(
        [sys.executable, SCRIPT, folder, f"s={status}"], capture_output=True, text=True
    )
    return done.stdout.splitlines()[-1], done.returncode


def test_counts_each_outcome(tmp_path):
    cases = PASSED + PASSED + FAILED + CTEST_FAILED + SKIPPED
    assert last_line(tmp_path, cases) == ("2 passed, 2 failed, 1 skipped", 1)


def test_all_passed(tmp_path):
    assert last_line(tmp_path, PASSED) == ("1 passed, 0 failed", 0)


def test_missing_report_fails(tmp_path):
    assert last_line(tmp_path, None) == ("0 passed, 1 failed", 1)


def test_empty_report_fails(tmp_path):
    assert last_line(tmp_path, "") == ("0 passed, 1 failed", 1)


def test_only_skipped_fails(tmp_path):
    assert last_line(tmp_path, SKIPPED) == ("0 passed, 1 failed, 1 skipped", 1)


def test_status_of_the_stage_counts(tmp_path):
    assert last_line(tmp_path, PASSED, status="139") == ("1 passed, 1 failed", 1)


def test_the_slowest_come_first(tmp_path):
    cases = "".join(
        f'<testcase classname="m" name="{name}" time="{time}"/>'
        for name, time in {"quick": "0.2", "slow": "3.5", "slower": "40", "odd": "?"}.items()
    )
    (tmp_path / "s.xml").write_text(f"<testsuite>{cases}</testsuite>")
    done = subprocess.run(
        [sys.executable, SCRIPT, tmp_path, "s=0"], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[:3] == [
        "   40.0 s  s: m slower",
        "    3.5 s  s: m slow",
        "s: 4 passed, 0 failed",
    ]
