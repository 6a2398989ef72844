#!/usr/bin/env python3
"""Large jobs in simulated time: Tightwire's own code, a plain MPI and C-Coll's way among up to
hundreds of ranks of SimGrid's SMPI: collectives, and by --ops halo the exchange of six faces by
each rank of a grid, without C-Coll's way. Bytes, ratios, choices of algorithm and errors are real;
only time is simulated. Writes results/scale.csv, a row after each job, and pictures.

Each rank is charged for its codec's work what that takes on one core of this machine, measured once
for each field: keep the machine quiet then. With several threads (--threads) it is charged that
over what they gained on 16 cores (results/codec_threads.csv). Points that the file holds already,
of whatever commit, are left out unless --again asks for them."""

import argparse
import time
from itertools import product

from keyed_rows import key_of, known_rows
from lab_job import BIN, ROOT, parser_of, words, write_csv
from provenance import commit, cores, processor
from scale_errors import Validation
from scale_job import (
    OF_MESSAGES,
    Job,
    measured_speedups,
    prepare,
    require_simgrid,
    rows_wanted,
    simulate,
)
from scale_plot import draw_all

KEY = ("topology", "link_gbps", "nodes", "ranks_per_node", "threads", "selector", "field",
       "rel_bound", "bound_applies_to", "algorithm_asked", "lanes", "op", "method",
       "bytes")  # fmt: skip
MEASURED = ("ms", "speedup", "sent_bytes", "max_error_over_bound", "rms_error_over_bound",
            "ranks_identical", "algorithm", "before", "calls", "commit",
            "machine")  # fmt: skip
OPERATIONS = "allreduce,reduce_scatter,allgather,bcast,scatter"
ALSO = "gather, alltoall, halo"
METHODS = "raw,tightwire,ccoll"
# Whose vector is divided among the ranks, or made of what they have; of others all have all of it.
DIVIDED = ("reduce_scatter", "allgather", "scatter", "gather", "alltoall")
SUMS = ("allreduce", "reduce_scatter")
LEAST_TO_DEAL = 8  # ranks; job/terms.h
BITS = {"1": "same bits", "0": "DIFFERENT BITS", "": "bits not compared"}
ALGORITHMS = ("auto", "ring", "recursive-doubling", "rabenseifner")


def numbers(text: str) -> list[int]:
    return [int(word) for word in words(text)]


def size_of(text: str) -> int:
    unit = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}.get(text[-1:])
    if unit is None or not text[:-1].isdigit() or int(text[:-1]).bit_count() != 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a power of two such as 64K or 16M")
    return int(text[:-1]) * unit


