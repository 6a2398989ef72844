#!/usr/bin/env python3
"""Every mode and collective over messages from 4 B to 16 MiB, against plain MPI: where the tiers
begin to pay, and what always compressing within the bound costs at small sizes. Three lab hosts at
1 Gbit/s, smooth float32 values. Writes results/sizes.csv and pictures of it."""

import argparse
import csv
import statistics
import subprocess
import sys

from lab_job import HISTORY_OFF, ROOT, measure, parser_of

SMALL_BYTES = 1024
# 1e-4 of the range of the whole field, -1 to 1. Absolute, because a small message is a small part
# of the field, whose own range means little.
ERROR_BOUND = "2e-4"
VALUE_BYTES = 4


def parse() -> argparse.Namespace:
    parser = parser_of("sizes", __doc__)
    parser.add_argument("--mpi", choices=("mpich", "openmpi"), default="mpich")
    parser.add_argument("--hosts", type=int, default=3)
    parser.add_argument("--rate", default="1gbit", help="speed of each link")
    parser.add_argument("--largest", type=int, default=16 << 20, help="bytes; the smallest is 4")
    parser.add_argument("--seconds", default="5", help="to spend on each collective and size")
    return parser.parse_args()


def small_messages(rows: list[dict[str, str]]) -> None:
    print(
        f"messages of at most {SMALL_BYTES} bytes, time over that of plain MPI (median of sizes):"
    )
    for mode in dict.fromkeys(row["mode"] for row in rows):
        ratios = [
            float(row["ms"]) / float(row["raw_ms"])
            for row in rows
            if row["mode"] == mode and int(row["count"]) * VALUE_BYTES <= SMALL_BYTES
        ]
        print(f"  {mode:18} {statistics.median(ratios):5.2f}")


def main() -> None:
    options = parse()
    options.results.mkdir(parents=True, exist_ok=True)
    file = options.results.resolve() / "sizes.csv"
    counts = []
    size = VALUE_BYTES
    while size <= options.largest:
        counts.append(str(size // VALUE_BYTES))
        size *= 4
    arguments = ["--counts", ",".join(counts), "--seconds", options.seconds]
    arguments += ["--error-bound", ERROR_BOUND, "--output", str(file)]
    measure(options.mpi, options.hosts, options.rate, arguments, HISTORY_OFF)
    with file.open() as lines:
        small_messages(list(csv.DictReader(lines)))
    plot = [sys.executable, str(ROOT / "src" / "plot" / "plot.py"), str(file)]
    sys.exit(subprocess.run([*plot, "-o", str(file.with_suffix(".png"))]).returncode)


if __name__ == "__main__":
    main()
