#!/usr/bin/env python3
"""Early compression: what a program gains whose send buffers are ready for a while, or change
little, over two hosts. Plain MPI, compression at the send, and early compression by each mechanism,
in alternation. Writes results/early.csv."""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from lab_job import BIN, ROOT, environment, parser_of, write_csv

HEADER = [
    "pattern",
    "method",
    "codec",
    "link_gbps",
    "total_ms",
    "send_ms",
    "own_ms",
    "compress_ms",
    "sent_bytes",
    "ready_chunks",
    "all_chunks",
]
PATTERNS = ("halo", "pack-compute-send", "partly", "unchanged")
METHODS = ("raw", "at-send", "auto", "wp-async", "wp-sync", "hash")
# What zstd's levels take is what "heavy enough to hurt" means.
CODECS = {
    "lz4": {"EXACT_CODEC": "lz4"},
    "exact": {"EXACT_CODEC": "exact"},
    "zstd-12": {"EXACT_CODEC": "zstd", "ZSTD_LEVEL": "12"},
}
ROUNDS = 24


def words(text: str) -> list[str]:
    return text.split(",")


def parse() -> argparse.Namespace:
    parser = parser_of("early", __doc__)
    add = parser.add_argument
    add("--mpi", choices=("mpich", "openmpi"), default="mpich")
    add("--links", type=words, default=["1", "10"], help="Gbit/s; 1,10")
    add("--patterns", type=words, default=PATTERNS, help="all")
    add("--methods", type=words, default=METHODS, help="all")
    add("--codecs", type=words, default=list(CODECS), help="all")
    add("--compute", default="25", help="milliseconds between two exchanges; 25")
    add("--repeats", type=int, default=3, help="runs of each job; 3")
    add("--within", help=argparse.SUPPRESS)  # the link of the lab that stands
    return parser.parse_args()


def settings(method: str, codec: str, link: str, report: str) -> dict[str, str]:
    chosen = {"LINK": f"{link}G", "REPORT": report}
    if method == "raw":
        return chosen | {"MODE": "raw"}
    chosen |= {"MODE": "exact", "POINT_TO_POINT": "on", "THRESHOLD_EXACT": "64K", **CODECS[codec]}
    if method == "at-send":
        return chosen
    if method == "auto":
        return chosen | {"EARLY": "auto"}
    return chosen | {"EARLY": "on", "EARLY_MECHANISM": method}


def run_job(options: argparse.Namespace, pattern: str, method: str, codec: str) -> dict:
    with tempfile.TemporaryDirectory() as folder:
        report = f"{folder}/report.json"
        chosen = settings(method, codec, options.within, report)
        variables = {f"TIGHTWIRE_{key}": value for key, value in chosen.items()}
        job = [str(BIN / "tightwire"), str(BIN / f"bench-early-{options.mpi}")]
        job += [pattern, str(ROUNDS), options.compute]
        lab = [str(ROOT / "run"), "lab", "exec", "--mpi", options.mpi, "--timeout", "60", "--"]
        done = subprocess.run(
            [*lab, *job], env=os.environ | variables, cwd=ROOT, stdout=subprocess.PIPE, text=True
        )
        if done.returncode != 0:
            sys.exit(f"bench early: {pattern}, {method}, {codec}: exit code {done.returncode}")
        line = next(line for line in done.stdout.splitlines() if line.startswith("row,"))
        total, send, own = map(float, line.split(",")[1:])
        figures = json.loads(Path(report).read_text())
    rows = [row for row in figures["collectives"] if row["collective"] == "Send"]
    calls = sum(row["calls"] for row in rows)
    coded = [row for row in rows if row["tier"] != "raw"]
    per_round = len(coded) and 1e3 * sum(row["seconds"] for row in coded) / 2 / (ROUNDS + 8)
    early = figures.get("early", {})
    return {
        "total_ms": total,
        "send_ms": send,
        "own_ms": own,
        "compress_ms": per_round,
        "sent_bytes": sum(row["bytes_after"] or row["message_bytes"] for row in rows)
        if calls
        else 0,
        "ready_chunks": early.get("ready", 0),
        "all_chunks": early.get("chunks", 0),
    }


def measure(options: argparse.Namespace) -> None:
    """One link: every job `repeats` times, in alternation; appends the medians as JSON lines."""
    jobs = [
        (pattern, method, codec)
        for pattern in options.patterns
        for codec in options.codecs
        for method in options.methods
        if method != "raw" or codec == options.codecs[0]
    ]
    runs: dict[tuple, list[dict]] = {job: [] for job in jobs}
    for _ in range(options.repeats):
        for job in jobs:
            runs[job].append(run_job(options, *job))
    with (options.results / "early.part").open("a") as file:
        for (pattern, method, codec), figures in runs.items():
            medians = {key: statistics.median(run[key] for run in figures) for key in figures[0]}
            row = {"pattern": pattern, "method": method, "codec": codec if method != "raw" else ""}
            file.write(json.dumps(row | {"link_gbps": options.within} | medians) + "\n")


def print_rows(rows: list[dict]) -> None:
    base = {
        (row["pattern"], row["codec"], row["link_gbps"]): row
        for row in rows
        if row["method"] == "at-send"
    }
    for row in rows:
        at_send = base.get((row["pattern"], row["codec"], row["link_gbps"]))
        versus = f"{at_send['total_ms'] / row['total_ms']:6.2f} x at-send" if at_send else ""
        print(
            f"{row['pattern']:18} {row['link_gbps']:>3} Gbit/s {row['codec']:8} {row['method']:9}"
            f"{row['total_ms']:9.2f} ms, in MPI {row['send_ms']:8.2f}, own {row['own_ms']:8.2f},"
            f" ready {row['ready_chunks']:5.0f} of {row['all_chunks']:5.0f} {versus}"
        )


def main() -> None:
    options = parse()
    options.results = options.results.resolve()
    options.results.mkdir(parents=True, exist_ok=True)
    if options.within:
        measure(options)
        return
    part = options.results / "early.part"
    part.unlink(missing_ok=True)
    for link in options.links:
        lab = [str(ROOT / "run"), "lab", "with", "--hosts", "2", "--rate", f"{link}gbit", "--"]
        inner = [sys.executable, __file__, *sys.argv[1:], "--within", link]
        done = subprocess.run([*lab, *inner], env=environment(), cwd=ROOT)
        if done.returncode != 0:
            sys.exit(done.returncode)
    rows = [json.loads(line) for line in part.read_text().splitlines()]
    print_rows(rows)
    rounded = [
        {key: round(value, 3) if isinstance(value, float) else value for key, value in row.items()}
        for row in rows
    ]
    write_csv(options.results / "early.csv", HEADER, rounded)
    part.unlink()


if __name__ == "__main__":
    main()
