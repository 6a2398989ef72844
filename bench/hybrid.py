#!/usr/bin/env python3
"""A program that computes with threads and adds up between its phases (Allreduce), over hosts of
the lab with one rank each: plain MPI and several values of `threads`, in alternation in one run.
Writes results/hybrid.csv, where OpenMP's threads compute, or results/hybrid-blas.csv, where
OpenBLAS's do: a step of the loop, and its compute phases.

The lab's hosts share the machine's cores: what a rank has is their number over that of the hosts.
What a run measures replaces what the file holds of the same points; the rest stays."""

import argparse
import os
from collections.abc import Iterator

from keyed_rows import key_of, known_rows
from lab_job import field_cache, measure, parser_of, write_csv

KEY = (
    *("mpi", "link_gbps", "hosts", "cores_per_rank", "field", "bytes", "bound"),
    *("compute_threads", "threads"),
)
COLUMNS = (*KEY, "loop_ms", "compute_ms", "loop_speedup", "compute_speedup")
# Of the range.
BOUND = "rel:1e-3"


def parse() -> argparse.Namespace:
    parser = parser_of("hybrid", __doc__)
    add = parser.add_argument
    add("--mpi", choices=("mpich", "openmpi"), default="mpich")
    add("--hosts", type=int, default=2)
    add("--link", default="10", help="Gbit/s; 10")
    add("--field", default="turbulence", help="that the grid is filled with; turbulence")
    add("--bytes", type=int, default=8 << 20, help="of a rank's grid, a power of two; 8388608")
    add("--compute", choices=("openmp", "blas"), default="openmp", help="whose threads compute")
    add("--compute-threads", default="1,2", help="of each rank; 1,2")
    add("--threads", default="1,auto", help="values of the setting; 1,auto")
    add("--rounds", default="24", help="of 8 steps, of each; 24")
    return parser.parse_args()


def rows_of(printed: str, place: dict[str, str]) -> Iterator[dict[str, str]]:
    """Speeds are those of `threads = 1`."""
    lines = [line.split(",")[1:] for line in printed.splitlines() if line.startswith("row,")]
    one = next(line for line in lines if line[0] == "1")
    for threads, loop, compute in lines:
        speedups = {
            "loop_speedup": f"{float(one[1]) / float(loop):.3f}",
            "compute_speedup": f"{float(one[2]) / float(compute):.3f}",
        }
        yield place | {"threads": threads, "loop_ms": loop, "compute_ms": compute} | speedups


def waiting(threads: int, cores: int) -> dict[str, str]:
    """Threads that spin while they wait take the cores of those that work, where there are more."""
    return {"OMP_WAIT_POLICY": "passive"} if threads > cores else {}


def job(options: argparse.Namespace, compute_threads: str) -> str:
    """What the benchmark prints; ends this program if it fails."""
    arguments = [
        *("--field", options.field, "--bytes", str(options.bytes), "--cache", str(field_cache())),
        *("--threads", options.threads, "--compute", options.compute),
        *("--compute-threads", compute_threads),
        *("--rounds", options.rounds),
    ]
    return measure(
        options.mpi,
        options.hosts,
        f"{options.link}gbit",
        arguments,
        settings=waiting(options.hosts * int(compute_threads), len(os.sched_getaffinity(0))),
        program="bench-hybrid",
        capture=True,
        launcher=["--error-bound", BOUND],
    )


def main() -> None:
    options = parse()
    options.results.mkdir(parents=True, exist_ok=True)
    suffix = "" if options.compute == "openmp" else f"-{options.compute}"
    file = options.results.resolve() / f"hybrid{suffix}.csv"
    table = known_rows(file, COLUMNS, KEY)
    each = f"{len(os.sched_getaffinity(0)) / options.hosts:g}"
    for compute_threads in options.compute_threads.split(","):
        place = dict(mpi=options.mpi, link_gbps=options.link, hosts=str(options.hosts))
        place |= dict(cores_per_rank=each, field=options.field, bytes=str(options.bytes))
        place |= dict(bound=BOUND, compute_threads=compute_threads)
        for row in rows_of(job(options, compute_threads), place):
            table[key_of(row, KEY)] = row
            print(
                f"{compute_threads} threads compute, threads = {row['threads']:6}"
                f"{float(row['loop_ms']):9.2f} ms a step, {float(row['compute_ms']):9.2f} ms of it "
                f"compute; {row['loop_speedup']} and {row['compute_speedup']} of threads = 1",
                flush=True,
            )
        write_csv(file, COLUMNS, table.values())


if __name__ == "__main__":
    main()
