#!/usr/bin/env python3
"""Measures our codecs by every instruction set that runs here, and how soon `exact` gives up on
noise (bench_codec_isa), and prints the table. Options go to bench_codec_isa; --help lists them."""

import sys

from codec_job import measure


def print_speeds(rows):
    print(f"{'field':18} {'bound':>7} {'isa':9} {'compress':>9} {'expand':>9}  of the best")
    best = {}
    for row in rows:
        key = row["field"], row["error_bound_rel"]
        compress, expand = float(row["compress_GBps"]), float(row["expand_GBps"])
        first = best.setdefault(key, (compress, expand))
        print(
            f"{key[0]:18} {key[1]:>7} {row['isa']:9} {compress:9.2f} {expand:9.2f}"
            f"  {compress / first[0]:.2f} {expand / first[1]:.2f}"
        )


def print_give_up(rows):
    for row in rows:
        share = float(row["memcpy_GBps"]) / float(row["compress_GBps"])
        print(f"noise of {row['MiB']} MiB: given up in {share:.2%} of the time of a memcpy")


def main():
    output, rows = measure("bench_codec_isa", sys.argv[1:], "codec_isa.csv")
    print_speeds([row for row in rows if row["what"] == "speed"])
    print_give_up([row for row in rows if row["what"] == "give-up"])
    print(f"\nwritten: {output}")


main()
