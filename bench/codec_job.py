"""Runs a benchmark of codecs, which needs no MPI."""

import argparse
import csv
import subprocess
import sys
from pathlib import Path

from lab_job import BIN, ROOT

Row = dict[str, str]


def measure(program: str, arguments: list[str], file: str) -> tuple[Path, list[Row]]:
    """Where the program wrote its rows, results/`file` unless the arguments say otherwise, and
    these. Ends this program if it fails or only helped."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--output", type=Path, default=ROOT / "results" / file)
    output = parser.parse_known_args(arguments)[0].output
    output.parent.mkdir(parents=True, exist_ok=True)
    code = subprocess.run([BIN / program, *arguments], cwd=ROOT, check=False).returncode
    if code or "--help" in arguments or "-h" in arguments:
        sys.exit(code)
    output = ROOT / output
    return output, rows_in(output)


def rows_in(table: Path) -> list[Row]:
    with table.open() as rows:
        return list(csv.DictReader(rows))


def with_numbers(rows: list[Row], texts: set[str]) -> list[dict]:
    """The rows with all but the columns `texts` as numbers; None where nothing stands."""
    return [
        {k: v if k in texts else float(v) if v else None for k, v in row.items()} for row in rows
    ]
