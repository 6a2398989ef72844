#!/usr/bin/env python3
"""Messages that remember earlier ones: programs over hosts of the lab, plain, and under tightwire
without and with history, in turns; exactly, where what they compute must be the same in every byte,
and within bounds. Writes results/memory.csv, where rows of other programs, links and bounds stay,
and results/memory.png."""

import argparse
import csv
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from keyed_rows import key_of, known_rows
from lab_job import ROOT, parser_of, write_csv
from lab_programs import Cp2k, Hpcc, Lammps, Ours, Run, perform
from lab_silicon import QuantumEspresso

HEADER = [
    *("program", "method", "link_gbps", "hosts", "seconds", "wire_bytes", "seconds_ratio"),
    *("bytes_ratio", "predicted_messages", "predicted_ratio", "kept_mib", "same_output"),
]
KEY = ["program", "method", "link_gbps", "hosts"]
EXACT = {"plain": None, "without history": ["--history", "off"], "with history": []}
COLOURS = {"without history": "#86b6d8", "with history": "#1f6fa8"}


def methods_of(bounds: list[str]) -> dict[str, list[str] | None]:
    """Settings by name; none: plain MPI."""
    methods = dict(EXACT)
    for bound in bounds:
        within = ["--error-bound", bound]
        methods[f"{bound} without history"] = [*within, "--history", "off"]
        methods[f"{bound} with history"] = within
    return methods


def programs_of(quick: bool) -> list:
    few = 40 if quick else 120
    return [
        Lammps("salt", 12 if quick else 20, few),
        Lammps("melt", 20 if quick else 32, few),
        Lammps("water", 16 if quick else 24, few),
        Ours("heat", 256 if quick else 512, few),
        Ours("wave", 256 if quick else 512, few),
        Ours("turbulence", 4096 if quick else 8192, few),
        Ours("crystal", 64 if quick else 128, few),
        Ours("spectral", 512 if quick else 1024, few),
        Ours("noise", 256 if quick else 512, few),
        Cp2k(),
        QuantumEspresso(1 if quick else 2, 3),
        Hpcc(1000, 1, 2),
    ]


def row_of(program, method: str, runs: dict[str, list[Run]], link: str, hosts: int) -> dict:
    def middle(name: str, field: str) -> float:
        return statistics.median(getattr(run, field) for run in runs[name])

    history = runs[method][0].history
    before, after = history.get("bytes_before", 0), history.get("bytes_after", 0)
    seconds, sent = middle(method, "seconds"), middle(method, "wire_bytes")
    return {
        "program": program.name,
        "method": method,
        "link_gbps": link,
        "hosts": hosts,
        "seconds": f"{seconds:.4g}",
        "wire_bytes": int(sent),
        "seconds_ratio": f"{seconds / middle('plain', 'seconds'):.3f}",
        "bytes_ratio": f"{sent / middle('plain', 'wire_bytes'):.3f}",
        "predicted_messages": history.get("messages", 0),
        "predicted_ratio": f"{before / after:.3f}" if after else "",
        "kept_mib": f"{history.get('most_kept_bytes', 0) / 2**20:.1f}",
    }


def measure(program, link: str, options: argparse.Namespace) -> list[dict]:
    print(f"{program.name}, {link} Gbit/s", flush=True)
    methods = methods_of(options.bounds)
    runs = {method: [] for method in methods}
    for _ in range(options.rounds):
        for method, settings in methods.items():
            runs[method].append(perform(program, method, options.hosts, settings))
    plain = {run.output for run in runs["plain"]}
    same = {method: {run.output for run in runs[method]} == plain for method in methods}
    if len(plain) != 1 or not all(same[method] for method in EXACT):
        sys.exit(f"bench: {program.name} computes something else under tightwire")
    return [
        row_of(program, method, runs, link, options.hosts) | {"same_output": same[method]}
        for method in methods
    ]


