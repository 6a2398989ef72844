#!/usr/bin/env python3
"""Checks the bounds of docs/user/accuracy.md by experiment: sums, averages, MAX and MIN of float32,
float64 and complex values on 2 to 16 ranks of this machine, with the bound on the result and on
each contribution. Writes results/accuracy.csv, results/accuracy_histogram.csv and a picture of the
errors against the normal curve. Fails if a bound, the square-root law or equality of ranks is
broken. Beside it sums by every algorithm and codec, results/accuracy_algorithms.csv, of numbers of
ranks that are powers of two; and the errors of single encodings by our codec, SZ3 and zfp,
results/accuracy_codecs.csv and a picture."""

import argparse
import csv
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from accuracy_plot import draw, draw_codecs
from lab_job import BIN, ROOT, environment, parser_of

RANKS = (2, 3, 4, 5, 7, 8, 11, 13, 16)
# Within two standard deviations lie 95.44 % of normal errors. Fewer than this would be more than
# chance among so many correlated values.
LEAST_SHARE = 0.9544 - 0.004
CODECS = ("bounded", "sz3", "zfp-accuracy")
CODEC_FIELDS = ("quiet_wavefield", "turbulence", "white_noise")
OPENMPI = ["--oversubscribe", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1"]
OPENMPI += ["--mca", "btl_vader_single_copy_mechanism", "none"]
AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}

Row = dict[str, str]


def rank_count(text: str) -> int:
    if not text.isdigit() or not 2 <= int(text) <= 64:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of ranks from 2 to 64")
    return int(text)


def parse() -> argparse.Namespace:
    parser = parser_of("accuracy", __doc__)
    add = parser.add_argument
    add("--mpi", choices=("mpich", "openmpi"), default="openmpi")
    add("--ranks", type=rank_count, nargs="+", default=RANKS, help="numbers of ranks")
    add("--bytes", type=int, default=1 << 20, help="of float32 values, a power of two")
    add("--relative-bound", type=float, default=1e-4, help="part of a field's range")
    return parser.parse_args()


