#!/usr/bin/env python3
"""The published comparison: collectives by plain MPI, by the published ways of compressing, and by
Tightwire, over hosts of the lab. Writes results/collectives.csv, results/collectives_breakdown.csv
and pictures of them; for Open MPI collectives-openmpi.csv and so on.

What a run measures replaces what the files hold of the same points; the rest of them stays, so the
comparison can be made in pieces. With --resume, pieces that the files hold already are left out."""

import argparse
import sys
import time
from itertools import product

import comparison_files as files
from comparison_plots import draw_all
from comparison_table import print_tables
from lab_job import measure, parser_of

OPERATIONS = ("allreduce", "allgather", "reduce_scatter", "bcast", "scatter", "gather", "alltoall")
METHODS = (
    "raw",
    "raw-best",
    "cprp2p",
    "cprp2p-zfp-rate",
    "cprp2p-zfp-accuracy",
    "ccoll",
    "ccoll-szp",
    "ccoll-szx",
    "tightwire",
    "tightwire-result",
)
FIELDS = ("quiet_wavefield", "turbulence", "white_noise")
SIZES = ("64K", "256K", "1M", "4M", "16M", "64M")
QUICK_SIZES = ("64K", "1M", "4M")
# Open MPI takes an algorithm by name only where this is set; by itself it changes nothing.
NAMED_ALGORITHMS = {"OMPI_MCA_coll_tuned_use_dynamic_rules": "1"}


def list_of(convert, known=None):
    def parse(text: str) -> list:
        values = [convert(word) for word in text.split(",")]
        for value in values:
            if known and value not in known:
                raise argparse.ArgumentTypeError(f"'{value}' is not one of {', '.join(known)}")
        return values

    return parse


def size(text: str) -> str:
    if text[-1:] not in "KMG" or not text[:-1].isdigit() or int(text[:-1]).bit_count() != 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a power of two such as 64K or 16M")
    return text


def host_count(text: str) -> int:
    if not text.isdigit() or int(text) < 2:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of hosts from 2 on")
    return int(text)


def gigabits(text: str) -> str:
    try:
        if float(text) > 0:
            return f"{float(text):g}"
    except ValueError:
        pass
    raise argparse.ArgumentTypeError(f"'{text}' is not a speed in Gbit/s such as 1 or 2.5")


def parse() -> argparse.Namespace:
    parser = parser_of("collectives", __doc__)
    add = parser.add_argument
    add("--quick", action="store_true", help="fewer sizes and samples: some minutes")
    add("--resume", action="store_true", help="leave out what the files hold already")
    add("--draw", action="store_true", help="only draw the pictures again")
    add("--mpi", choices=("mpich", "openmpi"), default="mpich")
    add("--hosts", type=list_of(host_count), default=[4], help="one or more; 4")
    add("--links", type=list_of(gigabits), default=["1", "10"], help="Gbit/s; 1,10")
    add("--burst", default="256k", help="of the lab's links, at memory speed after a pause; 256k")
    add("--fields", type=list_of(str), default=FIELDS, help=",".join(FIELDS))
    add("--ops", type=list_of(str, OPERATIONS), default=OPERATIONS, help=",".join(OPERATIONS))
    add("--bytes", type=list_of(size), help=f"of the whole vector; {','.join(SIZES)}")
    add("--methods", type=list_of(str, METHODS), default=METHODS, help="beside raw; all")
    add("--error-bound", default="rel:1e-4", help="as Tightwire takes it; rel:1e-4")
    idle = "ranks that wait hand their core on, or keep it, as MPICH's do by themselves; yield"
    add("--idle", choices=("yield", "spin"), default="yield", help=idle)
    history = "of messages: auto, or off, as every call moves the same field again; off"
    add("--history", choices=("auto", "off"), default="off", help=history)
    add("--seconds", type=float, help="to spend on each operation and size; 3, quick 1")
    add("--fewest", type=int, help="samples, however long they take; 5, quick 3")
    options = parser.parse_args()
    options.bytes = options.bytes or (QUICK_SIZES if options.quick else SIZES)
    options.seconds = options.seconds or (1 if options.quick else 3)
    options.fewest = options.fewest or (3 if options.quick else 5)
    return options


def missing_sizes(options: argparse.Namespace, known: files.Table, point: files.Point) -> list[str]:
    if not options.resume:
        return list(options.bytes)
    methods = [m for m in options.methods if m != "tightwire-result" or point.reduces]
    return [s for s in options.bytes if not known.holds(point, files.bytes_of(s), methods)]


def job_arguments(options: argparse.Namespace, point: files.Point, sizes: list[str]) -> list[str]:
    return [
        *("--ops", point.op, "--field", point.field, "--link-gbps", point.link_gbps),
        *("--bytes", ",".join(sizes), "--methods", ",".join(options.methods)),
        *("--error-bound", options.error_bound),
        *("--seconds", str(options.seconds), "--fewest", str(options.fewest)),
    ]


def main() -> None:
    options = parse()
    options.results.mkdir(parents=True, exist_ok=True)
    both = files.open_tables(options.results.resolve(), options.mpi)
    points = [
        files.Point(op, field, link, hosts)
        for hosts, link, field, op in product(
            options.hosts, options.links, options.fields, options.ops
        )
    ]
    start = time.monotonic()
    for done, point in enumerate([] if options.draw else points):
        print(f"== {done} of {len(points)} done, {time.monotonic() - start:.0f} s: {point}")
        sizes = missing_sizes(options, both.results, point)
        if not sizes:
            print("   in the files already", flush=True)
            continue
        sys.stdout.flush()
        with files.scratch(both) as outputs:
            arguments = [*job_arguments(options, point, sizes), *outputs.arguments]
            rate = f"{point.link_gbps}gbit"
            settings = NAMED_ALGORITHMS | {"TIGHTWIRE_HISTORY": options.history}
            measure(options.mpi, point.hosts, rate, arguments, settings, "bench-comparison",
                    burst=options.burst, idle=options.idle)  # fmt: skip
            outputs.merge()
    draw_all(both)
    print_tables(both.results.sorted())
    sys.exit(1 if files.report_broken_promises(both.results) else 0)


if __name__ == "__main__":
    main()
