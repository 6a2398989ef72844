#!/usr/bin/env python3
"""tightwire plot: draws the CSV files that Tightwire and its benchmarks write. What a file holds is
recognised by its columns."""

import argparse
import csv
import math
import os
import secrets
import stat
import sys
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

try:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter
except ImportError as error:
    sys.exit(
        f"tightwire plot: matplotlib is missing ({error}); install it with: pip install "
        "matplotlib, or in a source tree ./run build, which makes an environment that has it"
    )

Row = dict[str, str]

VALUE_BYTES = 4  # the benchmarks of collectives send float32

# Okabe and Ito's colours, which colour-blind readers can tell apart.
GREY, BLUE, ORANGE, GREEN, RED, PURPLE = (
    "#555555",
    "#0072B2",
    "#E69F00",
    "#009E73",
    "#D55E00",
    "#CC79A7",
)
MODE_COLOURS = {
    "plain MPI": "#000000",
    "raw": GREY,
    "exact": BLUE,
    "bounded": ORANGE,
    "adaptive": GREEN,
    "adaptive+pipelined": RED,
    "pipelined": RED,
}
CODEC_COLOURS = ("#D55E00", "#0072B2", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#555555")


class PlotError(Exception):
    """Something the user can put right."""


# Reading


def read(path: Path) -> tuple[list[str], list[Row]]:
    try:
        with path.open(newline="") as file:
            reader = csv.DictReader(file, strict=True)
            rows = list(reader)
            columns = list(reader.fieldnames or [])
    except OSError as error:
        raise PlotError(f"{path}: {error.strerror}") from error
    except (csv.Error, UnicodeDecodeError) as error:
        raise PlotError(f"{path} is not a CSV file: {error}") from error
    if not rows:
        raise PlotError(f"{path} holds no measurements")
    for number, row in enumerate(rows, start=2):
        if None in row or None in row.values():
            raise PlotError(f"{path}, line {number}: not {len(columns)} values as in the heading")
    return columns, rows


def number(row: Row, column: str) -> float:
    try:
        value = float(row[column])
    except ValueError:
        raise PlotError(f'column {column}: "{row[column]}" is not a number') from None
    if not math.isfinite(value):
        raise PlotError(f"column {column}: {row[column]} cannot be drawn")
    return value


def numbers(rows: list[Row], column: str) -> list[float]:
    return [number(row, column) for row in rows]


def grouped(rows: list[Row], *columns: str) -> dict[tuple[str, ...], list[Row]]:
    groups: dict[tuple[str, ...], list[Row]] = defaultdict(list)
    for row in rows:
        groups[tuple(row[column] for column in columns)].append(row)
    return groups


# Axes


def size_text(size: float) -> str:
    """65536 as 64 KiB."""
    for unit in ("B", "KiB", "MiB", "GiB"):
        if size < 1024 or unit == "GiB":
            return f"{size:g} {unit}"
        size /= 1024
    raise AssertionError


def plain_text(value: float, _: object = None) -> str:
    return f"{value:g}"


def clean(axes: Axes) -> None:
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(True, which="major", color="#e6e6e6", linewidth=0.8)
    axes.set_axisbelow(True)


def size_axis(axes: Axes, sizes: list[float]) -> None:
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_locator(LogLocator(base=2 ** (2 if max(sizes) / min(sizes) < 2e5 else 4)))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda size, _: size_text(size)))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.tick_params(axis="x", labelrotation=45)
    axes.set_xlabel("message")
    clean(axes)


def log_axis(axis, label: str) -> None:
    axis.axes.set_yscale("log") if axis.axis_name == "y" else axis.axes.set_xscale("log")
    axis.set_major_formatter(FuncFormatter(plain_text))
    axis.set_minor_formatter(NullFormatter())
    axis.set_label_text(label)


