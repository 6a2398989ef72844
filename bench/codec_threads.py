#!/usr/bin/env python3
"""Measures chunked coding by 1 to all threads (bench_codec_threads) and prints the table.
Options go to bench_codec_threads; --help lists them."""

import sys

from codec_job import measure


def main():
    output, rows = measure("bench_codec_threads", sys.argv[1:], "codec_threads.csv")
    line = "{:16} {:8} {:>7} {:>8} {:>8} {:>7} {:>8} {:>7}"
    print(line.format("field", "codec", "threads", "ratio", "encode", "times", "decode", "times"))
    for row in rows:
        columns = ("field", "codec", "threads", "ratio", "encode_GBps", "encode_speedup")
        columns += ("decode_GBps", "decode_speedup")
        print(line.format(*(row[column] for column in columns)))
    print(f"\nspeeds in GB/s; medians of alternating rounds\nwritten: {output}")


main()