def experiment(options: argparse.Namespace, ranks: int, folder: Path) -> tuple[Path, ...]:
    """Its files: rows, histograms, and where all algorithms can show what they are, those."""
    outputs = [folder / f"{ranks}.csv", folder / f"{ranks}_histogram.csv"]
    job = [f"mpirun.{options.mpi}", *(OPENMPI if options.mpi == "openmpi" else [])]
    job += ["-n", str(ranks), str(BIN / "tightwire"), "--same-host", "compress"]
    job += ["--mode", "bounded", "--error-bound", "1"]
    job += [str(BIN / f"bench-accuracy-{options.mpi}"), "--bytes", str(options.bytes)]
    job += ["--relative-bound", str(options.relative_bound)]
    job += ["--output", str(outputs[0]), "--histogram", str(outputs[1])]
    if ranks.bit_count() == 1:
        outputs.append(folder / f"{ranks}_algorithms.csv")
        job += ["--algorithms", str(outputs[2])]
    command = ["timeout", "--kill-after=5", "300", *job]
    done = subprocess.run(command, env=environment() | AS_ROOT, cwd=ROOT, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        sys.exit(f"bench: the job of {ranks} ranks failed with exit code {done.returncode}")
    return tuple(outputs)


def encode_once(options: argparse.Namespace, folder: Path, histogram: Path) -> None:
    """By each of the codecs, with no sum: how their errors are spread within the bound."""
    command = [BIN / "bench_codec", "--size", str(max(1, options.bytes >> 20)), "--rounds", "1"]
    command += ["--fields", ",".join(CODEC_FIELDS), "--codecs", ",".join(CODECS)]
    command += ["--bounds", str(options.relative_bound), "--output", folder / "codecs.csv"]
    if subprocess.run([*command, "--histogram", histogram], cwd=ROOT).returncode != 0:
        sys.exit("bench: the codecs alone failed")


def join(parts: list[Path], whole: Path) -> list[Row]:
    lines = [part.read_text().splitlines(keepends=True) for part in parts]
    text = "".join([lines[0][0], *(line for part in lines for line in part[1:])])
    partial = whole.with_name(f".{whole.name}.{os.getpid()}")
    partial.write_text(text)
    partial.replace(whole)
    with whole.open() as file:
        return list(csv.DictReader(file))


def broken(row: Row) -> str:
    """What of the promises a row breaks; empty if it keeps them."""
    if row["ranks_identical"] != "yes":
        return "ranks hold different bits"
    largest, promised = float(row["max_error_over_bound"]), float(row["promised"])
    if not largest <= promised:
        return f"largest error {largest} times the bound, promised {promised:g}"
    share = float(row["share_within_two_over_sqrt3"])
    if row["op"] == "sum" and not share >= LEAST_SHARE:
        return f"{share:.2%} of the errors within 2/sqrt(3) sqrt(N) E, promised 95.44 %"
    return ""


def depends_on_algorithm(row: Row) -> str:
    """What our codec promises of sums by several algorithms, and a row breaks."""
    if row["ranks_identical"] != "yes":
        return "ranks hold different bits"
    if row["codec"] == "bounded" and row["bits_of_ring"] != "yes":
        return "other bits than by the ring"
    return ""


def report_broken_algorithms(rows: list[Row]) -> bool:
    found = False
    for row in rows:
        if what := depends_on_algorithm(row):
            names = (row[c] for c in ("field", "codec", "algorithm"))
            print(f"BROKEN  {', '.join(names)}, {row['ranks']} ranks: {what}", file=sys.stderr)
            found = True
    return found


def report_broken(rows: list[Row]) -> bool:
    found = False
    for row in rows:
        if what := broken(row):
            names = (row[c] for c in ("field", "type", "op", "bound_applies_to"))
            print(f"BROKEN  {', '.join(names)}, {row['ranks']} ranks: {what}", file=sys.stderr)
            found = True
    return found


def print_summary(rows: list[Row]) -> None:
    def largest(op: str, applies_to: str) -> str:
        here = [r for r in rows if r["op"] == op and r["bound_applies_to"] == applies_to]
        return f"{max(float(r['max_error_over_bound']) / float(r['promised']) for r in here):.4f}"

    print("\nlargest error over what is promised, all fields, types and numbers of ranks")
    for op in ("sum", "average", "max", "min"):
        ours = (largest(op, "result"), largest(op, "contribution"))
        print(f"  {op:8} bound on the result {ours[0]}   on each contribution {ours[1]}")
    print("\nsums of float64, bound on each contribution: share of the errors within")
    print(f"  {'field':16} {'ranks':>5} {'2/3 sqrt(N) E':>14} {'2/sqrt(3) sqrt(N) E':>20}")
    for row in rows:
        kind = (row["op"], row["bound_applies_to"], row["type"])
        if kind == ("sum", "contribution", "float64"):
            shares = (row["share_within_two_thirds"], row["share_within_two_over_sqrt3"])
            percent = [f"{float(share):.2%}" for share in shares]
            print(f"  {row['field']:16} {row['ranks']:>5} {percent[0]:>14} {percent[1]:>20}")


def print_algorithms(rows: list[Row]) -> None:
    """PSNR of float32 sums."""
    algorithms = list(dict.fromkeys(row["algorithm"] for row in rows))
    print("\nPSNR of sums in dB, bound on each contribution")
    print(f"  {'field':16} {'codec':13} {'ranks':>5} {' '.join(f'{a:>19}' for a in algorithms)}")
    found = {(r["field"], r["codec"], r["ranks"], r["algorithm"]): r["psnr_db"] for r in rows}
    for field, codec, ranks in dict.fromkeys(key[:3] for key in found):
        values = " ".join(f"{found[field, codec, ranks, a]:>19}" for a in algorithms)
        print(f"  {field:16} {codec:13} {ranks:>5} {values}")


def main() -> None:
    options = parse()
    options.results.mkdir(parents=True, exist_ok=True)
    results = options.results.resolve()
    parts = []
    with TemporaryDirectory() as folder:
        for ranks in options.ranks:
            print(f"{ranks} ranks", flush=True)
            parts.append(experiment(options, ranks, Path(folder)))
        rows = join([part[0] for part in parts], results / "accuracy.csv")
        join([part[1] for part in parts], results / "accuracy_histogram.csv")
        by_algorithm = [part[2] for part in parts if len(part) > 2]
        sums = join(by_algorithm, results / "accuracy_algorithms.csv") if by_algorithm else []
        encode_once(options, Path(folder), results / "accuracy_codecs.csv")
    print_summary(rows)
    if sums:
        print_algorithms(sums)
    print(draw(results / "accuracy_histogram.csv", results / "accuracy.png"))
    print(draw_codecs(results / "accuracy_codecs.csv", results / "accuracy_codecs.png"))
    broken_rows = [report_broken(rows), report_broken_algorithms(sums)]
    sys.exit(1 if any(broken_rows) else 0)


if __name__ == "__main__":
    main()