def label_ends(axes: Axes, ends: list[tuple[float, str, str]]) -> None:
    """Names curves at their right ends, pushed apart where they would overlap. The y axis must have
    its final limits; each end is (y, text, colour)."""
    gap = 0.062
    to_axes = axes.transData + axes.transAxes.inverted()
    heights = sorted((to_axes.transform((1, y))[1], text, colour) for y, text, colour in ends)
    placed: list[float] = []
    for height, _, _ in heights:
        placed.append(max(height, placed[-1] + gap) if placed else height)
    excess = max(0.0, placed[-1] - 1.0)
    for place, (_, text, colour) in zip(placed, heights, strict=True):
        axes.annotate(
            text,
            (1.015, place - excess),
            xycoords="axes fraction",
            color=colour,
            fontsize=8.5,
            va="center",
        )


# Drawings: each takes the rows of a file and makes a figure


def panels(rows: int, columns: int, width: float = 5.0, height: float = 3.7):
    return pyplot.subplots(
        rows,
        columns,
        figsize=(width * columns, height * rows),
        squeeze=False,
        layout="constrained",
    )


def mark_thresholds(axes: Axes, row: Row) -> None:
    at: dict[float, list[str]] = defaultdict(list)
    for name, tier in (("T1", "exact"), ("T2", "bounded"), ("T3", "pipelined")):
        if row[f"threshold_{tier}"] != "never":
            at[number(row, f"threshold_{tier}")].append(name)
    for size, names in at.items():
        axes.axvline(size, color="#999999", linestyle=(0, (4, 3)), linewidth=1)
        axes.annotate(
            " " + ", ".join(names),
            (size, 0.98),
            xycoords=("data", "axes fraction"),
            fontsize=8.5,
            color="#555555",
            va="top",
        )


def draw_calibration(rows: list[Row]) -> Figure:
    by_panel = grouped(rows, "collective", "data")
    collectives = list(dict.fromkeys(row["collective"] for row in rows))
    kinds = list(dict.fromkeys(row["data"] for row in rows))
    figure, grid = panels(len(collectives), len(kinds))
    for (collective, data), group in by_panel.items():
        axes = grid[collectives.index(collective)][kinds.index(data)]
        sizes = numbers(group, "bytes")
        ends = []
        for tier in ("raw", "exact", "bounded", "pipelined"):
            times = numbers(group, f"{tier}_ms")
            axes.plot(sizes, times, color=MODE_COLOURS[tier], marker=".", markersize=5)
            ends.append((times[-1], tier, MODE_COLOURS[tier]))
        size_axis(axes, sizes)
        log_axis(axes.yaxis, "time, ms")
        axes.set_title(f"{collective}, {data} data", loc="left")
        mark_thresholds(axes, group[0])
        label_ends(axes, ends)
    figure.suptitle("Calibration: T1 exact, T2 bounded, T3 pipelined from here on", fontsize=11)
    return figure


def message_bytes(rows: list[Row]) -> list[float]:
    return [VALUE_BYTES * count for count in numbers(rows, "count")]


def draw_collectives(rows: list[Row]) -> Figure:
    one_size = len({row["count"] for row in rows}) == 1
    return draw_modes(rows) if one_size else draw_sizes(rows)


