#!/usr/bin/env python3
"""What a call costs that has nothing to gain: every call of 8 bytes, between two ranks of a host
and of two hosts, 1 to 1000 requests, 1 and 4 threads, and 1 under MPI_THREAD_MULTIPLE, by plain MPI
and under Tightwire in alternation. No lab is needed. Writes results/overhead.csv.

What a run measures replaces what the file holds of the same points; the rest stays."""

import argparse
import subprocess
import sys

from keyed_rows import key_of, known_rows
from lab_job import BIN, ROOT, environment, parser_of, words, write_csv

HEADER = ["mpi", "where", "calls", "requests", "threads", "plain_ns", "tightwire_ns", "ratio"]
POINT = HEADER[:5]
# --host-ranks is a setting for tests: each rank is taken for a host of its own.
WHERE = {"within": [], "across": ["--host-ranks", "1"]}
FAMILIES = ("mpich", "openmpi")
# `multiple`: one thread calls MPI, under MPI_THREAD_MULTIPLE.
THREADS = ("1", "multiple", "4")
OPTIONS = {"mpich": [], "openmpi": ["--oversubscribe", "--bind-to", "none"]}
# More threads than cores: those that wait let the others run, as MPICH's do by themselves.
YIELDING = ["--mca", "mpi_yield_when_idle", "1"]
AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
# A call may take so much longer, whichever is more.
MOST_RATIO = 1.05
MOST_NANOSECONDS = 20
# Of many requests, one call serves all.
OF_LISTS = ("Waitall", "Waitsome", "Testall", "Testsome", "Startall")

Row = dict[str, str]


def parse() -> argparse.Namespace:
    parser = parser_of("overhead", __doc__)
    add = parser.add_argument
    add("--mpi", type=words, default=list(FAMILIES), help=",".join(FAMILIES))
    add("--where", type=words, default=list(WHERE), help=",".join(WHERE))
    add("--threads", type=words, default=list(THREADS), help=",".join(THREADS))
    add("--requests", default="1,10,100,1000")
    add("--calls", default="", help="only those with this in their names, such as Testall")
    add("--seconds", type=float, default=0.3, help="to spend on each point; 0.3")
    options = parser.parse_args()
    for name, known in (("mpi", FAMILIES), ("where", WHERE), ("threads", THREADS)):
        for word in getattr(options, name):
            if word not in known:
                parser.error(f"--{name}: there is no '{word}'; take some of {','.join(known)}")
    return options


def job(options: argparse.Namespace, family: str, where: str, threads: str) -> list[str]:
    start = [f"mpirun.{family}", *OPTIONS[family]]
    if family == "openmpi" and threads == "4":
        start += YIELDING
    start += ["-n", "2", str(BIN / "tightwire")]
    start += ["--point-to-point", "on", "--link", "1G", *WHERE[where]]
    start += [str(BIN / f"bench-overhead-{family}"), threads, options.requests]
    return ["timeout", "--kill-after=5", "3600", *start, str(options.seconds), options.calls]


def rows_of(printed: str, family: str, where: str) -> list[Row]:
    rows = []
    for line in printed.splitlines():
        if line.startswith("row,"):
            calls, requests, threads, plain, tightwire = line.split(",")[1:]
            ratio = f"{float(tightwire) / max(float(plain), 0.1):.3f}"
            values = [family, where, calls, requests, threads, plain, tightwire, ratio]
            rows.append(dict(zip(HEADER, values, strict=True)))
    return rows


def run(options: argparse.Namespace, family: str, where: str, threads: str) -> list[Row]:
    print(f"== {family}, {where}, threads {threads}", flush=True)
    command = job(options, family, where, threads)
    done = subprocess.run(
        command,
        env=environment() | AS_ROOT,
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    )
    if done.returncode != 0:
        sys.exit(f"bench: the job failed with exit code {done.returncode}")
    return rows_of(done.stdout, family, where)


def calls_of(row: Row) -> float:
    """How many calls the time of a row is of."""
    if "+" not in row["calls"]:
        return 1
    return sum(
        1 / int(row["requests"]) if call.endswith(OF_LISTS) else 1
        for call in row["calls"].split("+")
    )


def costs_too_much(row: Row) -> bool:
    more = float(row["tightwire_ns"]) - float(row["plain_ns"])
    allowed = MOST_NANOSECONDS * calls_of(row)
    return more > max(allowed, (MOST_RATIO - 1) * float(row["plain_ns"]))


def show(row: Row) -> None:
    print(
        f"{row['calls']:48} {row['requests']:>5} {float(row['plain_ns']):12.1f}"
        f"{float(row['tightwire_ns']):12.1f} ns {row['ratio']:>7}"
        f"{'  too much' if costs_too_much(row) else ''}",
        flush=True,
    )


def main() -> None:
    options = parse()
    options.results.mkdir(parents=True, exist_ok=True)
    file = options.results.resolve() / "overhead.csv"
    table = known_rows(file, HEADER, POINT)
    for family in options.mpi:
        for where in options.where:
            for threads in options.threads:
                for row in run(options, family, where, threads):
                    table[key_of(row, POINT)] = row
                    show(row)
                write_csv(file, HEADER, table.values())
    dear = sum(map(costs_too_much, table.values()))
    print(
        f"{dear} of {len(table)} cost more than {MOST_RATIO} times plain MPI"
        f" and more than {MOST_NANOSECONDS} ns a call"
    )


if __name__ == "__main__":
    main()