def picture(rows: list[dict], file: Path) -> None:
    """Of the slowest link that was measured."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    link = min((row["link_gbps"] for row in rows), key=float)
    rows = [row for row in rows if row["link_gbps"] == link]
    names = list(dict.fromkeys(row["program"] for row in rows))
    found = {(row["program"], row["method"]): row for row in rows}
    kinds = {"": "exactly", "rel:1e-6 ": "within 1e-6 of the range"}
    fields = {"bytes_ratio": "Bytes", "seconds_ratio": "Time of the loop"}
    shape = {"figsize": (11, 1.4 + 0.75 * len(names)), "layout": "constrained"}
    figure, grid = pyplot.subplots(len(kinds), len(fields), sharey=True, sharex="col", **shape)
    for axes, (kind, said) in zip(grid, kinds.items(), strict=True):
        for axis, (field, title) in zip(axes, fields.items(), strict=True):
            for place, (method, colour) in enumerate(COLOURS.items()):
                picked = [found.get((name, kind + method)) for name in names]
                values = [float(row[field]) if row else 0 for row in picked]
                at = [i + 0.38 * (place - 0.5) for i in range(len(names))]
                bars = axis.barh(at, values, 0.36, label=method, color=colour)
                labels = [f"{value:.2f}" if value else "" for value in values]
                axis.bar_label(bars, labels, fontsize=8, padding=2)
            axis.axvline(1, color="0.4", linewidth=0.8)
            axis.set_yticks(range(len(names)), names)
            axis.set_title(f"{title}, {said}", fontsize=10)
            axis.spines[["top", "right"]].set_visible(False)
    grid[0][0].invert_yaxis()
    figure.suptitle(f"Two hosts, {link} Gbit/s; plain MPI = 1", fontsize=11)
    figure.legend(*grid[0][0].get_legend_handles_labels(), loc="outside lower center", ncols=2)
    figure.savefig(file, dpi=130)


def within_the_lab(options: argparse.Namespace, link: str) -> list[dict]:
    rows = []
    for program in programs_of(options.quick):
        if options.only not in (None, program.name):
            continue
        if shutil.which(program.binary) is None:
            print(f"{program.name} LEFT OUT: apt-get install {program.package}", flush=True)
            continue
        rows += measure(program, link, options)
    return rows


def parse() -> argparse.Namespace:
    parser = parser_of("memory", __doc__)
    add = parser.add_argument
    add("--quick", action="store_true", help="small problems")
    add("--rounds", type=int, default=3, help="times that each is run; 3")
    add("--link", default="1,10", help="Gbit/s, with commas between several; 1,10")
    add(
        "--bounds",
        type=lambda text: [bound for bound in text.split(",") if bound],
        default=["rel:1e-6", "rel:1e-4"],
        help="error bounds with commas between them, or nothing; rel:1e-6,rel:1e-4",
    )
    add("--hosts", type=int, choices=(2, 4), default=2)
    add(
        "--only",
        metavar="PROGRAM",
        choices=[program.name for program in programs_of(False)],
        help="one of " + ", ".join(program.name for program in programs_of(False)),
    )
    add("--within", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


def rows_at(link: str, options: argparse.Namespace) -> list[dict]:
    """In a lab of its own, by another process of this program."""
    with tempfile.TemporaryDirectory() as folder:
        lab = [str(ROOT / "run"), "lab", "with", "--hosts", str(options.hosts)]
        again = [sys.executable, *sys.argv, "--within", "--link", link, "--results", folder]
        done = subprocess.run([*lab, "--rate", f"{link}gbit", "--", *again], env=os.environ)
        if done.returncode != 0:
            sys.exit(done.returncode)
        with (Path(folder) / "memory.csv").open(newline="") as file:
            return list(csv.DictReader(file))


def main() -> None:
    options = parse()
    options.results.mkdir(parents=True, exist_ok=True)
    results = options.results.resolve()
    if options.within:
        write_csv(results / "memory.csv", HEADER, within_the_lab(options, options.link))
        return
    rows = known_rows(results / "memory.csv", HEADER, KEY)
    for link in options.link.split(","):
        rows |= {key_of(row, KEY): row for row in rows_at(link, options)}
    order = {program.name: place for place, program in enumerate(programs_of(options.quick))}
    ordered = sorted(rows.values(), key=lambda row: (order[row["program"]], row["link_gbps"]))
    write_csv(results / "memory.csv", HEADER, ordered)
    picture(ordered, results / "memory.png")


if __name__ == "__main__":
    main()
