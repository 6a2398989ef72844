"""Where each file of results/ comes from: results/provenance.csv, a row for each time it changed.

A file's first row is of the run that made it, the others are of runs that measured a part of it
again since. The last row has the digest of what the file holds; a file that does not have it was
changed without a word. Rows without a processor are of before this table: their commit is the one
that brought the file, and what it was measured on was not noted."""

import csv
import hashlib
import os
import platform
import subprocess
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FILE = "provenance.csv"
ENVIRONMENT = ("commit", "date", "processor", "cores", "kernel", "mpi")
COLUMNS = ("file", "part", *ENVIRONMENT, "command", "sha256")
KINDS = (".csv", ".png")
# What may change without a figure of the code being another one.
NO_CODE = (":!results", ":!docs", ":!*.md")

Row = dict[str, str]
Digests = dict[str, str]


def git(*words: str, root: Path = ROOT) -> str:
    done = subprocess.run(["git", "-C", str(root), *words], capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else ""


def commit(root: Path = ROOT) -> str:
    """The last one that changed code, with a + if there are changes beside it."""
    found = git("log", "-1", "--format=%h", "--abbrev=10", "--", ".", *NO_CODE, root=root)
    changed = git("status", "--porcelain", "-uno", "--", ".", *NO_CODE, root=root)
    return (found or "unknown") + ("+" if changed else "")


def processor() -> str:
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip().replace(",", " ")
    return platform.machine()


def cores() -> int:
    return len(os.sched_getaffinity(0))


def mpi_versions() -> str:
    """Of the libraries that the benchmarks are built with."""
    said = []
    for name, package in (("Open MPI", "libopenmpi-dev"), ("MPICH", "libmpich-dev")):
        words = ["dpkg-query", "-W", "-f", "${Version}", package]
        try:
            done = subprocess.run(words, capture_output=True, text=True)
        except FileNotFoundError:
            return ""
        if done.returncode == 0 and done.stdout:
            said.append(f"{name} {done.stdout.split('-')[0]}")
    return " and ".join(said)


@cache
def machine() -> Row:
    return {
        "processor": processor(),
        "cores": str(cores()),
        "kernel": platform.release(),
        "mpi": mpi_versions(),
    }


def environment() -> Row:
    date = datetime.now(UTC).strftime("%Y-%m-%d")
    return {"commit": commit(), "date": date} | machine()


def digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()[:16]


def digests(folder: Path) -> Digests:
    """Of every results file."""
    files = (file for file in folder.iterdir() if file.suffix in KINDS and file.name != FILE)
    return {file.name: digest(file) for file in sorted(files)}


def read(folder: Path) -> list[Row]:
    file = folder / FILE
    if not file.exists():
        return []
    with file.open(newline="") as lines:
        return list(csv.DictReader(lines))


def write(folder: Path, rows: list[Row]) -> None:
    """Replaces the file when all is written."""
    partial = folder / f".{FILE}.{os.getpid()}"
    with partial.open("w", newline="") as out:
        writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
        writer.writeheader()
        # By file; the rows of one stay in their order.
        writer.writerows(sorted(rows, key=lambda row: row["file"]))
    partial.replace(folder / FILE)


def note(folder: Path, changed: Digests, command: str, made: Row, whole: bool) -> None:
    """Files that a command changed. A whole one is no longer what its earlier rows say."""
    kept = [row for row in read(folder) if not (whole and row["file"] in changed)]
    known = {row["file"] for row in kept}
    rows = [
        {"file": name, "part": "some" if name in known else "all", "command": command, "sha256": of}
        | made
        for name, of in changed.items()
    ]
    write(folder, kept + rows)


def unexplained(folder: Path) -> list[str]:
    """Files that hold something else than what their last row is of, or have none; rows of none."""
    last = {row["file"]: row["sha256"] for row in read(folder)}
    held = digests(folder)
    return sorted(name for name in last | held if last.get(name) != held.get(name))
