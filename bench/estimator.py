#!/usr/bin/env python3
"""Compares the estimator's predictions with what comes (bench_estimator) and prints how far they
are apart. --table instead prints the lines of src/codec/estimate/speeds.inc from the last run.
Other options go to bench_estimator; --help lists them."""

import csv
import math
import statistics
import sys
from collections import defaultdict

from codec_job import measure, with_numbers
from lab_job import ROOT

FILE = "estimator.csv"
TEXTS = {"field", "type", "codec"}


def print_rows(rows):
    head = ("field", "codec", "bound", "predicted", "ratio", "encode", "GB/s", "us", "row", "true")
    line = "{:18} {:8} {:>7} {:>10} {:>10} {:>7} {:>7} {:>7} {:>6} {:>6}"
    print(line.format(*head))
    for row in rows:
        bound = f"{row['error_bound_rel']:g}" if row["error_bound_rel"] else ""
        ratios = (f"{row['predicted_ratio']:.2f}", f"{row['actual_ratio']:.2f}")
        speeds = (f"{row['predicted_encode_GBps']:.2f}", f"{row['actual_encode_GBps']:.2f}")
        rest = (f"{row['estimate_us']:.0f}", int(row["row_length"]), int(row["rows_of_field"]))
        print(line.format(row["field"], row["codec"], bound, *ratios, *speeds, *rest))


def off(a, b):
    """By what factor two numbers differ."""
    return math.exp(abs(math.log(a / b)))


def print_errors(rows):
    print("\nfactor between predicted and actual: median, largest")
    groups = defaultdict(list)
    for row in rows:
        groups[row["codec"]].append(row)
    for codec, group in groups.items():
        below = [row for row in group if row["actual_ratio"] < 100]
        ratios = [off(row["predicted_ratio"], row["actual_ratio"]) for row in below]
        speeds = [off(row["predicted_encode_GBps"], row["actual_encode_GBps"]) for row in group]
        print(
            f"  {codec:8} ratios below 100: {statistics.median(ratios):.3f} {max(ratios):.3f}"
            f"   encode speed: {statistics.median(speeds):.3f} {max(speeds):.3f}"
        )


def print_table(rows):
    """Neighbouring ratios of a codec and value size share a line, the middle of their speeds."""
    groups = defaultdict(list)
    for row in rows:
        groups[row["codec"], 4 if row["type"] == "float32" else 8].append(row)
    for (codec, size), group in groups.items():
        group.sort(key=lambda row: row["actual_ratio"])
        while group:
            start = group[0]["actual_ratio"]
            # Near 1, giving up and trying hard are close together.
            reach = 1.1 if start < 2 else 1.5
            near = [row for row in group if row["actual_ratio"] <= reach * start]
            group = group[len(near) :]
            columns = ("actual_ratio", "actual_encode_GBps", "actual_decode_GBps")
            numbers = [f"{statistics.median(r[c] for r in near):.3g}" for c in columns]
            print(f"{{Id::{codec}, {size}, {', '.join(numbers)}}},")


def main():
    if sys.argv[1:] == ["--table"]:
        print("// codec, bytes of a value, ratio, encode GB/s, decode GB/s")
        with (ROOT / "results" / FILE).open() as lines:
            print_table(with_numbers(list(csv.DictReader(lines)), TEXTS))
        return
    output, measured = measure("bench_estimator", sys.argv[1:], FILE)
    rows = with_numbers(measured, TEXTS)
    print_rows(rows)
    print_errors(rows)
    print(f"\nwritten: {output}")


main()
