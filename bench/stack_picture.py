"""The stacks of all methods side by side, their errors below them."""

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "examples" / "image_stack"))

from comparison_plots import NAMES
from matplotlib import pyplot
from pictures import CROP, as_grey, brightened
from PIL import Image

LABELS = {
    "tightwire": "Tightwire, on contributions",
    "tightwire-result": "Tightwire, on the result",
}


def draw(
    file: Path,
    heading: str,
    pictures: dict[str, np.ndarray],
    captions: dict[str, str],
    exact: np.ndarray,
    error_scale: float,
) -> None:
    """`pictures` and `exact` are in grey levels; an error of `error_scale` is black or white."""
    figure, grid = pyplot.subplots(
        2, len(pictures), figsize=(1.75 * len(pictures), 4.3), layout="constrained"
    )
    for (method, picture), (upper, lower) in zip(pictures.items(), grid.T, strict=True):
        upper.imshow(brightened(picture)[CROP], interpolation="nearest")
        name = LABELS.get(method, NAMES[method]).replace(", ", ",\n")
        upper.set_title(name, loc="left", fontsize=8)
        lower.imshow(as_grey(picture - exact, error_scale)[CROP], interpolation="nearest")
        lower.set_title(captions[method], loc="left", fontsize=8)
        for axes in (upper, lower):
            axes.set_axis_off()
    figure.suptitle(
        f"{heading}\nabove: the stack; below: its error, black and white at the bound",
        fontsize=10,
        x=0.01,
        ha="left",
    )
    figure.savefig(file, dpi=110)
    pyplot.close(figure)
    Image.open(file).convert("RGB").quantize(256).save(file, optimize=True)
