"""Pictures of the comparison: speed-up over size for every method, and where the time goes."""

import sys
from pathlib import Path

from comparison_files import Row, Table, Tables
from comparison_table import common_size, distinct, setups

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src" / "plot"))

from axes import clean, log_axis, panels, size_axis, size_text
from matplotlib import pyplot
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator
from measurements import number, numbers
from picture import save

STYLES = {
    "raw": ("#000000", "--", ""),
    "raw-best": ("#555555", "-", "s"),
    "cprp2p-zfp-rate": ("#56B4E9", "-", "v"),
    "cprp2p-zfp-accuracy": ("#0072B2", "-", "^"),
    "cprp2p": ("#CC79A7", "-", "D"),
    "ccoll-szx": ("#8C564B", "-", "o"),
    "ccoll-szp": ("#F0E442", "-", "o"),
    "ccoll": ("#E69F00", "-", "o"),
    "tightwire-result": ("#009E73", "-", "P"),
    "tightwire": ("#D55E00", "-", "*"),
}
NAMES = {
    "raw": "plain MPI",
    "raw-best": "plain MPI, best algorithm",
    "cprp2p-zfp-rate": "CPRP2P, zfp fixed rate",
    "cprp2p-zfp-accuracy": "CPRP2P, zfp fixed accuracy",
    "cprp2p": "CPRP2P, our codec",
    "ccoll-szx": "C-Coll-like, SZx's layout",
    "ccoll-szp": "C-Coll-like, SZp's layout",
    "ccoll": "C-Coll-like, our codec",
    "tightwire-result": "Tightwire, bound on the result",
    "tightwire": "Tightwire",
}
PARTS = {
    "communicate": "#0072B2",
    "wait": "#9AD0EF",
    "compress": "#D55E00",
    "merge": "#E69F00",
    "decompress": "#009E73",
    "other": "#BBBBBB",
}
TITLES = {"quiet_wavefield": "quiet wavefield", "white_noise": "white noise"}


def setup_text(link: str, hosts: str) -> str:
    return f"{hosts} hosts at {link} Gbit/s"


def draw_speedups(rows: list[Row], title: str) -> Figure:
    ops, fields = distinct(rows, "op"), distinct(rows, "field")
    figure, grid = panels(len(ops), len(fields), width=3.9, height=2.9)
    for op, line in zip(ops, grid, strict=True):
        for field, axes in zip(fields, line, strict=True):
            here = [row for row in rows if row["op"] == op and row["field"] == field]
            axes.set_title(f"{op}, {TITLES.get(field, field)}", loc="left", fontsize=10)
            if not here:
                axes.set_visible(False)
                continue
            draw_speedup_panel(axes, here)
    methods = [method for method in STYLES if method in distinct(rows, "method")]
    lines = [
        Line2D([], [], color=colour, linestyle=style, marker=marker, label=NAMES[method])
        for method in methods
        for colour, style, marker in [STYLES[method]]
    ]
    figure.suptitle(title, fontsize=12)
    figure.legend(handles=lines, loc="outside lower center", ncols=4, fontsize=9)
    return figure


def draw_speedup_panel(axes, rows: list[Row]) -> None:
    for method, (colour, style, marker) in STYLES.items():
        points = [row for row in rows if row["method"] == method]
        points.sort(key=lambda row: int(row["bytes"]))
        if not points:
            continue
        axes.plot(
            numbers(points, "bytes"),
            numbers(points, "speedup"),
            color=colour,
            linestyle=style,
            marker=marker,
            markersize=8 if marker == "*" else 4.5,
            linewidth=1.4,
        )
    size_axis(axes, numbers(rows, "bytes"))
    log_axis(axes.yaxis, "times faster than plain MPI")
    axes.yaxis.set_major_locator(LogLocator(base=10, subs=(1, 2, 5)))


def draw_breakdown(rows: list[Row], title: str) -> Figure:
    size = common_size(rows)
    rows = [row for row in rows if row["bytes"] == size]
    ops, fields = distinct(rows, "op"), distinct(rows, "field")
    figure, grid = panels(len(ops), len(fields), width=4.6, height=2.3)
    for op, line in zip(ops, grid, strict=True):
        for field, axes in zip(fields, line, strict=True):
            here = [row for row in rows if row["op"] == op and row["field"] == field]
            axes.set_title(f"{op}, {TITLES.get(field, field)}", loc="left", fontsize=10)
            if not here:
                axes.set_visible(False)
                continue
            draw_breakdown_panel(axes, here)
    handles = [pyplot.Rectangle((0, 0), 1, 1, color=colour) for colour in PARTS.values()]
    figure.suptitle(f"{title}, {size_text(int(size))}: where the time goes", fontsize=12)
    figure.legend(handles, list(PARTS), loc="outside lower center", ncols=6, fontsize=9)
    return figure


def total_ms(row: Row) -> float:
    return sum(number(row, f"{part}_ms") for part in PARTS)


def draw_breakdown_panel(axes, rows: list[Row]) -> None:
    """Bars that are much longer than plain MPI's are cut, their length is written on them."""
    by_method = {row["method"]: row for row in rows}
    methods = [method for method in STYLES if method in by_method]
    totals = {method: total_ms(by_method[method]) for method in methods}
    limit = 2.2 * max(totals.get("raw", 0), totals.get("ccoll", 0), totals.get("tightwire", 0))
    limit = min(limit, 1.18 * max(totals.values()))
    for place, method in enumerate(methods):
        left = 0.0
        for part, colour in PARTS.items():
            width = number(by_method[method], f"{part}_ms")
            axes.barh(place, width, left=left, color=colour, height=0.7)
            left += width
        cut = left > limit
        axes.annotate(
            f"{left:.3g} ms{' →' if cut else ''}",
            (limit if cut else left, place),
            xytext=(-3 if cut else 3, 0),
            textcoords="offset points",
            ha="right" if cut else "left",
            va="center",
            fontsize=7.5,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.8, "alpha": 0.8},
        )
    axes.set_yticks(range(len(methods)), [NAMES[method] for method in methods], fontsize=7.5)
    axes.invert_yaxis()
    axes.set_xlim(0, 1.02 * limit)
    axes.set_xlabel("ms", fontsize=8)
    clean(axes)


def draw_each(table: Table, draw) -> None:
    for (link, hosts), rows in setups(table.sorted()).items():
        figure = draw(rows, setup_text(link, hosts))
        name = f"{table.path.stem}-{hosts}x{link}g.png"
        save(figure, table.path.with_name(name))
        pyplot.close(figure)
        print(f"drawn: {name}", flush=True)


def draw_all(tables: Tables) -> None:
    draw_each(tables.results, draw_speedups)
    draw_each(tables.breakdown, draw_breakdown)
