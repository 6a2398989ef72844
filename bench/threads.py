#!/usr/bin/env python3
"""Several threads of a rank: collectives and messages of plain MPI, of one thread and of more, in
alternation in one run, over hosts of the lab with one rank each. Writes results/threads.csv and a
picture of it.

The lab's hosts share the machine's cores: what a rank has is their number over that of the hosts.
More threads than the machine has cores are left out. What a run measures replaces what the file
holds of the same points; the rest stays."""

import argparse
import os
import sys
from collections.abc import Iterator
from itertools import product

from keyed_rows import key_of, known_rows, printed_rows
from lab_job import field_cache, measure, parser_of, write_csv

KEY = (
    *("mpi", "link_gbps", "hosts", "cores_per_rank"),
    *("field", "bytes", "operation", "threads"),
)
COLUMNS = (*KEY, "median_ms", "plain_ms", "speedup")
FIELDS = ("turbulence", "quiet_wavefield")
OPERATIONS = ("allreduce", "bcast", "allgather", "alltoall", "scatter", "gather", "message")
LINKS = ("10", "25", "50", "100", "unshaped")
THREADS = ("1", "2", "4", "8", "16", "auto")
# Of the range.
BOUND = "1e-3"


def some_of(known: tuple[str, ...]):
    def parse(text: str) -> list[str]:
        unknown = [word for word in text.split(",") if word not in known]
        if unknown:
            raise argparse.ArgumentTypeError(f"'{unknown[0]}' is not one of {', '.join(known)}")
        return text.split(",")

    return parse


def speed(word: str) -> str:
    if word == "unshaped":
        return word
    try:
        if float(word) > 0:
            return f"{float(word):g}"
    except ValueError:
        pass
    raise argparse.ArgumentTypeError(f"'{word}' is not a speed in Gbit/s such as 25, or unshaped")


def links(text: str) -> list[str]:
    return [speed(word) for word in text.split(",")]


def parse() -> argparse.Namespace:
    parser = parser_of("threads", __doc__)
    add = parser.add_argument
    add("--mpi", choices=("mpich", "openmpi"), default="mpich")
    add("--hosts", type=int, default=2)
    add("--links", type=links, default=LINKS, help=f"Gbit/s; {','.join(LINKS)}")
    add("--fields", type=some_of(FIELDS), default=FIELDS, help=",".join(FIELDS))
    add("--ops", type=some_of(OPERATIONS), default=OPERATIONS, help=",".join(OPERATIONS))
    add("--threads", type=some_of(THREADS), default=THREADS, help=",".join(THREADS))
    add("--bytes", type=int, default=32 << 20, help="of a rank, a power of two; 33554432")
    add("--seconds", default="2", help="to spend on each operation; 2")
    picture = parser.add_mutually_exclusive_group()
    picture.add_argument("--draw", action="store_true", help="only draw the picture again")
    picture.add_argument("--no-picture", action="store_true", help="needs no Matplotlib")
    return parser.parse_args()


def that_can_be(threads: list[str], cores: int) -> list[str]:
    """1 is always among them: the others are compared with it."""
    return ["1", *(n for n in threads if n != "1" and (n == "auto" or int(n) <= cores))]


def rows_of(printed: str, place: dict[str, str]) -> Iterator[dict[str, str]]:
    return printed_rows(printed, COLUMNS, place)


def job(options: argparse.Namespace, link: str, field: str, threads: list[str]) -> str:
    """What the benchmark prints; ends this program if it fails."""
    arguments = [
        *("--field", field, "--bytes", str(options.bytes), "--bound", BOUND),
        *("--threads", ",".join(threads), "--ops", ",".join(options.ops)),
        *("--seconds", options.seconds, "--cache", str(field_cache())),
    ]
    # Every call moves the same field again, of which history would leave nothing.
    launcher = ["--error-bound", f"rel:{BOUND}", "--history", "off", "--point-to-point", "on"]
    return measure(
        options.mpi,
        options.hosts,
        "0" if link == "unshaped" else f"{link}gbit",
        arguments,
        program="bench-threads",
        capture=True,
        launcher=launcher,
    )


def print_row(row: dict[str, str]) -> None:
    name = "plain MPI" if row["threads"] == "plain" else f"threads = {row['threads']}"
    print(
        f"{row['link_gbps']:>8} {row['field']:16}{row['operation']:10} {name:15}"
        f"{float(row['median_ms']):9.2f} ms {float(row['speedup']):6.2f} times as fast as plain",
        flush=True,
    )


def main() -> None:
    options = parse()
    options.results.mkdir(parents=True, exist_ok=True)
    file = options.results.resolve() / "threads.csv"
    table = known_rows(file, COLUMNS, KEY)
    cores = len(os.sched_getaffinity(0))
    threads = that_can_be(options.threads, cores)
    each = f"{cores / options.hosts:g}"
    left_out = [n for n in options.threads if n not in threads]
    print(f"{cores} cores, {each} for each of {options.hosts} ranks")
    if left_out:
        print(f"threads left out, of which there are more than cores: {', '.join(left_out)}")
    for link, field in [] if options.draw else product(options.links, options.fields):
        place = dict(mpi=options.mpi, link_gbps=link, hosts=str(options.hosts))
        place |= dict(cores_per_rank=each, field=field, bytes=str(options.bytes))
        for row in rows_of(job(options, link, field, threads), place):
            table[key_of(row, KEY)] = row
            print_row(row)
        write_csv(file, COLUMNS, table.values())
    if not table:
        sys.exit("bench: nothing was measured")
    if options.no_picture:
        return
    from threads_plot import draw

    draw(file, list(table.values()))


if __name__ == "__main__":
    main()
