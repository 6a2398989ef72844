#!/usr/bin/env python3
"""Measures every codec on every field (bench_codec, and codecs that come as Python wheels), prints
the table, and says how the project's claims stand. Options go to bench_codec; --help lists them.
Real fields too (real_fields.py), but for runs with --fields, --files or --simulated."""

import argparse
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import real_fields
from codec_claims import print_claims
from codec_job import measure, rows_in, with_numbers
from lab_job import ROOT

TEXTS = {"field", "type", "codec"}


def errors_of(row):
    """And the share of constant blocks, of codecs that have blocks; nothing of exact rows."""
    if not row["error_bound_rel"]:
        return ""
    share = row["constant_blocks"]
    constant = "" if share is None else f"{share:9.1%}"
    return f"  {row['max_error_over_bound']:11.6f} {row['psnr_db']:9.1f}{constant}"


def print_table(rows):
    fields = defaultdict(list)
    for row in rows:
        fields[row["field"], row["type"]].append(row)
    for (field, kind), group in fields.items():
        print(f"\n{field} ({kind})")
        heads = ("codec", "bound", "compress", "expand", "memcpy", "ratio")
        heads += ("error/bound", "PSNR, dB", "constant")
        print("  {:20} {:>7} {:>9} {:>9} {:>9} {:>9}  {} {:>9}{:>9}".format(*heads))
        for row in sorted(group, key=lambda row: -row["error_bound_rel"]):
            bound = f"{row['error_bound_rel']:g}" if row["error_bound_rel"] else "exact"
            columns = ("compress_GBps", "expand_GBps", "memcpy_GBps", "ratio")
            values = " ".join(f"{row[column]:9.3f}" for column in columns)
            print(f"  {row['codec']:20} {bound:>7} {values}{errors_of(row)}")
    print("\nGB/s of uncompressed data by processor time, one core; medians of alternating rounds")


def parse():
    """What decides which fields there are; bench_codec takes and checks all else."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--simulated", action="store_true")
    parser.add_argument("--fields")
    parser.add_argument("--codecs")
    parser.add_argument("--files", type=Path)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--size", type=int, default=32)
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--cache", type=Path, default=Path("results/scratch/fields"))
    options, _ = parser.parse_known_args()
    arguments = [word for word in sys.argv[1:] if word != "--simulated"]
    return options, arguments


def simulated_files(options, fields):
    """Where bench_codec keeps them: the newest of each name that has the right size."""
    size = (2 if options.quick else options.size) << 20
    found = {}
    for file in sorted((ROOT / options.cache).glob("*.*.*.*"), key=lambda f: f.stat().st_mtime):
        if file.stat().st_size == size:
            found[file.name.split(".")[0]] = file
    return [found[name] for name in fields if name in found]


def measure_wheels(options, output):
    """Adds their rows to the table, for the fields that are in it."""
    fields = list(dict.fromkeys(row["field"] for row in rows_in(output)))
    folder = options.files or real_fields.FIELDS
    files = simulated_files(options, fields)
    files += [file for file in sorted(folder.glob("*")) if file.name.split(".")[0] in fields]
    rounds = 3 if options.quick else options.rounds
    with output.open("a") as table:
        table.write(real_fields.rows_of_wheels(files, rounds))


def main():
    options, arguments = parse()
    helping = "--help" in arguments or "-h" in arguments
    wheels = not helping and options.codecs is None and real_fields.prepared()
    if wheels and not (options.simulated or options.fields or options.files):
        arguments += ["--files", str(real_fields.FIELDS)]
    output, _ = measure("bench_codec", arguments, "codec.csv")
    if wheels:
        measure_wheels(options, output)
    rows = with_numbers(rows_in(output), TEXTS)
    print_table(rows)
    print_claims(rows)
    print(f"\nwritten: {output}")
    plot = Path(__file__).with_name("codec_plot.py")
    subprocess.run([sys.executable, plot, output], check=False)


main()
