"""Draws results/scale.csv: how many times as fast as plain MPI in simulated jobs, by the size of
the message, by the number of ranks and by the link."""

import csv
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src" / "plot"))

from axes import CODEC_COLOURS, clean, panels, size_text
from matplotlib import pyplot
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator
from picture import save

Row = dict[str, str]
OPERATIONS = ("allreduce", "bcast", "scatter")
Line = tuple[str, str]  # method, threads
BOTH = (("tightwire", "1"), ("tightwire", "16"), ("ccoll", "1"), ("ccoll", "16"))
BY_THREADS = tuple(("tightwire", threads) for threads in ("1", "2", "4", "8", "16"))
NAMES = {"tightwire": "Tightwire", "ccoll": "C-Coll's way"}
# The most that ZCCL (Huang et al., arXiv 2502.18554) reports over plain MPI, among 128 nodes: of
# other fields, on other machines.
ZCCL = {"allreduce": (128, 3.6), "bcast": (128, 8.9), "scatter": (128, 5.4)}
LABELS = {"bytes": "whole vector", "nodes": "ranks", "link_gbps": "Gbit/s"}
FEW_STEPS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100]
STEPS = sorted([*FEW_STEPS, 0.7, 1.5, 3, 7])
# Of all pictures.
COMMON = {
    "topology": "fat_tree",
    "ranks_per_node": "1",
    "selector": "mpich",
    "algorithm_asked": "auto",
    "bound_applies_to": "contribution",
    "lanes": "on",
}


def only(rows: list[Row], **wanted: str) -> list[Row]:
    return [row for row in rows if all(row[name] == value for name, value in wanted.items())]


def validation(folder: Path) -> str:
    """How far the simulator was from the lab, as it stands beside every figure."""
    file = folder / "scale_validation.csv"
    if not file.exists():
        return "times not validated against measurements"
    with file.open(newline="") as rows:
        errors = sorted(abs(float(row["error"])) for row in csv.DictReader(rows))
    return f"against the lab: median error {errors[len(errors) // 2]:.0%}, worst {errors[-1]:.0%}"


def points(rows: list[Row], by: str) -> list[tuple[int, float]]:
    return sorted((int(row[by]), float(row["speedup"])) for row in rows if row["speedup"])


def labels_with_room(ticks: list[int], text: Callable[[int], str]) -> list[str]:
    """None where the one before is near, on a scale of powers."""
    labels, last = [], 0
    for tick in ticks:
        near = tick < 1.4 * last
        labels.append("" if near else text(tick))
        last = last if near else tick
    return labels


def draw_panel(axes, rows: list[Row], by: str, lines: tuple[Line, ...]) -> None:
    ticks = sorted({int(row[by]) for row in rows})
    for place, (method, threads) in enumerate(lines):
        line = points(only(rows, method=method, threads=threads), by)
        if not line:
            continue
        style = "-" if method == "tightwire" else "--"
        axes.plot(*zip(*line, strict=True), style, marker="o", markersize=4,
                  color=CODEC_COLOURS[place])  # fmt: skip
    axes.axhline(1, color="black", linewidth=0.8)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    low, high = axes.get_ylim()
    axes.yaxis.set_major_locator(FixedLocator(FEW_STEPS if high / low > 30 else STEPS))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.yaxis.set_minor_locator(NullLocator())
    text = size_text if by == "bytes" else str
    axes.set_xticks(ticks, labels_with_room(ticks, text), fontsize=8)
    axes.xaxis.set_minor_locator(NullLocator())
    clean(axes)


def draw(
    file: Path,
    rows: list[Row],
    by: str,
    lines: tuple[Line, ...],
    title: str,
    reported: Mapping[str, tuple[int, float]],
) -> None:
    fields = list(dict.fromkeys(row["field"] for row in rows))
    figure, grid = panels(len(fields), len(OPERATIONS), width=3.2, height=2.6)
    for field, line in zip(fields, grid, strict=True):
        for operation, axes in zip(OPERATIONS, line, strict=True):
            axes.set_title(f"{operation}, {field.replace('_', ' ')}", loc="left", fontsize=9)
            if operation in reported:
                axes.plot(*reported[operation], "*", color="black", markersize=9)
            draw_panel(axes, only(rows, field=field, op=operation), by, lines)
        line[0].set_ylabel("times as fast as plain MPI", fontsize=8)
    for axes in grid[-1]:
        axes.set_xlabel(LABELS[by], fontsize=8)
    figure.suptitle(title, fontsize=11)
    handles = [
        pyplot.Line2D(
            [], [], color=CODEC_COLOURS[place], linestyle="-" if m == "tightwire" else "--"
        )
        for place, (m, _) in enumerate(lines)
    ]
    labels = [f"{NAMES[m]}, threads of a rank: {threads}" for m, threads in lines]
    if reported:
        handles.append(pyplot.Line2D([], [], color="black", linestyle="", marker="*", markersize=9))
        labels.append("the most that ZCCL reports, of fields of its own")
    figure.legend(handles, labels, loc="outside lower center", ncols=2, fontsize=9)
    save(figure, file)
    pyplot.close(figure)


def draw_all(folder: Path, rows: list[Row]) -> None:
    """What there are at least two points of."""
    near = {"link_gbps": "100", "rel_bound": "0.0001"}
    for name, by, lines, fixed, what in (
        ("sizes", "bytes", BOTH, near | {"nodes": "32"},
         "32 ranks, 100 Gbit/s, within 1e-4 of the range"),
        ("ranks", "nodes", BOTH, near | {"bytes": str(64 << 20)},
         "64 MiB, 100 Gbit/s, within 1e-4 of the range"),
        ("threads", "link_gbps", BY_THREADS,
         {"nodes": "2", "rel_bound": "0.001", "bytes": str(32 << 20)},
         "two ranks, 32 MiB, within 1e-3 of the range"),
    ):  # fmt: skip
        shown = only(rows, **COMMON, **fixed)
        if len({row[by] for row in shown}) < 2:
            continue
        title = f"simulated fat tree: {what}\n{validation(folder)}"
        reported = ZCCL if name == "ranks" else {}
        draw(folder / f"scale_{name}.png", shown, by, lines, title, reported)
