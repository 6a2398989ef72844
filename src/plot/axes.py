"""What drawings share: colours, axes, labels."""

import matplotlib

matplotlib.use("Agg")

from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

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


def panels(rows: int, columns: int, width: float = 5.0, height: float = 3.7):
    return pyplot.subplots(
        rows,
        columns,
        figsize=(width * columns, height * rows),
        squeeze=False,
        layout="constrained",
    )
