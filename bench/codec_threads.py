#!/usr/bin/env python3
"""Measures chunked coding by 1 to all threads (bench_codec_threads) and prints the table.
Options go to bench_codec_threads; --help lists them."""

import csv
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main():
    arguments = sys.argv[1:]
    output = ROOT / "results" / "codec_threads.csv"
    if "--output" in arguments:
        output = Path(arguments[arguments.index("--output") + 1])
    output.parent.mkdir(parents=True, exist_ok=True)
    program = ROOT / "build/bin/bench_codec_threads"
    code = subprocess.run([program, *arguments], cwd=ROOT, check=False).returncode
    if code or "--help" in arguments or "-h" in arguments:
        sys.exit(code)
    line = "{:16} {:8} {:>7} {:>8} {:>8} {:>7} {:>8} {:>7}"
    print(line.format("field", "codec", "threads", "ratio", "encode", "times", "decode", "times"))
    with output.open() as file:
        for row in csv.DictReader(file):
            columns = ("field", "codec", "threads", "ratio", "encode_GBps", "encode_speedup")
            columns += ("decode_GBps", "decode_speedup")
            print(line.format(*(row[column] for column in columns)))
    print(f"\nspeeds in GB/s; medians of alternating rounds\nwritten: {output}")


main()