def problem_of(options: argparse.Namespace) -> str | None:
    operations = words(options.ops)
    ranks = [nodes * each for nodes, each in product(options.nodes, options.ranks_per_node)]
    if not rows_wanted(operations, words(options.methods)):
        return "of C-Coll's way there is no halo"
    if options.per_rank and not set(operations) <= set(DIVIDED):
        return f"a vector has a share for each rank in {', '.join(DIVIDED)}; name some by --ops"
    if options.sum_terms is None:
        return None
    if not set(operations) <= set(SUMS):
        return f"there are sums in {', '.join(SUMS)}; name them by --ops"
    if options.bound_applies_to == "contribution":
        return "with the bound on each contribution bits are the same in any case: name result"
    if min(ranks) < LEAST_TO_DEAL or max(ranks) > options.sum_terms:
        return f"--sum-terms: {LEAST_TO_DEAL} ranks are needed, and as many terms as ranks"
    return None


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    parser = parser_of("scale", __doc__)
    add = parser.add_argument
    add("--quick", action="store_true", help="8 and 16 nodes, one size: a minute")
    add("--again", action="store_true", help="points that the file holds, too")
    add("--topologies", type=words, default=["fat_tree"], help="fat_tree, dragonfly")
    add("--links", type=words, default=["100"], help="Gbit/s; 100")
    add("--nodes", type=numbers, default=[2, 8, 32, 128], help="2,8,32,128")
    add("--ranks-per-node", type=numbers, default=[1], help="1")
    add("--threads", type=numbers, default=[1], help="of a rank, for the codec; 1")
    add("--selectors", type=words, default=["mpich", "ompi"], help="plain MPI's; mpich,ompi")
    add("--fields", type=words, default=["quiet_wavefield", "turbulence"])
    add("--ops", default=OPERATIONS, help=f"{OPERATIONS}; also {ALSO}")
    add("--bytes", type=lambda text: [size_of(word) for word in words(text)],
        default=[64 << 10, 1 << 20], help="of the whole vector, or of a face; 64K,1M")  # fmt: skip
    add("--per-rank", action="store_true", help="--bytes are a rank's share of the vector, which "
        f"grows with the ranks; of {', '.join(DIVIDED)}")  # fmt: skip
    add("--methods", default=METHODS, help=METHODS)
    add("--rel-bound", type=float, default=1e-4, help="part of the values' range; 1e-4")
    add("--bound-applies-to", choices=("contribution", "result"), default="contribution")
    add("--algorithm", choices=ALGORITHMS, default="auto", help="Tightwire's, of reductions, "
        "which then all go by it, also those that it would leave to MPI")  # fmt: skip
    add(
        "--lanes", choices=("on", "off"), default="on", help="whether ranks of a node work together"
    )
    add("--sum-terms", type=int, help="as the setting, by which sums within --bound-applies-to "
        "result have the same bits for any number of ranks; these are of terms that do not depend "
        "on it, in scale_sum_terms.csv")  # fmt: skip
    add("--before", type=int, help="calls of Tightwire's, in which its ranks learn; by size")
    add("--calls", type=int, default=4, help="after them, of which the mean is taken; 4")
    add("--share-results", action="store_true", help="all ranks write to one memory: larger sizes, "
        "results are not looked at")  # fmt: skip
    options = parser.parse_args(arguments)
    if options.quick:
        options.nodes, options.bytes, options.selectors = [8, 16], [1 << 20], ["mpich"]
        options.fields = ["quiet_wavefield"]
    if problem := problem_of(options):
        parser.error(problem)
    return options


class Table:
    """Sums of dealt terms are of other values, and have a file of their own."""

    def __init__(self, options: argparse.Namespace) -> None:
        of_terms = options.sum_terms is not None
        name = "scale_sum_terms.csv" if of_terms else "scale.csv"
        self.file = options.results / name
        self.key = (*KEY, "sum_terms") if of_terms else KEY
        self.columns = (*self.key, *(("sum_bits",) if of_terms else ()), *MEASURED)
        self.rows = known_rows(self.file, self.columns, self.key)

    def has(self, points: list[dict]) -> bool:
        return all(key_of(point, self.key) in self.rows for point in points)

    def add(self, rows: list[dict]) -> None:
        self.rows |= {key_of(row, self.key): row for row in rows}
        write_csv(self.file, self.columns, [self.rows[key] for key in sorted(self.rows)])


def points_of(
    options: argparse.Namespace, job: Job, threads: int, field: str, size: int
) -> list[dict]:
    """One for each operation and method, without what will be measured."""
    common = {
        "topology": job.topology,
        "link_gbps": f"{job.link_gbps:g}",
        "nodes": job.nodes,
        "ranks_per_node": job.ranks_per_node,
        "threads": threads,
        "selector": job.selector,
        "field": field,
        "rel_bound": f"{options.rel_bound:g}",
        "bound_applies_to": options.bound_applies_to,
        "algorithm_asked": options.algorithm,
        "lanes": options.lanes,
        "bytes": size,
    }
    if options.sum_terms is not None:
        common["sum_terms"] = options.sum_terms
    return [
        common | {"op": op, "method": method}
        for op, method in rows_wanted(words(options.ops), words(options.methods))
    ]


def calls_to_learn(size: int, operations: list[str]) -> int:
    """So many that what was tried first is given up where it does not pay: calls and blocks below
    1 MiB are looked at once all of them have taken 50 ms, messages compared after some hundreds to
    each neighbour, who gets one at a call."""
    if any(op in OF_MESSAGES for op in operations):
        return 400
    return 1300 if size < 1 << 20 else 300 if size < 16 << 20 else 8


