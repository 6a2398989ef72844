"""The pictures of the demo: the stacks, their difference, and all of it on one page."""

from dataclasses import dataclass
from pathlib import Path

import matplotlib
import numpy as np
from PIL import Image

matplotlib.use("Agg")
from matplotlib import pyplot

INK, GREY, GREEN = "#222222", "#9a9a9a", "#2a7f62"
CROP = (slice(560, 960), slice(640, 1040))  # rows, columns


def brightened(picture: np.ndarray) -> np.ndarray:
    """Colours x rows x columns of 0 to 255, to rows x columns x colours of 0 to 1 for the eye: the
    night sky is dark, so its lower half is spread."""
    return np.moveaxis((picture / 255).clip(0, 1) ** 0.6, 0, 2)


def as_grey(difference: np.ndarray, largest: float) -> np.ndarray:
    """-largest is black, 0 grey, +largest white."""
    return np.moveaxis((0.5 + difference / (2 * largest)).clip(0, 1), 0, 2)


def save(file: Path, image: np.ndarray) -> None:
    pyplot.imsave(file, image)


def show(axes, image: np.ndarray, title: str) -> None:
    axes.imshow(image[CROP], interpolation="nearest")
    axes.set_title(title, fontsize=10, color=INK, loc="left")
    axes.set_axis_off()


def bars(axes, ways: list[tuple[str, bool]], values: list[float], title: str, unit: str) -> None:
    """`ways`: (name, is it ours?) of each bar."""
    colours = [GREEN if ours else GREY for _, ours in ways]
    drawn = axes.barh([name for name, _ in ways], values, color=colours, height=0.62)
    axes.bar_label(drawn, [f" {value:,.0f} {unit}" for value in values], fontsize=9, color=INK)
    axes.set_title(title, fontsize=10, color=INK, loc="left")
    axes.invert_yaxis()
    axes.set_xlim(0, 1.22 * max(values))
    axes.set_xticks([])
    axes.tick_params(axis="y", length=0, labelsize=9, labelcolor=INK)
    axes.spines[["top", "right", "bottom", "left"]].set_visible(False)


@dataclass
class Charts:
    """One row of charts, all of the same ways: as bars() takes them."""

    ways: list[tuple[str, bool]]
    charts: list[tuple[list[float], str, str]]


def page(file: Path, heading: str, images: list, rows: list[Charts]) -> None:
    """`images`: (image, title) for the upper row."""
    figure = pyplot.figure(figsize=(11, 5.8), layout="constrained", facecolor="white")
    heights = [0.3 + 0.4 * len(row.ways) for row in rows]
    upper, *lower = figure.subfigures(1 + len(rows), 1, height_ratios=[3.1, *heights])
    upper.suptitle(heading, fontsize=12, color=INK, x=0.008, ha="left", weight="bold")
    for axes, (image, title) in zip(upper.subplots(1, len(images)), images, strict=True):
        show(axes, image, title)
    for part, row in zip(lower, rows, strict=True):
        for axes, chart in zip(part.subplots(1, len(row.charts)), row.charts, strict=True):
            bars(axes, row.ways, *chart)
    figure.savefig(file, dpi=100)
    pyplot.close(figure)
    Image.open(file).convert("RGB").quantize(256).save(file, optimize=True)  # a third of the size
