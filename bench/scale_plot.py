"""Draws results/scale.csv: how many times as fast as plain MPI in simulated jobs, by the size of
the message, by the number of ranks and by the link, with bars as far as that is off at worst."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src" / "plot"))

from axes import CODEC_COLOURS, clean, panels, size_text
from matplotlib import pyplot
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator
from picture import save
from scale_errors import Validation, percent

Row = dict[str, str]
OPERATIONS = ("allreduce", "bcast", "scatter")
Line = tuple[str, str]  # method, threads
BOTH = (("tightwire", "1"), ("tightwire", "16"), ("ccoll", "1"), ("ccoll", "16"))
BY_THREADS = tuple(("tightwire", threads) for threads in ("1", "2", "4", "8", "16"))
NAMES = {"tightwire": "Tightwire", "ccoll": "C-Coll's way"}


class Reported(NamedTuple):
    """The most that others report, of other fields, on other machines."""

    name: str
    marker: str
    size: int
    of: dict[str, tuple[int, float]]  # among how many ranks, how many times as fast

    def look(self) -> dict[str, object]:
        return {"color": "black", "marker": self.marker, "markersize": self.size, "linestyle": ""}


# ZCCL (Huang et al., arXiv 2502.18554) over plain MPI; gZCCL (Huang et al., arXiv 2308.05199) among
# up to 512 GPUs, sums over NCCL, moves over Cray MPI.
REPORTED = (
    Reported("the most that ZCCL reports, of fields of its own", "*", 9,
             {"allreduce": (128, 3.6), "bcast": (128, 8.9), "scatter": (128, 5.4)}),
    Reported("the most that gZCCL reports, of GPUs, over NCCL (sums) and Cray MPI", "D", 5,
             {"allreduce": (512, 4.5), "scatter": (512, 28.7)}),
)  # fmt: skip
BARS = (
    "bars: where the lab would be, if as far off as the worst that was compared (one thread, 1 and "
    "10 Gbit/s)\noff: median and worst, of speed-ups"
)
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


def points(rows: list[Row], by: str) -> list[tuple[int, float, bool]]:
    """With whether Tightwire left it to MPI."""
    return sorted(
        (int(row[by]), float(row["speedup"]), row["algorithm"] == "plain")
        for row in rows
        if row["speedup"]
    )


def draw_bars(axes, line: list[tuple[int, float, bool]], errors: list[float], look: dict) -> None:
    """From where the lab would be if the simulation were as much too good as the worst that was
    compared, to where it would be if as much too bad. What is left to MPI is as fast as MPI."""
    if not errors:
        return
    least, most = (1 / (1 + end(0, *errors)) for end in (max, min))
    for place, speedup, left in line:
        if not left:
            axes.vlines(place, speedup * least, speedup * most, linewidth=3, alpha=0.3, **look)


def beside(validation: Validation, operation: str, field: str, lines: tuple[Line, ...]) -> str:
    """How far the lines of a panel are off."""
    methods = dict.fromkeys(method for method, _ in lines)
    return "off: " + "; ".join(
        f"{NAMES[method]} {percent(validation.of_gains(operation, method, field))}"
        for method in methods
    )


def labels_with_room(ticks: list[int], text: Callable[[int], str], room: float) -> list[str]:
    """None where the one before is near, on a scale of powers: by that part of the axis."""
    labels, last = [], 0
    for tick in ticks:
        near = tick < (ticks[-1] / ticks[0]) ** room * last
        labels.append("" if near else text(tick))
        last = last if near else tick
    return labels


def draw_reported(axes, operation: str, reported: Sequence[Reported]) -> list[int]:
    """Returns among how many ranks that is."""
    found = [(each, *each.of[operation]) for each in reported if operation in each.of]
    for each, ranks, speedup in found:
        axes.plot(ranks, speedup, clip_on=False, **each.look())
    return [ranks for _, ranks, _ in found]


def draw_panel(
    axes,
    rows: list[Row],
    by: str,
    lines: tuple[Line, ...],
    validation: Validation,
    others: list[int],
) -> None:
    ticks = sorted({int(row[by]) for row in rows} | set(others))
    for place, (method, threads) in enumerate(lines):
        line = points(only(rows, method=method, threads=threads), by)
        if not line:
            continue
        style = "-" if method == "tightwire" else "--"
        # Side by side, so that bars do not hide each other.
        apart = 1.045 ** (place - (len(lines) - 1) / 2)
        line = [(x * apart, speedup, left) for x, speedup, left in line]
        axes.plot([x for x, _, _ in line], [y for _, y, _ in line], style, marker="o",
                  markersize=4, color=CODEC_COLOURS[place])  # fmt: skip
        of = validation.of_gains(rows[0]["op"], method, rows[0]["field"])
        draw_bars(axes, line, of, {"color": CODEC_COLOURS[place]})
    axes.axhline(1, color="black", linewidth=0.8)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    low, high = axes.get_ylim()
    axes.yaxis.set_major_locator(FixedLocator(FEW_STEPS if high / low > 30 else STEPS))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.yaxis.set_minor_locator(NullLocator())
    text, room = (size_text, 0.18) if by == "bytes" else (str, 0.09)
    axes.set_xticks(ticks, labels_with_room(ticks, text, room), fontsize=8)
    axes.xaxis.set_minor_locator(NullLocator())
    clean(axes)


def draw(
    file: Path,
    rows: list[Row],
    by: str,
    lines: tuple[Line, ...],
    heading: str,
    validation: Validation,
    reported: Sequence[Reported],
) -> None:
    fields = list(dict.fromkeys(row["field"] for row in rows))
    figure, grid = panels(len(fields), len(OPERATIONS), width=3.2, height=2.6)
    for field, line in zip(fields, grid, strict=True):
        for operation, axes in zip(OPERATIONS, line, strict=True):
            title = f"{operation}, {field.replace('_', ' ')}"
            axes.set_title(title, loc="left", fontsize=9, pad=16)
            axes.text(0, 1.02, beside(validation, operation, field, lines), fontsize=7,
                      transform=axes.transAxes)  # fmt: skip
            others = draw_reported(axes, operation, reported)
            here = only(rows, field=field, op=operation)
            draw_panel(axes, here, by, lines, validation, others)
        line[0].set_ylabel("times as fast as plain MPI", fontsize=8)
    for axes in grid[-1]:
        axes.set_xlabel(LABELS[by], fontsize=8)
    figure.suptitle(heading, fontsize=11)
    handles = [
        pyplot.Line2D(
            [], [], color=CODEC_COLOURS[place], linestyle="-" if m == "tightwire" else "--"
        )
        for place, (m, _) in enumerate(lines)
    ]
    labels = [f"{NAMES[m]}, threads of a rank: {threads}" for m, threads in lines]
    handles += [pyplot.Line2D([], [], **each.look()) for each in reported]
    labels += [each.name for each in reported]
    figure.legend(handles, labels, loc="outside lower center", ncols=2, fontsize=9)
    save(figure, file)
    pyplot.close(figure)


def draw_all(folder: Path, rows: list[Row]) -> None:
    """What there are at least two points of."""
    validation = Validation(folder)
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
        bars = BARS if validation.rows else validation.of_all()
        heading = f"simulated fat tree: {what}\n{bars}"
        reported = REPORTED if name == "ranks" else ()
        draw(folder / f"scale_{name}.png", shown, by, lines, heading, validation, reported)