def settings_of(options: argparse.Namespace, bound: str, threads: int) -> dict[str, str]:
    settings = {
        "TIGHTWIRE_ERROR_BOUND": bound,
        "TIGHTWIRE_BOUND_APPLIES_TO": options.bound_applies_to,
        "TIGHTWIRE_ALGORITHM": options.algorithm,
        "TIGHTWIRE_LANES": options.lanes,
        "TIGHTWIRE_THREADS": str(threads),
    }
    if options.sum_terms is not None:
        settings["TIGHTWIRE_SUM_TERMS"] = str(options.sum_terms)
    if options.sum_terms is not None or options.algorithm != "auto":
        settings["TIGHTWIRE_MODE"] = "bounded"
    return settings


def measure(options: argparse.Namespace, job: Job, points: list[dict]) -> list[dict]:
    field, size, threads = (points[0][name] for name in ("field", "bytes", "threads"))
    cache = BIN.parent / "scale"
    prefix, bound = prepare(field, size, options.rel_bound, cache)
    settings = settings_of(options, bound, threads)
    memory = "shared" if options.share_results else "own"
    before = options.before or calls_to_learn(size, words(options.ops))
    calls = [str(before), str(options.calls)]
    arguments = [options.methods, options.ops, str(size), bound, str(prefix), *calls]
    speedups = measured_speedups(field) if threads > 1 else ""
    values = "shifted" if options.sum_terms is None else "dealt"
    printed = simulate(job, [*arguments, memory], settings, speedups, values=values)
    seconds = {(row["op"], row["method"]): float(row["seconds"]) for row in printed}
    made = {"commit": commit(), "machine": f"{processor()} x{cores()}"}
    rows = []
    for point, row in zip(points, printed, strict=True):
        raw = seconds.get((row["op"], "raw"), 0)
        own = float(row["seconds"])
        found = {name: row[name] for name in MEASURED if name in row}
        if options.sum_terms is not None:
            found["sum_bits"] = row["sum_bits"]
        # Plain calls are alike, and one is enough before them.
        found |= {"before": before if row["method"] == "tightwire" else 1, "calls": options.calls}
        times = {"ms": f"{1e3 * own:.6g}", "speedup": f"{raw / own:.4g}" if raw else ""}
        rows.append(point | found | times | made)
    return rows


def show(rows: list[dict], validation: Validation) -> None:
    for row in rows:
        print(
            f"   {row['op']:<14} {row['method']:<10} {float(row['ms']):10.3f} ms "
            f"{row['speedup'] or '-':>6} x  error/bound {row['max_error_over_bound'] or '-':>9}  "
            f"{BITS[row['ranks_identical']]}  "
            f"{row['algorithm']}  {row.get('sum_bits', '')}  ({validation.beside(row)})",
            flush=True,
        )


def jobs_of(options: argparse.Namespace) -> list[tuple[Job, int, str, int]]:
    """The small ones first."""
    return [
        (
            Job(topology, float(link), nodes, ranks, selector),
            threads,
            field,
            size * nodes * ranks if options.per_rank else size,
        )
        for nodes, topology, link, ranks, threads, selector, field, size in product(
            sorted(options.nodes),
            options.topologies,
            options.links,
            options.ranks_per_node,
            options.threads,
            options.selectors,
            options.fields,
            options.bytes,
        )
    ]


def main() -> None:
    options = parse()
    require_simgrid()
    options.results.mkdir(parents=True, exist_ok=True)
    table = Table(options)
    validation = Validation(options.results)
    jobs = jobs_of(options)
    start = time.monotonic()
    for done, (job, threads, field, size) in enumerate(jobs):
        print(f"== {done} of {len(jobs)} done, {time.monotonic() - start:.0f} s: "
              f"{job}, {threads} threads, {field}, {size} bytes", flush=True)  # fmt: skip
        points = points_of(options, job, threads, field, size)
        if not options.again and table.has(points):
            print("   in the file already")
            continue
        rows = measure(options, job, points)
        table.add(rows)
        show(rows, validation)
    if options.sum_terms is None:
        draw_all(options.results, list(table.rows.values()))
    print(
        f"wrote {table.file.relative_to(ROOT) if table.file.is_relative_to(ROOT) else table.file}"
    )


if __name__ == "__main__":
    main()
