#!/usr/bin/env python3
"""How far simulated times are from the lab's: a ping-pong and a stream calibrate a simulated
switch, then collectives are measured in the lab and simulated. Writes
results/scale_validation.csv, whose errors stand beside every figure of ./run bench scale.

By default there are no more hosts than cores at 10 Gbit/s, and at 1 Gbit/s up to twice as many,
whose ranks share cores: simulated ones are charged as many times as much for the codec. So they are
where hosts have several ranks (--ranks-per-host): lanes, as Tightwire has them there. With
--algorithm each of its reductions goes by that one, also those that it would leave to MPI."""

import argparse
import csv
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from collectives import NAMED_ALGORITHMS
from comparison_files import open_tables, report_broken_promises, scratch
from keyed_rows import key_of, known_rows
from lab_job import BIN, measure, parser_of, words, write_csv
from provenance import commit, cores, processor
from scale import ALGORITHMS, calls_to_learn, size_of
from scale_errors import Validation
from scale_job import Job, Wire, prepare, require_simgrid, simulate

POINT = ("hosts", "ranks_per_host", "link_gbps", "selector", "field", "algorithm_asked", "op",
         "method", "bytes")  # fmt: skip
COLUMNS = (*POINT, "lab_ms", "simulated_ms", "error", "commit", "machine")
REL_BOUND = 1e-4
# Of a core for each byte that goes through TCP, by measurement (policy/cost/network.h).
CARRY_PER_BYTE = 0.35e-9
CORES = len(os.sched_getaffinity(0))
PLACES = ("2x1", "2x10", "4x1", "4x10", "8x1", "8x10")
SMALLEST_SHARED = 4096  # bytes: shorter messages are all overhead


def parse() -> argparse.Namespace:
    parser = parser_of("scale_validation", __doc__)
    add = parser.add_argument
    add("--mpi", choices=("mpich", "openmpi"), default="mpich")
    add("--field", default="turbulence", help="turbulence")
    add("--ops", default="allreduce,allgather,reduce_scatter,bcast,scatter")
    add("--bytes", default="1M,4M,16M", help="1M,4M,16M")
    add("--methods", default="tightwire,ccoll", help="beside raw; tightwire,ccoll")
    known = ",".join(place for place in PLACES if int(place[0]) <= most_hosts(place))
    add("--places", type=places, default=known, help=f"hosts x Gbit/s; {known} on this machine")
    burst = "of the lab's links, at memory speed after a pause; 256k. Each needs its own --results"
    add("--burst", default="256k", help=burst)
    add("--algorithm", choices=ALGORITHMS, default="auto", help="Tightwire's, of reductions")
    add("--ranks-per-host", type=int, choices=range(1, 9), default=1, help="1 to 8; 1")
    add("--quick", action="store_true", help="two hosts, one size")
    options = parser.parse_args()
    if options.quick:
        options.bytes, options.places = "1M", places("2x1")
    return options


def most_hosts(place: str) -> int:
    """At 10 Gbit/s TCP and the codec take all of a rank's core."""
    return 2 * CORES if place.endswith("x1") else CORES


def places(text: str) -> list[tuple[int, str]]:
    found = [re.fullmatch(r"([2468])x(\d+)", word) for word in text.split(",")]
    if not all(found):
        raise argparse.ArgumentTypeError(f"'{text}' is no list such as 2x1,8x10")
    return [(int(place[1]), place[2]) for place in found if place]


def calibrated(mpi: str, link: str, burst: str) -> Wire:
    """A link as a ping-pong (latency) and streams of messages of each size find it in the lab. A
    message that comes alone passes in part by the shaper's burst, as those of collectives seldom
    do."""
    printed = measure(
        mpi,
        2,
        f"{link}gbit",
        [],
        {"TIGHTWIRE_MODE": "raw"},
        "bench-scale-ping-pong",
        capture=True,
        burst=burst,
    )
    rows = {int(row["bytes"]): row for row in csv.DictReader(printed.splitlines())}
    alone = float(rows[1]["alone"])
    nominal = float(link) * 125e6

    factors = [
        (size, size / (nominal * float(rows[size]["streamed"])))
        for size in sorted(rows)
        if size >= SMALLEST_SHARED
    ]
    # Nearly all of it is the two ends' system calls; a network name space has no wires.
    return Wire(0.45 * alone, 0.05 * alone, ((0, factors[0][1]), *factors), CARRY_PER_BYTE)


def asked(options: argparse.Namespace, bound: str) -> dict[str, str]:
    """The variables that have reductions go by an algorithm."""
    if options.algorithm == "auto":
        return {}
    forced = {"TIGHTWIRE_ALGORITHM": options.algorithm, "TIGHTWIRE_MODE": "bounded"}
    return forced | {"TIGHTWIRE_ERROR_BOUND": bound}  # which that mode needs from the start


def in_the_lab(
    options: argparse.Namespace, hosts: int, link: str, bound: str, folder: Path
) -> dict:
    """Milliseconds by operation, method and size. The bound is a number, as in the simulation:
    nobody looks for a range. Each operation has a job of its own, whose ranks know nothing."""
    ranks = hosts * options.ranks_per_host
    settings = NAMED_ALGORITHMS | asked(options, bound)
    settings["TIGHTWIRE_HISTORY"] = "off"  # simulated calls have none
    tables = open_tables(folder, options.mpi)
    for op in words(options.ops):
        with scratch(tables) as outputs:
            arguments = [
                *("--ops", op, "--field", options.field, "--link-gbps", link),
                *("--bytes", options.bytes, "--methods", f"raw,{options.methods}"),
                *("--error-bound", bound, "--seconds", "1", "--fewest", "5"),
                *outputs.arguments,
            ]
            measure(options.mpi, hosts, f"{link}gbit", arguments, settings, "bench-comparison",
                    capture=True, ranks=ranks, burst=options.burst)  # fmt: skip
            outputs.merge()
    if report_broken_promises(tables.results):
        sys.exit("bench: the lab's results are not what was promised")
    found = {}
    for row in tables.results.sorted():
        found[row["op"], row["method"], int(row["bytes"])] = float(row["median_ms"])
        found[row["op"], "raw", int(row["bytes"])] = float(row["raw_ms"])
    return found


