#!/usr/bin/env python3
"""How much of a collective hides behind as much computing: Iallreduce (of maxima), Ialltoall and
Ineighbor_alltoall, plain (and plain with MPICH's own progress thread), by default, always
compressed exactly and within a bound, over hosts of the lab. Writes results/overlap.csv, where
it replaces the rows of what it measured, and a picture of it."""

import argparse
import csv
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import matplotlib
from keyed_rows import key_of, known_rows
from lab_job import measure, parser_of, write_csv

matplotlib.use("Agg")
import matplotlib.pyplot as plt

KEY = (
    *("mpi", "link_gbps", "hosts", "values", "communicators", "method"),
    *("operation", "bytes", "polls"),
)
COLUMNS = (
    *KEY,
    *("blocking_s", "waited_s", "compute_s", "overlapped_s", "hidden"),
)
POINT = ("links", "bytes", "values", "communicators", "polls")
METHODS = {
    "plain": ["--mode", "raw"],
    "adaptive": [],
    "exact": ["--mode", "exact"],
    "bounded": ["--error-bound", "1e-3", "--bound-applies-to", "contribution"],
}
PROGRESS_THREAD = {"MPIR_CVAR_ASYNC_PROGRESS": "1"}
COLOURS = {
    "plain": "grey",
    "plain+thread": "black",
    "adaptive": "tab:green",
    "exact": "tab:blue",
    "bounded": "tab:red",
}


def numbers(text: str) -> str:
    """As the program takes them, to which 4M would be 4."""
    if not all(word.isdecimal() for word in text.split(",")):
        raise argparse.ArgumentTypeError(f"{text!r} is no list of whole numbers such as 0,100")
    return text


def parse() -> argparse.Namespace:
    parser = parser_of("overlap", __doc__)
    parser.add_argument("--mpi", default="mpich", choices=["mpich", "openmpi"])
    parser.add_argument("--hosts", type=int, default=2)
    parser.add_argument("--links", default="1,10", help="Gbit/s, one or more")
    sizes = "4194304,33554432"
    parser.add_argument("--bytes", type=numbers, default=sizes, help="of a rank, one or more")
    names = ",".join(COLOURS)
    parser.add_argument("--methods", default=names, help=f"some of {names}; plain always is")
    parser.add_argument("--values", default="waves,noise", help="waves, noise or both")
    parser.add_argument(
        "--communicators",
        default="apart,shared",
        help="whether calls that wait share those of the others: apart, shared or both",
    )
    parser.add_argument("--repeats", type=int, default=5)
    polls = "calls of MPI_Test while it computes"
    parser.add_argument("--polls", type=numbers, default="0,100", help=polls)
    return parser.parse_args()


def hidden(waited: float, compute: float, overlapped: float) -> float:
    """The share of the shorter of both that costs no time."""
    return (compute + waited - overlapped) / max(min(compute, waited), 1e-9)


def rows_of(printed: str) -> Iterator[dict[str, str]]:
    for line in printed.splitlines():
        if not line.startswith("row,"):
            continue
        row = dict(zip(COLUMNS[6:13], line.split(",")[1:], strict=True))
        times = [float(row[name]) for name in ("waited_s", "compute_s", "overlapped_s")]
        yield row | {"hidden": f"{hidden(*times):.3f}"}


def measured(options: argparse.Namespace) -> Iterator[dict[str, str]]:
    methods = [(name, launcher, {}) for name, launcher in METHODS.items()]
    if options.mpi == "mpich":
        methods.append(("plain+thread", METHODS["plain"], PROGRESS_THREAD))
    asked = {"plain", *options.methods.split(",")}
    methods = [method for method in methods if method[0] in asked]
    points = product(*(getattr(options, name).split(",") for name in POINT))
    for link, size, values, communicators, polls in points:
        computing = []  # as long as the plain ones take
        for name, launcher, settings in methods:
            printed = measure(
                options.mpi,
                options.hosts,
                f"{link}gbit",
                [size, str(options.repeats), polls, values, communicators, *computing],
                settings=settings,
                program="bench-overlap",
                capture=True,
                launcher=launcher,
            )
            rows = list(rows_of(printed))
            computing = computing or [row["waited_s"] for row in rows]
            place = dict(mpi=options.mpi, link_gbps=link, hosts=str(options.hosts), values=values)
            for row in rows:
                yield place | {"communicators": communicators, "method": name} | row


def merged(file: Path, rows: list[dict[str, str]]) -> list[dict[str, str]]:
    """With those of the file that were not measured anew."""

    kept = known_rows(file, COLUMNS, KEY)
    return list((kept | {key_of(row, KEY): row for row in rows}).values())


def draw(file: Path, rows: list[dict[str, str]]) -> None:
    panels = sorted({(float(row["link_gbps"]), int(row["bytes"])) for row in rows})
    figure, grid = plt.subplots(1, len(panels), squeeze=False, figsize=(4.5 * len(panels), 4))
    for axes, (link, size) in zip(grid[0], panels, strict=True):
        chosen = [r for r in rows if (float(r["link_gbps"]), int(r["bytes"])) == (link, size)]
        points = sorted({(row["operation"], int(row["polls"])) for row in chosen})
        methods = [name for name in COLOURS if any(row["method"] == name for row in chosen)]
        for i, name in enumerate(methods):
            found = {(r["operation"], int(r["polls"])): r for r in chosen if r["method"] == name}
            places = [at + i / (len(methods) + 1) for at in range(len(points))]
            rows_of_points = [found.get(point, {}) for point in points]
            heights = [1e3 * float(row.get("overlapped_s", "nan")) for row in rows_of_points]
            axes.bar(places, heights, 1 / (len(methods) + 1), color=COLOURS[name], label=name)
        names = [(operation.replace("_", "\n"), polls) for operation, polls in points]
        labels = [f"{operation}\n{polls} polls" for operation, polls in names]
        axes.set_xticks([at + 0.35 for at in range(len(points))], labels, fontsize=6)
        axes.set_title(f"{size >> 20} MiB, {link:g} Gbit/s", fontsize=9)
    grid[0][0].set_ylabel("ms: started, computed, waited for")
    grid[0][0].legend(fontsize=7)
    figure.tight_layout()
    figure.savefig(file, dpi=110)
    plt.close(figure)


def main() -> None:
    options = parse()
    options.results.mkdir(parents=True, exist_ok=True)
    rows = []
    writer = csv.DictWriter(sys.stdout, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for row in measured(options):
        rows.append(row)
        writer.writerow(row)
    file = options.results / "overlap.csv"
    rows = merged(file, rows)
    write_csv(file, COLUMNS, rows)
    wanted = {"mpi": options.mpi, "values": "waves", "communicators": "shared"}
    shown = [row for row in rows if wanted.items() <= row.items()]
    if shown:
        suffix = "" if options.mpi == "mpich" else f"-{options.mpi}"
        draw(options.results / f"overlap{suffix}.png", shown)


if __name__ == "__main__":
    main()