def draw_modes(rows: list[Row]) -> Figure:
    by_collective = grouped(rows, "collective")
    figure, grid = panels(1, len(by_collective), width=4.6, height=3.4)
    for axes, ((collective,), group) in zip(grid[0], by_collective.items(), strict=True):
        modes = [row["mode"] for row in group]
        times = numbers(group, "ms")
        raw = numbers(group, "raw_ms")
        axes.barh(
            modes, times, color=[MODE_COLOURS.get(mode, PURPLE) for mode in modes], height=0.6
        )
        axes.axvline(raw[0], color="black", linestyle=(0, (4, 3)), linewidth=1, zorder=0.9)
        axes.annotate(
            "plain MPI ",
            (raw[0], 1.0),
            xycoords=("data", "axes fraction"),
            fontsize=8.5,
            ha="right",
            va="bottom",
        )
        longest = max(*times, *raw)
        for place, (time, row) in enumerate(zip(times, group, strict=True)):
            saved = 1 - number(row, "wire_bytes") / max(number(row, "raw_wire_bytes"), 1)
            less = f"{abs(saved):.0%} {'fewer' if saved > 0 else 'more'} bytes"
            if abs(saved) < 0.005:
                less = "as many bytes"
            text = f"{number(row, 'speedup'):.1f}x, {less}"
            inside = time > 0.55 * longest
            axes.annotate(
                text,
                (time, place),
                xytext=(-5 if inside else 5, 0),
                textcoords="offset points",
                fontsize=8.5,
                ha="right" if inside else "left",
                va="center",
                color="white" if inside else "black",
                bbox=None if inside else {"facecolor": "white", "edgecolor": "none", "pad": 1},
            )
        axes.invert_yaxis()
        axes.set_xlim(0, 1.08 * longest)
        axes.set_xlabel("time, ms")
        clean(axes)
        axes.set_title(f"{collective}\n", loc="left", fontsize=11)
    size = size_text(message_bytes(rows)[0])
    figure.suptitle(f"{size} of float32, by mode", fontsize=11)
    return figure


def draw_sizes(rows: list[Row]) -> Figure:
    by_collective = grouped(rows, "collective")
    figure, grid = panels(2, len(by_collective))
    for column, ((collective,), group) in enumerate(by_collective.items()):
        times, ratios = grid[0][column], grid[1][column]
        by_mode = grouped(group, "mode")
        first = next(iter(by_mode.values()))
        sizes = message_bytes(first)
        raw = numbers(first, "raw_ms")
        times.plot(sizes, raw, color="black", linestyle=(0, (4, 3)))
        time_ends = [(raw[-1], "plain MPI", "black")]
        ratio_ends = []
        for (mode,), group_of_mode in by_mode.items():
            colour = MODE_COLOURS.get(mode, PURPLE)
            ms = numbers(group_of_mode, "ms")
            speedups = numbers(group_of_mode, "speedup")
            times.plot(sizes, ms, color=colour, marker=".", markersize=5)
            ratios.plot(sizes, speedups, color=colour, marker=".", markersize=5)
            time_ends.append((ms[-1], mode, colour))
            ratio_ends.append((speedups[-1], mode, colour))
        ratios.axhline(1, color="black", linestyle=(0, (4, 3)), linewidth=1)
        for axes in (times, ratios):
            size_axis(axes, sizes)
        log_axis(times.yaxis, "time, ms")
        log_axis(ratios.yaxis, "times faster than plain MPI")
        ratios.yaxis.set_major_locator(LogLocator(base=10, subs=(1, 2, 5)))
        times.set_title(collective, loc="left")
        label_ends(times, time_ends)
        label_ends(ratios, ratio_ends)
    return figure


