#!/usr/bin/env python3
"""What it costs until a job has learned: sums over the first 10, 100 and 1000 calls of one kind, in
turns with plain MPI, in a new job each time; and the median of the last quarter, when all is
learned. Then the same in a second job, which begins with what the first one learned (the setting
`learned`). Two hosts of the lab. Writes results/first_calls.csv.

What a run measures replaces what the file holds of the same points; the rest of it stays."""

import argparse
import csv
import io
import statistics
import tempfile
from collections import defaultdict
from itertools import product
from pathlib import Path

import keyed_rows
from lab_job import BIN, measure, parser_of, words, write_csv

OPERATIONS = ("allreduce", "bcast", "allgather", "alltoall")
# Field and bound: what shrinks exactly, what shrinks within a bound, and what does not shrink.
DATA = {"quiet_wavefield": "none", "turbulence": "rel:1e-4", "white_noise": "none"}
JOBS = ("first", "second")
MOST = 1.02
KEY = ("mpi", "link_gbps", "op", "field", "bytes", "job", "calls")
COLUMNS = (*KEY, "bound", "repeats", "plain_ms", "ours_ms", "ours_over_plain")


def parse() -> argparse.Namespace:
    parser = parser_of("first_calls", __doc__)
    add = parser.add_argument
    add("--mpi", choices=("mpich", "openmpi"), default="mpich")
    add("--links", type=words, default=["1", "10"], help="Gbit/s; 1,10")
    add("--ops", type=words, default=OPERATIONS, help=",".join(OPERATIONS))
    add("--fields", type=words, default=list(DATA), help=",".join(DATA))
    add("--bytes", type=words, default=["65536", "262144"], help="of a block; 65536,262144")
    add("--calls", type=int, default=1000)
    add("--repeats", type=int, default=3, help="of which the medians are taken; 3")
    return parser.parse_args()


def sums_of_a_job(
    options: argparse.Namespace, link: str, arguments: list[str], bound: str, learned: Path
) -> list[dict]:
    settings = {"TIGHTWIRE_ERROR_BOUND": bound, "TIGHTWIRE_LEARNED": str(learned)}
    printed = measure(
        options.mpi, 2, f"{link}gbit", arguments, settings, "bench-first-calls", capture=True
    )
    return list(csv.DictReader(io.StringIO(printed)))


def measured(options: argparse.Namespace, link: str, op: str, field: str, size: str) -> list[dict]:
    """The rows of one point: medians of all repeats."""
    folder = BIN.parent / "fields"
    folder.mkdir(exist_ok=True)
    arguments = [op, field, str(folder), size, str(options.calls)]
    seen = defaultdict(list)
    for _ in range(options.repeats):
        with tempfile.TemporaryDirectory() as kept:
            for job in JOBS:
                learned = Path(kept) / "learned.json"
                for row in sums_of_a_job(options, link, arguments, DATA[field], learned):
                    seen[job, row["calls"]].append(row)
    point = dict(mpi=options.mpi, link_gbps=link, op=op, field=field, bytes=size)
    rest = dict(bound=DATA[field], repeats=str(options.repeats))
    figures = ("plain_ms", "ours_ms", "ours_over_plain")
    return [
        point
        | {"job": job, "calls": calls}
        | rest
        | {name: f"{statistics.median(float(row[name]) for row in rows):.4f}" for name in figures}
        for (job, calls), rows in seen.items()
    ]


def main() -> None:
    options = parse()
    options.results.mkdir(parents=True, exist_ok=True)
    file = options.results / "first_calls.csv"
    table = keyed_rows.known_rows(file, COLUMNS, KEY)
    points = product(options.links, options.ops, options.fields, options.bytes)
    for link, op, field, size in points:
        rows = measured(options, link, op, field, size)
        table |= {keyed_rows.key_of(row, KEY): row for row in rows}
        write_csv(file, COLUMNS, table.values())
        for job in JOBS:
            ratios = {
                row["calls"]: float(row["ours_over_plain"]) for row in rows if row["job"] == job
            }
            sums = ", ".join(f"{calls}: {ratio:.2f}" for calls, ratio in ratios.items())
            print(f"{link:>3} Gbit/s {op:9} {field:15} {size:>7} bytes  {job:6} {sums}", flush=True)
    for job in JOBS:
        short = [row for row in table.values() if row["calls"] == "100" and row["job"] == job]
        over = sum(float(row["ours_over_plain"]) > MOST for row in short)
        print(
            f"{job} jobs: {over} of {len(short)} sums of 100 calls are above {MOST} of plain MPI's"
        )


if __name__ == "__main__":
    main()