def with_shared_cores(prefix: Path, costs: Path, ranks: int, folder: Path) -> Path:
    """The field's files, with these costs for cores that several ranks use."""
    share = max(1.0, ranks / CORES)
    shared = folder / f"{prefix.name}.{ranks}"
    os.symlink(f"{prefix}.f32", f"{shared}.f32")
    lines = (line.split() for line in costs.read_text().splitlines())
    text = "".join(f"{work} {share * float(a)} {share * float(b)}\n" for work, a, b in lines)
    Path(f"{shared}.costs").write_text(text)
    return shared


def codec_as_now(field: str, size: int, processes: int, folder: Path) -> None:
    """Leaves 0.costs in the folder. Ranks work at the same time, and cores may share their silicon:
    so do as many processes here."""
    cache = BIN.parent / "scale"  # which holds the field by now
    started = [
        subprocess.Popen(
            [
                BIN / "bench-scale-prepare",
                field,
                str(size),
                f"{REL_BOUND:g}",
                cache,
                folder / str(n),
            ],
            stdout=subprocess.DEVNULL,
        )
        for n in range(processes)
    ]
    if any([process.wait() for process in started]):
        sys.exit("bench: bench-scale-prepare failed")


def in_simulation(
    options: argparse.Namespace, job: Job, size: int, bound: str, folder: Path
) -> dict[tuple[str, str, int], float]:
    """Of the field that the lab has of this size: the first part of a larger one differs."""
    prefix, _ = prepare(options.field, size, REL_BOUND, BIN.parent / "scale")
    codec_as_now(options.field, size, min(job.ranks, CORES), folder)
    costs = with_shared_cores(prefix, folder / "0.costs", job.ranks, folder)
    methods = f"raw,{options.methods}"
    # In the lab a quarter of a second of calls goes before those that count.
    learning = max(32, calls_to_learn(size, words(options.ops)))
    # What bench-comparison sets for its method tightwire.
    settings = {"TIGHTWIRE_ERROR_BOUND": bound, "TIGHTWIRE_BOUND_APPLIES_TO": "contribution"}
    settings |= asked(options, bound)
    arguments = [
        methods,
        options.ops,
        str(size),
        bound,
        str(costs),
        str(learning),
        "3",
        "own",
    ]
    rows = simulate(job, arguments, settings)
    return {
        (row["op"], row["method"], int(row["bytes"])): 1e3 * float(row["seconds"]) for row in rows
    }


def compared(options: argparse.Namespace, hosts: int, link: str, parent: Path) -> list[dict]:
    folder = parent / f"{hosts}-{link}"
    folder.mkdir()
    most = max(size_of(size) for size in options.bytes.split(","))
    _, bound = prepare(options.field, most, REL_BOUND, BIN.parent / "scale")
    lab = in_the_lab(options, hosts, link, bound, folder)
    selector = "mpich" if options.mpi == "mpich" else "ompi"
    wire = calibrated(options.mpi, link, options.burst)
    job = Job("switch", float(link), hosts, options.ranks_per_host, selector, wire)
    sizes = sorted({size for _, _, size in lab})
    simulated = {}
    for size in sizes:
        simulated |= in_simulation(options, job, size, bound, folder)
    made = {"commit": commit(), "machine": f"{processor()} x{cores()}"}
    rows = []
    for (op, method, size), seconds in sorted(simulated.items()):
        if options.algorithm != "auto" and method != "tightwire":
            continue  # which go as ever: rows of auto have them
        measured = lab[op, method, size]
        point = (hosts, options.ranks_per_host, link, selector, options.field, options.algorithm,
                 op, method, size)  # fmt: skip
        found = {"lab_ms": f"{measured:.6g}", "simulated_ms": f"{seconds:.6g}"}
        found["error"] = f"{seconds / measured - 1:.3f}"
        rows.append(dict(zip(POINT, point, strict=True)) | found | made)
    return rows


def show(rows: list[dict]) -> None:
    for row in rows:
        print(
            f"   {row['op']:<14} {row['method']:<10} {row['bytes']:>9} B  "
            f"lab {float(row['lab_ms']):9.3f} ms  simulated {float(row['simulated_ms']):9.3f} ms  "
            f"{float(row['error']):+.1%}",
            flush=True,
        )


def main() -> None:
    options = parse()
    require_simgrid()
    options.results.mkdir(parents=True, exist_ok=True)
    file = options.results / "scale_validation.csv"
    rows = known_rows(file, COLUMNS, POINT)
    with tempfile.TemporaryDirectory(prefix="tightwire-validation-") as parent:
        for done, (hosts, link) in enumerate(options.places):
            print(
                f"== {done} of {len(options.places)} done: {hosts} hosts, {link} Gbit/s", flush=True
            )
            new = compared(options, hosts, link, Path(parent))
            show(new)
            rows |= {key_of(row, POINT): row for row in new}
            write_csv(file, COLUMNS, [rows[key] for key in sorted(rows)])
    print(f"{Validation(options.results).of_all()}; wrote {file.name}")


if __name__ == "__main__":
    main()
