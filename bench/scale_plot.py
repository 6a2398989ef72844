"""Draws results/scale.csv: how many times as fast as plain MPI in simulated jobs, by the size of
the message and by the number of ranks."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src" / "plot"))

from axes import CODEC_COLOURS, clean, panels, size_text
from matplotlib import pyplot
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator
from picture import save

Row = dict[str, str]
OPERATIONS = ("allreduce", "bcast", "scatter")
LINES = (("tightwire", "1"), ("tightwire", "16"), ("ccoll", "1"), ("ccoll", "16"))
NAMES = {"tightwire": "Tightwire", "ccoll": "C-Coll's way"}
# Of both pictures.
COMMON = {
    "topology": "fat_tree",
    "link_gbps": "100",
    "ranks_per_node": "1",
    "selector": "mpich",
    "rel_bound": "0.0001",
    "algorithm_asked": "auto",
}


def only(rows: list[Row], **wanted: str) -> list[Row]:
    return [row for row in rows if all(row[name] == value for name, value in wanted.items())]


def points(rows: list[Row], by: str) -> list[tuple[int, float]]:
    return sorted((int(row[by]), float(row["speedup"])) for row in rows if row["speedup"])


def draw_panel(axes, rows: list[Row], by: str) -> None:
    ticks = sorted({int(row[by]) for row in rows})
    for place, (method, threads) in enumerate(LINES):
        line = points(only(rows, method=method, threads=threads), by)
        if not line:
            continue
        style = "-" if method == "tightwire" else "--"
        axes.plot(*zip(*line, strict=True), style, marker="o", markersize=4,
                  color=CODEC_COLOURS[place])  # fmt: skip
    axes.axhline(1, color="black", linewidth=0.8)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.yaxis.set_major_locator(
        FixedLocator([0.1, 0.2, 0.5, 0.7, 1, 1.5, 2, 3, 5, 7, 10, 20, 50, 100])
    )
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.yaxis.set_minor_locator(NullLocator())
    text = size_text if by == "bytes" else str
    axes.set_xticks(ticks, [text(tick) for tick in ticks], fontsize=8)
    axes.xaxis.set_minor_locator(NullLocator())
    clean(axes)


def draw(file: Path, rows: list[Row], by: str, title: str) -> None:
    fields = list(dict.fromkeys(row["field"] for row in rows))
    figure, grid = panels(len(fields), len(OPERATIONS), width=3.2, height=2.6)
    for field, line in zip(fields, grid, strict=True):
        for operation, axes in zip(OPERATIONS, line, strict=True):
            axes.set_title(f"{operation}, {field.replace('_', ' ')}", loc="left", fontsize=9)
            draw_panel(axes, only(rows, field=field, op=operation), by)
        line[0].set_ylabel("times as fast as plain MPI", fontsize=8)
    for axes in grid[-1]:
        axes.set_xlabel("whole vector" if by == "bytes" else "ranks", fontsize=8)
    figure.suptitle(title, fontsize=11)
    handles = [
        pyplot.Line2D(
            [], [], color=CODEC_COLOURS[place], linestyle="-" if m == "tightwire" else "--"
        )
        for place, (m, _) in enumerate(LINES)
    ]
    labels = [f"{NAMES[m]}, threads of a rank: {threads}" for m, threads in LINES]
    figure.legend(handles, labels, loc="outside lower center", ncols=2, fontsize=9)
    save(figure, file)
    pyplot.close(figure)


def draw_all(folder: Path, rows: list[Row]) -> None:
    """What there are at least two points of."""
    common = only(rows, **COMMON)
    setting = "simulated fat tree, 100 Gbit/s, within 1e-4 of the range"
    for by, fixed, name in (
        ("bytes", {"nodes": "32"}, "scale_sizes.png"),
        ("nodes", {"bytes": str(64 << 20)}, "scale_ranks.png"),
    ):
        shown = only(common, **fixed)
        if len({row[by] for row in shown}) < 2:
            continue
        what = "32 ranks" if by == "bytes" else "64 MiB"
        draw(folder / name, shown, by, f"{what}, {setting}")
