#!/usr/bin/env python3
"""What Tightwire takes a link's speed for after some calls of one operation, from 10 Gbit/s on:
over hosts of the lab, beside what messages of plain MPI reach there, and over simulated ones, which
are as fast as they are told to be. Writes results/link_speeds.csv.

What a run measures replaces what the file holds of the same points; the rest stays."""

import argparse
import json
import tempfile
from collections.abc import Iterator
from itertools import chain, product
from pathlib import Path

from keyed_rows import key_of, known_rows, printed_rows
from lab_job import BIN, field_cache, measure, parser_of, words, write_csv
from scale_job import Job, prepare, require_simgrid, simulate

KEY = ("network", "mpi", "link_gbps", "hosts", "operation", "bytes")
COLUMNS = (*KEY, "learned_gbps", "learned_latency_us", "messages_gbps")
FIELD = "turbulence"
LAB_BYTES = 32 << 20
SIMULATED_BYTES = 16 << 20
OPERATIONS = ("allreduce", "bcast", "alltoall")
LINKS = ("10", "25", "40", "unshaped")
SIMULATED_LINKS = ("10", "25", "40", "50", "100", "200", "400")
# Of the range.
BOUND = 1e-4


def parse() -> argparse.Namespace:
    parser = parser_of("link_speeds", __doc__)
    add = parser.add_argument
    add("--mpis", type=words, default=("mpich", "openmpi"), help="of the lab; mpich,openmpi")
    add("--links", type=words, default=LINKS, help=f"of the lab, Gbit/s; {','.join(LINKS)}")
    add("--nodes", type=words, default=("2", "16"), help="simulated; 2,16")
    add("--only", choices=("lab", "simulated"))
    return parser.parse_args()


def learned(file: Path) -> dict[str, str]:
    """Empty where nothing was: compressing was never close to paying, say."""
    network = json.loads(file.read_text(encoding="utf-8"))["network"]
    if network["bandwidth"] == 0:
        return {"learned_gbps": "", "learned_latency_us": ""}
    return {
        "learned_gbps": f"{network['bandwidth'] / 125e6:.3g}",
        "learned_latency_us": f"{1e6 * network['latency']:.3g}",
    }


def lab_call(mpi: str, link: str, operation: str, file: Path) -> float:
    """Leaves in the file what one job learned, and returns what a plain call took, in seconds."""
    arguments = [
        *("--field", FIELD, "--bytes", str(LAB_BYTES), "--bound", f"{BOUND:g}"),
        *("--threads", "1", "--ops", operation, "--seconds", "0.5", "--cache", str(field_cache())),
    ]
    launcher = ["--error-bound", f"rel:{BOUND:g}", "--history", "off", "--learned", str(file)]
    rate = "0" if link == "unshaped" else f"{link}gbit"
    printed = measure(
        mpi, 2, rate, arguments, program="bench-threads", capture=True, launcher=launcher
    )
    columns = ("operation", "threads", "median_ms", "plain_ms", "speedup")
    return float(next(printed_rows(printed, columns, {}))["plain_ms"]) / 1e3


def of_the_lab(options: argparse.Namespace, scratch: Path) -> Iterator[dict[str, str]]:
    for mpi, link in product(options.mpis, options.links):
        message = lab_call(mpi, link, "message", scratch / "message.json")
        reached = f"{LAB_BYTES / message / 125e6:.3g}"
        for operation in OPERATIONS:
            file = scratch / f"{mpi}.{link}.{operation}.json"
            lab_call(mpi, link, operation, file)
            place = dict(network="lab", mpi=mpi, link_gbps=link, hosts="2", operation=operation)
            yield place | {"bytes": str(LAB_BYTES), "messages_gbps": reached} | learned(file)


def simulated(options: argparse.Namespace, scratch: Path) -> Iterator[dict[str, str]]:
    prefix, bound = prepare(FIELD, SIMULATED_BYTES, BOUND, BIN.parent / "scale")
    for nodes, link, operation in product(options.nodes, SIMULATED_LINKS, OPERATIONS):
        file = scratch / f"{nodes}.{link}.{operation}.json"
        arguments = ["tightwire", operation, str(SIMULATED_BYTES), bound, str(prefix)]
        settings = {"TIGHTWIRE_ERROR_BOUND": bound, "TIGHTWIRE_LEARNED": str(file)}
        settings |= {"TIGHTWIRE_QUIET": "on"}
        simulate(Job("fat_tree", float(link), int(nodes)), [*arguments, "8", "4", "own"], settings)
        place = dict(network="simulated", mpi="mpich", link_gbps=link, hosts=nodes)
        place |= dict(operation=operation, bytes=str(SIMULATED_BYTES), messages_gbps=link)
        yield place | learned(file)


def main() -> None:
    options = parse()
    options.results.mkdir(parents=True, exist_ok=True)
    file = options.results.resolve() / "link_speeds.csv"
    table = known_rows(file, COLUMNS, KEY)
    parts = {"lab": of_the_lab, "simulated": simulated}
    wanted = [rows_of for name, rows_of in parts.items() if options.only in (None, name)]
    if simulated in wanted:
        require_simgrid()
    with tempfile.TemporaryDirectory(prefix="tightwire-links-") as scratch:
        for row in chain.from_iterable(rows_of(options, Path(scratch)) for rows_of in wanted):
            table[key_of(row, KEY)] = row
            write_csv(file, COLUMNS, table.values())
            print(
                f"{row['network']:10} {row['mpi']:8} {row['link_gbps']:>8} Gbit/s, "
                f"{row['hosts']:>2} hosts, by {row['operation']:10} "
                f"{row['learned_gbps'] or 'nothing':>7} learned; messages {row['messages_gbps']}",
                flush=True,
            )


if __name__ == "__main__":
    main()
