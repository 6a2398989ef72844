#!/usr/bin/env python3
"""tightwire report: makes one HTML page of an audit (tightwire audit) or of what a run did
(--report). The page needs no network; of two files it shows both side by side. What the ranks of
a job have written each for itself (run.rank*.json), as it was ended, becomes one page."""

import argparse
import sys
from pathlib import Path

from job_parts import as_jobs
from reports import ReportError, must_be_alike, read_report
from whole_file import IrregularFileError, replacing

try:
    from report_page import page_of
except ImportError as error:
    sys.exit(
        f"tightwire report: matplotlib is missing ({error}); install it with: pip install "
        "matplotlib, or in a source tree ./run build, which makes an environment that has it"
    )


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="tightwire report", description=__doc__)
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE.json")
    parser.add_argument(
        "-o", "--output", type=Path, help="page to write; default: that of the first file"
    )
    return parser.parse_args()


def write(path: Path, text: str) -> None:
    try:
        with replacing(path) as file:
            file.write(text.encode())
    except OSError as error:
        raise ReportError(f"cannot write {path}: {error.strerror}") from error


def main() -> None:
    options = parse()
    output = options.output or options.files[0].with_suffix(".html")
    try:
        reports = as_jobs([read_report(file) for file in options.files])
        must_be_alike(reports)
        write(output, page_of(reports))
    except (ReportError, IrregularFileError) as error:
        sys.exit(f"tightwire report: {error}")
    print(output)


if __name__ == "__main__":
    main()
