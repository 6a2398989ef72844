#!/usr/bin/env python3
"""Draws results/p2p.csv: how many times faster than plain MPI, over the size of a message."""

import csv
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

BENCHES = ("latency", "bandwidth", "bibandwidth", "halo7-packed", "halo7-derived")
COLOURS = {
    "exact": "tab:blue",
    "exact+pipelined": "tab:cyan",
    "bounded": "tab:red",
    "bounded+pipelined": "tab:orange",
    "bounded+helper": "tab:green",
}
STYLES = {"smooth": "-", "noise": ":"}


def gain(row: dict[str, str]) -> float:
    ratio = float(row["ratio_to_raw"])
    return 1 / ratio if row["unit"] == "us" else ratio


def draw(axes, rows: list[dict[str, str]], title: str) -> None:
    for method, colour in COLOURS.items():
        for field, style in STYLES.items():
            points = sorted(
                (int(row["bytes"]), gain(row))
                for row in rows
                if (row["method"], row["field"]) == (method, field)
            )
            if points:
                label = f"{field}, {method}"
                axes.plot(*zip(*points, strict=True), style, color=colour, marker=".", label=label)
    axes.axhline(1, color="grey", linewidth=0.8)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log", base=2)
    axes.set_title(title, fontsize=9)


def main() -> None:
    file = Path(sys.argv[1])
    with file.open() as lines:
        rows = list(csv.DictReader(lines))
    links = sorted({row["link_gbps"] for row in rows}, key=float)
    benches = [bench for bench in BENCHES if any(row["bench"] == bench for row in rows)]
    size = (4 * len(benches), 3.2 * len(links) + 0.8)
    figure, grid = plt.subplots(len(links), len(benches), squeeze=False, figsize=size)
    for axes_of_link, link in zip(grid, links, strict=True):
        for axes, bench in zip(axes_of_link, benches, strict=True):
            chosen = [r for r in rows if (r["link_gbps"], r["bench"]) == (link, bench)]
            draw(axes, chosen, f"{bench}, {link} Gbit/s")
            axes.set_xlabel("bytes of a message")
        axes_of_link[0].set_ylabel("times faster than plain MPI")
    drawn = [axes.get_legend_handles_labels() for axes in grid.flat]
    legend = {
        label: line for lines, labels in drawn for line, label in zip(lines, labels, strict=True)
    }
    figure.legend(legend.values(), legend.keys(), loc="lower center", ncols=6, fontsize=8)
    figure.tight_layout(rect=(0, 0.12, 1, 1))
    figure.savefig(file.with_suffix(".png"), dpi=110)
    print(f"wrote {file.with_suffix('.png')}")


if __name__ == "__main__":
    main()
