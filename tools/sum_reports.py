"""Adds up JUnit reports, names the slowest tests and ends with `N passed, N failed[, N skipped]`.

usage: sum_reports.py FOLDER STAGE=STATUS...   reads FOLDER/STAGE.xml for each stage

A stage counts as one failure if its report is missing, unreadable or without a test, or if it names
no failure though the stage's exit status is not 0. Exits with 1 if anything failed.
"""

import sys
import xml.etree.ElementTree as xml
from collections import Counter
from pathlib import Path

SLOWEST = 20


def outcome(case: xml.Element) -> str:
    if case.find("failure") is not None or case.find("error") is not None:
        return "failed"
    if case.get("status") == "fail":
        return "failed"
    if case.find("skipped") is not None or case.get("status") in ("notrun", "disabled"):
        return "skipped"
    return "passed"


def count(report: Path, status: str) -> Counter:
    try:
        cases = list(xml.parse(report).iter("testcase"))
    except (OSError, xml.ParseError) as problem:
        print(f"{report.stem}: no report ({problem}); the stage ended before its tests did")
        return Counter(failed=1)
    counts = Counter(outcome(case) for case in cases)
    for case in cases:
        if outcome(case) == "failed":
            print(f"{report.stem}: FAILED {case.get('classname')} {case.get('name')}")
    if counts["passed"] + counts["failed"] == 0:
        print(f"{report.stem}: not one test ran")
        counts["failed"] += 1
    if status != "0" and not counts["failed"]:
        print(f"{report.stem}: no test failed, but the stage ended with status {status}")
        counts["failed"] += 1
    return counts


def seconds(case: xml.Element) -> float:
    try:
        return float(case.get("time", "0"))
    except ValueError:
        return 0


def slowest(reports: list[Path]) -> list[str]:
    """Of all stages; a report that cannot be read has been told of."""
    cases = []
    for report in reports:
        try:
            cases += [(case, report.stem) for case in xml.parse(report).iter("testcase")]
        except (OSError, xml.ParseError):
            continue
    cases.sort(key=lambda one: -seconds(one[0]))
    return [
        f"{seconds(case):7.1f} s  {stage}: {case.get('classname')} {case.get('name')}"
        for case, stage in cases[:SLOWEST]
        if seconds(case) >= 1
    ]


def line(counts: Counter) -> str:
    text = f"{counts['passed']} passed, {counts['failed']} failed"
    return text + (f", {counts['skipped']} skipped" if counts["skipped"] else "")


def main(folder: str, *stages: str) -> int:
    total = Counter()
    reports = [Path(folder, f"{stage.partition('=')[0]}.xml") for stage in stages]
    for slow in slowest(reports):
        print(slow)
    for stage in stages:
        stage, _, status = stage.partition("=")
        counts = count(Path(folder, f"{stage}.xml"), status)
        print(f"{stage}: {line(counts)}")
        total += counts
    print(line(total))
    return 1 if total["failed"] or not total["passed"] else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
