"""Histograms of the errors of sums, for several numbers of ranks, against the normal curve; and of
single encodings, by several codecs."""

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src" / "plot"))

from axes import clean, panels
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from measurements import Row, grouped, numbers, read
from picture import save

BLUE, RED, GREY = "#56B4E9", "#D55E00", "#555555"
UNIFORM, ZCCL = 1 / np.sqrt(3), 1 / 3  # standard deviations in units of sqrt(N) E
MOST_COLUMNS = 4
CODECS = {  # name and colour
    "bounded": ("tightwire bounded", "#D55E00"),
    "sz3": ("SZ3", "#0072B2"),
    "zfp-accuracy": ("zfp, fixed accuracy", "#009E73"),
}
HIGHEST = 6  # of what is drawn: quiet fields are a spike at zero


def normal(x: np.ndarray, deviation: float) -> np.ndarray:
    return np.exp(-0.5 * (x / deviation) ** 2) / (deviation * np.sqrt(2 * np.pi))


def some(ranks: list[str]) -> list[str]:
    """Powers of two where there are enough of them."""
    powers = [r for r in ranks if int(r).bit_count() == 1]
    return (powers if len(powers) >= MOST_COLUMNS else ranks)[:MOST_COLUMNS]


def draw_panel(axes, rows: list[Row]) -> None:
    low, high = (np.array(numbers(rows, c)) for c in ("error_low", "error_high"))
    counts = np.array(numbers(rows, "count"))
    density = counts / counts.sum() / (high - low)
    axes.bar(low, density, width=high - low, align="edge", color=BLUE)
    x = np.linspace(low[0], high[-1], 400)
    axes.plot(x, normal(x, UNIFORM), color=RED, linewidth=1.5)
    axes.plot(x, normal(x, ZCCL), color=GREY, linewidth=1.2, linestyle=(0, (4, 3)))
    for deviation, colour in ((UNIFORM, RED), (ZCCL, GREY)):
        for side in (-2 * deviation, 2 * deviation):
            axes.axvline(side, color=colour, linewidth=0.8, linestyle=(0, (1, 2)))
    # The quiet field's spike at zero would flatten everything else.
    axes.set_ylim(0, 1.6)
    if density.max() > 1.6:
        place = (0.02, 1.5)
        axes.annotate(f"{density.max():.0f} ↑", place, fontsize=8, ha="left", color=BLUE)
    axes.set_xlim(-2, 2)
    clean(axes)


def draw(source: Path, picture: Path) -> Path:
    _, rows = read(source)
    rows = [row for row in rows if row["type"] == "float64"]
    by_panel = grouped(rows, "field", "ranks")
    fields = list(dict.fromkeys(row["field"] for row in rows))
    ranks = some(list(dict.fromkeys(row["ranks"] for row in rows)))
    figure, grid = panels(len(fields), len(ranks), width=3.2, height=2.3)
    for field, line in zip(fields, grid, strict=True):
        for number, axes in zip(ranks, line, strict=True):
            draw_panel(axes, by_panel[field, number])
            axes.set_title(f"{field.replace('_', ' ')}, {number} ranks", loc="left", fontsize=10)
    for axes in grid[-1]:
        axes.set_xlabel("error of the sum / √N E")
    for axes in grid[:, 0]:
        axes.set_ylabel("density")
    legend = [
        Patch(color=BLUE, label="measured (MPI_SUM of float64, bound E on each contribution)"),
        Line2D([], [], color=RED, label="normal curve of uniform errors; 95 % within ±2/√3"),
        Line2D([], [], color=GREY, linestyle=(0, (4, 3)), label="ZCCL's model; 95 % within ±2/3"),
    ]
    figure.legend(handles=legend, loc="outside lower center", ncols=3, fontsize=9)
    save(figure, picture)
    return picture


def density_of(rows: list[Row]) -> tuple[np.ndarray, np.ndarray]:
    """Edges of the bins, and what is within each, over its width and all."""
    low, high = (np.array(numbers(rows, c)) for c in ("error_low", "error_high"))
    counts = np.array(numbers(rows, "count"))
    return np.append(low, high[-1]), counts / counts.sum() / (high - low)


def draw_codecs(source: Path, picture: Path) -> Path:
    _, rows = read(source)
    by_panel = grouped(rows, "field", "codec")
    fields = list(dict.fromkeys(row["field"] for row in rows))
    figure, grid = panels(1, len(fields), width=3.6, height=2.6)
    for field, axes in zip(fields, grid[0], strict=True):
        for codec, (_, colour) in CODECS.items():
            edges, density = density_of(by_panel[field, codec])
            axes.stairs(density, edges, color=colour, linewidth=1.4)
        axes.axhline(0.5, color=GREY, linewidth=0.8, linestyle=(0, (4, 3)))
        axes.set_title(field.replace("_", " "), loc="left", fontsize=10)
        axes.set_xlabel("error of one encoding / E")
        axes.set_xlim(-1, 1)
        axes.set_ylim(0, HIGHEST)
        clean(axes)
    grid[0][0].set_ylabel("density")
    legend = [Line2D([], [], color=colour, label=name) for name, colour in CODECS.values()]
    legend.append(Line2D([], [], color=GREY, linestyle=(0, (4, 3)), label="uniform errors"))
    figure.legend(handles=legend, loc="outside lower center", ncols=4, fontsize=9)
    save(figure, picture)
    return picture
