#!/usr/bin/env python3
"""Messages between two ranks and halo exchanges: latency, bandwidth, bandwidth in both directions,
message rate, and the borders of a cube (7-point and 27-point, packed by hand and by datatypes), by
plain MPI and by Tightwire in alternation, each way of compressing in a job of its own: what it
learns of buffers and channels is not the others'. Writes results/p2p.csv for MPICH,
results/p2p-openmpi.csv for Open MPI, and a picture beside each.

What a run measures replaces what the file holds of the same points; the rest stays."""

import argparse
import subprocess
import sys
from itertools import product

from keyed_rows import key_of, known_rows
from lab_job import ROOT, measure, parser_of, words, write_csv

HEADER = [
    "bench",
    "method",
    "link_gbps",
    "bytes",
    "field",
    "value",
    "unit",
    "raw_value",
    "ratio_to_raw",
]
POINT = ("bench", "method", "link_gbps", "bytes", "field")
PAIRS = ("latency", "bandwidth", "bibandwidth", "message-rate")
HALOS = ("halo7-packed", "halo7-derived", "halo27-packed", "halo27-derived")
FIELDS = ("smooth", "turbulence", "noise")
# Compressed as a whole before it is sent, in chunks while it is sent, and so with a second thread.
METHODS = (
    "raw", "passed", "exact", "bounded", "exact+pipelined", "bounded+pipelined", "bounded+helper",
)  # fmt: skip
SMALL = (8, 1 << 10, 16 << 10)
LARGE = (64 << 10, 256 << 10, 1 << 20, 4 << 20, 16 << 20, 64 << 20)
QUICK_LARGE = (256 << 10, 1 << 20, 4 << 20)
FACES = (64 << 10, 256 << 10, 1 << 20)
QUICK_FACES = (1 << 20,)


def parse() -> argparse.Namespace:
    parser = parser_of("p2p", __doc__)
    add = parser.add_argument
    add("--quick", action="store_true", help="fewer sizes and samples: some minutes")
    add("--mpi", choices=("mpich", "openmpi"), default="mpich")
    add("--links", type=words, default=["1", "10"], help="Gbit/s; 1,10")
    add("--fields", type=words, default=FIELDS, help=",".join(FIELDS))
    add("--methods", type=words, default=METHODS, help="beside raw; all")
    add("--only", choices=("small", "large", "halo"), help="one part")
    add("--hosts", type=int, default=4, help="of a halo exchange; 4")
    add("--seconds", type=float, help="to spend on each point; 3, quick 1")
    add("--draw", action="store_true", help="only draw the picture again")
    options = parser.parse_args()
    options.seconds = options.seconds or (1 if options.quick else 3)
    options.methods = [m for m in options.methods if m != "raw"]
    return options


def parts(options: argparse.Namespace) -> list[tuple[str, int, tuple, tuple, tuple]]:
    """Name, hosts, patterns, sizes and fields of each job."""
    large = QUICK_LARGE if options.quick else LARGE
    faces = QUICK_FACES if options.quick else FACES
    halos = HALOS[:2] if options.quick else HALOS
    all_parts = [
        ("small", 2, ("latency", "message-rate"), SMALL, ("smooth",)),
        ("large", 2, PAIRS[:3], large, options.fields),
        ("halo", options.hosts, halos, faces, options.fields),
    ]
    return [part for part in all_parts if options.only in (None, part[0])]


def run_part(
    options: argparse.Namespace, part: tuple, link: str, method: str
) -> list[dict[str, str]]:
    name, hosts, patterns, sizes, fields = part
    print(f"== {name}: {link} Gbit/s, {hosts} hosts, {method}", flush=True)
    arguments = [
        f"--patterns={','.join(patterns)}",
        f"--fields={','.join(fields)}",
        f"--methods=raw,{method}",
        f"--bytes={','.join(map(str, sizes))}",
        f"--seconds={options.seconds}",
    ]
    settings = {"TIGHTWIRE_POINT_TO_POINT": "on", "TIGHTWIRE_LINK": f"{link}G"}
    printed = measure(
        options.mpi, hosts, f"{link}gbit", arguments, settings, "bench-p2p", capture=True
    )
    rows = []
    for line in printed.splitlines():
        if line.startswith("row,"):
            bench, contender, size, field, *values = line.split(",")[1:]
            row = dict(zip(HEADER, [bench, contender, link, size, field, *values], strict=True))
            rows.append(row)
            print_row(row)
    return rows


def print_row(row: dict[str, str]) -> None:
    if row["method"] != "raw" and not row["bench"].endswith("-wire"):
        print(
            f"{row['bench']:15} {int(row['bytes']):>10} B {row['field']:11} {row['method']:18}"
            f"{float(row['value']):12.6g} {row['unit']:5} {float(row['ratio_to_raw']):7.3f} of raw",
            flush=True,
        )


def main() -> None:
    options = parse()
    options.results.mkdir(parents=True, exist_ok=True)
    suffix = "" if options.mpi == "mpich" else f"-{options.mpi}"
    file = options.results.resolve() / f"p2p{suffix}.csv"
    table = known_rows(file, HEADER, POINT)
    for link in [] if options.draw else options.links:
        for part, method in product(parts(options), options.methods):
            for row in run_part(options, part, link, method):
                table[key_of(row, POINT)] = row
            write_csv(file, HEADER, table.values())
    plot = [sys.executable, str(ROOT / "bench" / "p2p_plot.py"), str(file)]
    sys.exit(subprocess.run(plot).returncode)


if __name__ == "__main__":
    main()
