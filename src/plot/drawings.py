"""Drawings: each takes the rows of a file and makes a figure. The columns of a file choose one."""

import math
from collections import defaultdict
from pathlib import Path

from axes import (
    BLUE,
    CODEC_COLOURS,
    MODE_COLOURS,
    PURPLE,
    RED,
    clean,
    label_ends,
    log_axis,
    panels,
    size_axis,
    size_text,
)
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator
from measurements import PlotError, Row, grouped, number, numbers

VALUE_BYTES = 4  # the benchmarks of collectives send float32


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
