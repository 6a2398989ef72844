#!/usr/bin/env python3
"""Where the bytes of the programs of ./run bench programs are, and how much of their time is in
MPI: each once under tightwire audit, over hosts of the lab, which leaves every message as it is.
Writes results/programs_calls.csv: for each function of MPI and class of sizes that carries at least
a hundredth of what crosses hosts, the bytes that ranks give to it, and their share; times are the
ranks' mean, from MPI_Init to MPI_Finalize."""

import argparse
from collections import defaultdict

from keyed_rows import key_of, known_rows
from lab_job import write_csv
from programs import over_labs, parse, programs_of

from audit import audited

PLACE = ("program", "link_gbps", "hosts")
POINT = (*PLACE, "function", "from_bytes")
HEADER = (*POINT, "job_seconds", "mpi_seconds", "calls", "bytes", "share")
LEAST_SHARE = 0.01
RECEIVES = ("MPI_Recv", "MPI_Irecv", "MPI_Mrecv", "MPI_Imrecv", "MPI_Recv_init", "MPI_Precv_init")


def rows_of(audit: dict) -> list[dict]:
    """The largest first. Receives, which carry what was sent, and what stays on a host are left
    out."""
    found: dict[tuple[str, int], list[int]] = defaultdict(lambda: [0, 0])
    for kind in audit["calls"]:
        if kind["peer"] != "other-host" or kind["function"] in RECEIVES:
            continue
        size = 1 << max(kind["size_class"] - 1, 0)
        of = found[kind["function"], size]
        of[0] += kind["calls"]
        of[1] += kind["bytes"]
    whole = sum(count for _, count in found.values())
    rows = [
        {
            "function": function,
            "from_bytes": size,
            "job_seconds": f"{audit['seconds']:.4g}",
            "mpi_seconds": f"{audit['mpi_seconds']:.4g}",
            "calls": calls,
            "bytes": count,
            "share": f"{count / whole:.3f}",
        }
        for (function, size), (calls, count) in found.items()
        if count >= LEAST_SHARE * whole
    ]
    return sorted(rows, key=lambda row: -row["bytes"])


def within_the_lab(options: argparse.Namespace, link: str) -> None:
    file = options.results.resolve() / "programs_calls.csv"
    for program in programs_of(options):
        rows = rows_of(audited(program, options.hosts).audit)
        for row in rows[:3]:
            print(f"  {row['function']} from {row['from_bytes']} B: {row['share']}", flush=True)
        place = {"program": program.name, "link_gbps": link, "hosts": options.hosts}
        known = known_rows(file, HEADER, POINT).values()
        kept = [row for row in known if key_of(row, PLACE) != key_of(place, PLACE)]
        write_csv(file, HEADER, [*kept, *(place | row for row in rows)])


if __name__ == "__main__":
    over_labs(parse("programs_calls", __doc__), within_the_lab)