def draw_codecs(rows: list[Row]) -> Figure:
    by_field = grouped(rows, "field", "type")
    codecs = list(dict.fromkeys(row["codec"] for row in rows))
    columns = min(4, len(by_field))
    figure, grid = panels(math.ceil(len(by_field) / columns), columns, width=3.6, height=3.0)
    for axes in grid.flat[len(by_field) :]:
        axes.set_visible(False)
    for axes, ((name, kind), group) in zip(grid.flat, by_field.items(), strict=False):
        for place, codec in enumerate(codecs):
            points = [row for row in group if row["codec"] == codec]
            axes.plot(
                numbers(points, "compress_GBps"),
                numbers(points, "ratio"),
                color=CODEC_COLOURS[place % len(CODEC_COLOURS)],
                marker="osD^v"[place // len(CODEC_COLOURS) % 5],
                markersize=5,
                linewidth=0.8,
                label=codec,
            )
        log_axis(axes.xaxis, "compression, GB/s")
        log_axis(axes.yaxis, "ratio")
        clean(axes)
        axes.set_title(f"{name.replace('_', ' ')} ({kind})", loc="left", fontsize=10)
    handles, labels = grid.flat[0].get_legend_handles_labels()
    figure.legend(
        handles, labels, loc="outside upper center", ncols=min(6, len(codecs)), fontsize=9
    )
    return figure


def draw_histogram(rows: list[Row]) -> Figure:
    figure, grid = panels(1, 1, width=7)
    axes = grid[0][0]
    low, high = numbers(rows, "error_low"), numbers(rows, "error_high")
    counts = numbers(rows, "count")
    total = max(sum(counts), 1)
    widths = [b - a for a, b in zip(low, high, strict=True)]
    shares = [100 * count / total for count in counts]
    axes.bar(low, shares, width=widths, align="edge", color=BLUE)
    for edge, text, side in ((low[0], " -bound", "left"), (high[-1], "+bound ", "right")):
        axes.axvline(edge, color=RED, linestyle=(0, (4, 3)), linewidth=1)
        axes.annotate(
            text,
            (edge, 1.0),
            xycoords=("data", "axes fraction"),
            color=RED,
            fontsize=8.5,
            ha=side,
            va="bottom",
        )
    axes.set_xlabel("error: expanded value less original")
    axes.set_ylabel("values, %")
    clean(axes)
    axes.set_title(f"Errors of {total:,.0f} values\n", loc="left", fontsize=11)
    return figure


DRAWINGS = {
    (
        "collective,data,bytes,raw_ms,exact_ms,bounded_ms,pipelined_ms,"
        "threshold_exact,threshold_bounded,threshold_pipelined"
    ): draw_calibration,
    (
        "collective,mode,count,raw_ms,ms,speedup,wire_bytes,raw_wire_bytes,max_error,error_bound"
    ): draw_collectives,
    "field,type,codec,error_bound_rel,compress_GBps,ratio": draw_codecs,
    "error_low,error_high,count": draw_histogram,
}


def drawing_for(path: Path, columns: list[str]):
    for known, draw in DRAWINGS.items():
        if set(known.split(",")) <= set(columns):
            return draw
    raise PlotError(
        f"{path} has the columns {','.join(columns)}, of which no drawing is known; it should be "
        "a file of calibrate, of a benchmark, or an error histogram of compress"
    )


def mode_there(path: Path) -> int | None:
    """Of the file that is to be replaced. Only a regular one is, as with all that Tightwire writes:
    see src/os/whole_file.h."""
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return None
    if stat.S_ISLNK(mode):
        raise PlotError(f"cannot write {path}: it is a symbolic link, which is not followed")
    if not stat.S_ISREG(mode):
        raise PlotError(f"cannot write {path}: it is not a regular file")
    return stat.S_IMODE(mode) & 0o777


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A new file that takes the place of the old one, and its mode, when it is whole."""
    mode = mode_there(path)
    partial = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    new = os.O_WRONLY | os.O_CREAT | os.O_EXCL  # never one that was there, nor through a link
    descriptor = os.open(partial, new, 0o666 if mode is None else mode)
    try:
        with open(descriptor, "wb") as file:
            yield file
            if mode is not None:
                os.fchmod(descriptor, mode)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def save(figure: Figure, path: Path) -> None:
    kind = path.suffix.lstrip(".").lower() or "png"
    try:
        with replacing(path) as file:
            figure.savefig(file, dpi=140, format=kind)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise PlotError(f"cannot write {path}: {reason}") from error


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="tightwire plot", description=__doc__)
    parser.add_argument("file", type=Path, metavar="FILE.csv")
    parser.add_argument("-o", "--output", type=Path, help="picture to write; default: FILE.png")
    return parser.parse_args()


def main() -> None:
    options = parse()
    output = options.output or options.file.with_suffix(".png")
    try:
        columns, rows = read(options.file)
        figure = drawing_for(options.file, columns)(rows)
        save(figure, output)
    except PlotError as error:
        sys.exit(f"tightwire plot: {error}")
    print(output)


if __name__ == "__main__":
    main()
