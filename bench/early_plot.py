#!/usr/bin/env python3
"""Draws early.csv, what a round goes into by pattern, link, codec and method, and early_codecs.csv,
ratio and speed over the percentage of equal values. Argument: the folder where they are."""

import csv
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

PARTS = (
    ("own_ms", "the program's own", "lightgrey"),
    ("send_ms", "send and wait", "tab:blue"),
    ("compress_ms", "compress", "tab:red"),
    ("expand_ms", "expand", "tab:green"),
)


def read(file: Path) -> list[dict[str, str]]:
    with file.open() as lines:
        return list(csv.DictReader(lines))


def part_of(row: dict[str, str], part: str) -> float:
    if part != "own_ms":
        return float(row[part])
    return float(row["total_ms"]) - sum(float(row[name]) for name, _, _ in PARTS[1:])


def draw_pattern(axes, rows: list[dict[str, str]]) -> None:
    rows = sorted(rows, key=lambda row: row["codec"])
    places = []
    at = 0.0
    for before, row in zip([None, *rows], rows, strict=False):
        at += 1 if before is None or before["codec"] == row["codec"] else 1.7
        places.append(at)
    bottoms = [0.0] * len(rows)
    for part, label, colour in PARTS:
        heights = [part_of(row, part) for row in rows]
        axes.bar(places, heights, bottom=bottoms, color=colour, label=label)
        bottoms = [low + high for low, high in zip(bottoms, heights, strict=True)]
    names = [f"{row['codec']} {row['method']}".strip() for row in rows]
    axes.set_xticks(places, names, rotation=90, fontsize=7)


def draw_rounds(file: Path) -> None:
    rows = read(file)
    links = sorted({row["link_gbps"] for row in rows}, key=float)
    patterns = list(dict.fromkeys(row["pattern"] for row in rows))
    size = (5 * len(patterns), 4 * len(links))
    figure, grid = plt.subplots(
        len(links), len(patterns), squeeze=False, figsize=size, sharey=True, layout="constrained"
    )
    for axes_of_link, link in zip(grid, links, strict=True):
        for axes, pattern in zip(axes_of_link, patterns, strict=True):
            chosen = [r for r in rows if (r["link_gbps"], r["pattern"]) == (link, pattern)]
            draw_pattern(axes, chosen)
            axes.set_title(f"{pattern}, {link} Gbit/s", fontsize=9)
        axes_of_link[0].set_ylabel("milliseconds of a round")
    handles, labels = grid[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=len(PARTS), fontsize=9)
    save(figure, file)


def draw_codecs(file: Path) -> None:
    rows = read(file)
    figure, (ratios, speeds) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    for colour, codec in enumerate(dict.fromkeys(row["codec"] for row in rows)):
        own = [row for row in rows if row["codec"] == codec]
        percent = [int(row["equal_percent"]) for row in own]
        ratios.plot(percent, [float(r["ratio"]) for r in own], color=f"C{colour}", label=codec)
        for name, style in (("compress_mbs", "-"), ("expand_mbs", ":")):
            speed = [float(row[name]) for row in own]
            label = f"{codec}, {name.removesuffix('_mbs')}"
            speeds.plot(percent, speed, style, color=f"C{colour}", label=label)
    for axes, title in ((ratios, "ratio"), (speeds, "MB of values a second")):
        axes.set_yscale("log")
        axes.set_xlabel("percent of equal values")
        axes.set_ylabel(title)
    ratios.legend(fontsize=7)
    speeds.legend(fontsize=7, loc="upper left", bbox_to_anchor=(1, 1))
    save(figure, file)


def save(figure, file: Path) -> None:
    figure.savefig(file.with_suffix(".png"), dpi=110)
    print(f"wrote {file.with_suffix('.png')}")


def main() -> None:
    folder = Path(sys.argv[1])
    draw_rounds(folder / "early.csv")
    draw_codecs(folder / "early_codecs.csv")


if __name__ == "__main__":
    main()
