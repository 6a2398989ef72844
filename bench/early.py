#!/usr/bin/env python3
"""Early compression: what a program gains whose send buffers are ready for a while, or change
little. Two hosts, a rank with a spare core on each. Plain MPI, compression at the send, and early
compression by each mechanism, in alternation. Writes results/early.csv, of which rows that are
measured anew are replaced, results/early_codecs.csv, and draws both."""

import argparse
import csv
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from lab_job import BIN, ROOT, environment, parser_of, words, write_csv

HEADER = [
    "pattern",
    "method",
    "codec",
    "link_gbps",
    "total_ms",
    "send_ms",
    "compress_ms",
    "expand_ms",
    "sent_bytes",
    "ready_chunks",
    "all_chunks",
]
KEY = HEADER[:4]
RANKS = 2
PATTERNS = ("halo", "pack-compute-send", "partly", "unchanged")
METHODS = ("raw", "at-send", "auto", "wp-async", "wp-sync", "hash")
CODECS = {
    "lz4": {"EXACT_CODEC": "lz4"},
    "lz4-hc": {"EXACT_CODEC": "lz4-hc"},
    "exact": {"EXACT_CODEC": "exact"},
    "exact+entropy": {"EXACT_CODEC": "exact+entropy"},
    # What its levels take is what "heavy enough to hurt" means.
    "zstd-12": {"EXACT_CODEC": "zstd", "ZSTD_LEVEL": "12"},
}
USUAL_CODECS = ["lz4", "lz4-hc", "exact", "exact+entropy"]
WARM_UP = 8  # rounds that bench-early does not count


def parse() -> argparse.Namespace:
    parser = parser_of("early", __doc__)
    add = parser.add_argument
    add("--mpi", choices=("mpich", "openmpi"), default="mpich")
    add("--links", type=words, default=["1", "10"], help="Gbit/s; 1,10")
    add("--patterns", type=words, default=PATTERNS, help=",".join(PATTERNS))
    add("--methods", type=words, default=METHODS, help=",".join(METHODS))
    add("--codecs", type=words, default=USUAL_CODECS, help=f"of {','.join(CODECS)}; the first four")
    add("--compute", default="60", help="milliseconds between two exchanges; 60")
    add("--rounds", type=int, default=24, help="exchanges of a run; 24")
    add("--cores", default="2", help="cores of a rank's own, 0: no matter; 2")
    add("--repeats", type=int, default=3, help="runs of each job; 3")
    add("--within", help=argparse.SUPPRESS)  # the link of the lab that stands
    options = parser.parse_args()
    for name, known in (("patterns", PATTERNS), ("methods", METHODS), ("codecs", CODECS)):
        for word in getattr(options, name):
            if word not in known:
                parser.error(f"--{name}: there is no '{word}'; take some of {','.join(known)}")
    return options


def settings(method: str, codec: str, link: str, report: str) -> dict[str, str]:
    chosen = {"LINK": f"{link}G", "REPORT": report}
    if method == "raw":
        return chosen | {"MODE": "raw"}
    chosen |= {"POINT_TO_POINT": "on", **CODECS[codec]}
    if method == "at-send":
        return chosen
    if method == "auto":
        return chosen | {"EARLY": "auto"}
    return chosen | {"EARLY": "on", "EARLY_MECHANISM": method}


def figures_of(report: dict, rounds: int) -> dict[str, float]:
    """What a rank did in a round, on average; chunks are of the whole run."""
    sends = [row for row in report["collectives"] if row["collective"] == "Send"]
    sent = sum(row["bytes_after"] or row["message_bytes"] for row in sends)
    times = report.get("point_to_point", {})
    early = report.get("early", {})
    a_round = RANKS * (rounds + WARM_UP)
    return {
        "compress_ms": 1e3 * times.get("coding_seconds", 0) / a_round,
        "expand_ms": 1e3 * times.get("expanding_seconds", 0) / a_round,
        "sent_bytes": sent / a_round,
        "ready_chunks": early.get("ready", 0),
        "all_chunks": early.get("chunks", 0),
    }


def run_job(options: argparse.Namespace, pattern: str, method: str, codec: str) -> dict:
    with tempfile.TemporaryDirectory() as folder:
        report = f"{folder}/report.json"
        chosen = settings(method, codec, options.within, report)
        variables = {f"TIGHTWIRE_{key}": value for key, value in chosen.items()}
        job = [str(BIN / "tightwire"), str(BIN / f"bench-early-{options.mpi}")]
        job += [pattern, str(options.rounds), options.compute, options.cores]
        lab = [str(ROOT / "run"), "lab", "exec", "--mpi", options.mpi, "--timeout", "60", "--"]
        done = subprocess.run(
            [*lab, *job], env=os.environ | variables, cwd=ROOT, stdout=subprocess.PIPE, text=True
        )
        if done.returncode != 0:
            sys.exit(f"bench early: {pattern}, {method}, {codec}: exit code {done.returncode}")
        line = next(line for line in done.stdout.splitlines() if line.startswith("row,"))
        total, in_mpi, own = map(float, line.split(",")[1:])
        figures = figures_of(json.loads(Path(report).read_text()), options.rounds)
    send = in_mpi - figures["compress_ms"] - figures["expand_ms"]
    return {"total_ms": total, "own_ms": own, "send_ms": max(send, 0)} | figures


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
        versus = ""
        if at_send:
            gain = at_send["total_ms"] / row["total_ms"]
            versus = f"{gain:6.2f} x at-send, own {row['own_ms'] / at_send['own_ms']:.3f} of its"
        print(
            f"{row['pattern']:18}{row['link_gbps']:>3}G {row['codec']:11}{row['method']:9}"
            f"{row['total_ms']:8.2f} ms = own {row['own_ms']:7.2f} + send {row['send_ms']:7.2f}"
            f" + compress {row['compress_ms']:6.2f} + expand {row['expand_ms']:5.2f},"
            f" ready {row['ready_chunks']:5.0f} of {row['all_chunks']:5.0f} {versus}"
        )


def write_rows(file: Path, rows: list[dict]) -> None:
    """Replaces the rows that were measured anew."""

    def key(row: dict) -> tuple:
        return tuple(row[name] for name in KEY)

    kept: list[dict] = []
    if file.exists():
        with file.open() as lines:
            reader = csv.DictReader(lines)
            kept = list(reader) if reader.fieldnames == HEADER else []
    every = {key(row): row for row in kept} | {key(row): row for row in rows}
    rounded = [
        {
            name: round(row[name], 3) if isinstance(row[name], float) else row[name]
            for name in HEADER
        }
        for row in every.values()
    ]
    write_csv(file, HEADER, rounded)


def measure_codecs(file: Path) -> None:
    done = subprocess.run([BIN / "bench-early-codecs"], stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(done.returncode)
    file.write_text(done.stdout)


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
        lab = [str(ROOT / "run"), "lab", "with", "--hosts", str(RANKS), "--rate", f"{link}gbit"]
        inner = [sys.executable, __file__, *sys.argv[1:], "--within", link]
        done = subprocess.run([*lab, "--", *inner], env=environment(), cwd=ROOT)
        if done.returncode != 0:
            sys.exit(done.returncode)
    rows = [json.loads(line) for line in part.read_text().splitlines()]
    part.unlink()
    print_rows(rows)
    write_rows(options.results / "early.csv", rows)
    measure_codecs(options.results / "early_codecs.csv")
    plot = Path(__file__).with_name("early_plot.py")
    subprocess.run([sys.executable, plot, options.results], check=False)


if __name__ == "__main__":
    main()
