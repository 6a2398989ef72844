"""The drawings of a report page, as SVG that takes its colours from the page."""

import io
import re
from itertools import count

import matplotlib
import numpy
from matplotlib.figure import Figure

# Stand for the colours of the page, which are others in the dark.
INK, LINES = "#010101", "#020202"
SERIES = ("#0a6ebd", "#e07b00", "#3a9d5d", "#8f6fc0")
PARTS = ("#0a6ebd", "#3a9d5d", "#7db8e8", "#b9a27a")
VARIABLES = {INK: "var(--ink)", LINES: "var(--lines)"}
MIB = 2.0**20
MOST_BARS = 10
MOST_CELLS = 64
_numbers = count()

STYLE = {
    "svg.fonttype": "none",
    "text.parse_math": False,
    "font.size": 9,
    "text.color": INK,
    "axes.edgecolor": LINES,
    "axes.labelcolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "font.family": "sans-serif",
}


def size_text(size: float) -> str:
    for unit in ("B", "KiB", "MiB", "GiB"):
        if size < 1024:
            return f"{size:.3g} {unit}"
        size /= 1024
    return f"{size:.3g} TiB"


def as_svg(figure: Figure, title: str) -> str:
    number = next(_numbers)
    buffer = io.StringIO()
    with matplotlib.rc_context({**STYLE, "svg.hashsalt": f"tightwire-{number}"}):
        figure.savefig(buffer, format="svg", transparent=True, metadata={"Date": None})
    text = buffer.getvalue()
    text = text[text.index("<svg") :]
    for colour, variable in VARIABLES.items():
        text = text.replace(colour, variable)
    # No two drawings of a page may share a name.
    text = re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>d{number}-", text)
    text = re.sub(r'(<svg[^>]*?) width="[^"]*"', r"\1", text, count=1)
    text = re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", text, count=1)
    return text.replace("<svg", f'<svg role="img" aria-label="{title}"', 1)


def drawn(title: str, size: tuple[float, float], draw) -> str:
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=size, layout="constrained")
        draw(figure.add_subplot())
    return as_svg(figure, title)


def legend(axes, columns: int) -> None:
    axes.legend(
        loc="lower left",
        bbox_to_anchor=(0, 1),
        ncols=columns,
        frameon=False,
        labelcolor=INK,
    )


def number_text(value: float) -> str:
    return f"{value:.3g}" if value < 1000 else f"{value:.0f}"


def bars(
    title: str,
    names: list[str],
    series: dict[str, list[float]],
    label: str,
    are_ratios: bool = False,
) -> str:
    """Horizontal bars, a group for each name. Those of ratios begin at 1, and what shrinks a
    thousand times leaves the others readable."""
    names = [name if len(name) <= 34 else name[:33] + "…" for name in names[:MOST_BARS]]

    def draw(axes):
        places = numpy.arange(len(names))
        height = 0.8 / len(series)
        for i, (what, values) in enumerate(series.items()):
            at = places + (i - (len(series) - 1) / 2) * height
            shown = axes.barh(at, values[:MOST_BARS], 0.9 * height, label=what, color=SERIES[i])
            labels = [number_text(value) if value else "" for value in values[:MOST_BARS]]
            axes.bar_label(shown, labels, padding=3, color=INK, fontsize=8)
        axes.set_yticks(places, names)
        axes.invert_yaxis()
        axes.set_xlabel(label)
        axes.margins(x=0.12)
        if are_ratios:
            axes.set_xscale("log")
            axes.set_xlim(left=1)
            axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
            axes.xaxis.set_minor_formatter("")
        if len(series) > 1:
            legend(axes, len(series) if len(series) < 4 else 2)

    groups = max(1, len(names))
    return drawn(title, (7.5, 0.9 + groups * (0.22 + 0.2 * len(series))), draw)


def stacked(title: str, names: list[str], series: dict[str, list[float]], label: str) -> str:
    """Horizontal bars, each of parts that follow one another."""
    names = [name if len(name) <= 34 else name[:33] + "…" for name in names[:MOST_BARS]]

    def draw(axes):
        ends = numpy.zeros(len(names))
        for i, (what, values) in enumerate(series.items()):
            parts = numpy.array(values[:MOST_BARS])
            axes.barh(range(len(names)), parts, 0.6, left=ends, label=what, color=PARTS[i])
            ends += parts
        for place, end in enumerate(ends):
            axes.annotate(
                number_text(end), (end, place), (4, 0), textcoords="offset points", va="center",
                color=INK, fontsize=8,
            )  # fmt: skip
        axes.set_yticks(range(len(names)), names)
        axes.invert_yaxis()
        axes.set_xlabel(label)
        axes.margins(x=0.12)
        legend(axes, len(series))

    return drawn(title, (7.5, 1.1 + 0.42 * max(1, len(names))), draw)


def histogram(title: str, by_class: dict[int, float]) -> str:
    """Bytes by the size of the messages that they are in."""
    classes = range(min(by_class), max(by_class) + 1)

    def draw(axes):
        axes.bar(
            range(len(classes)), [by_class.get(one, 0) / MIB for one in classes], color=SERIES[0]
        )
        axes.set_xticks(
            range(len(classes)), [f"{size_text(2.0**(one - 1))}" for one in classes],
            rotation=45, ha="right",
        )  # fmt: skip
        axes.set_xlabel("size of a message, from")
        axes.set_ylabel("MiB sent")

    return drawn(title, (7.5, 2.8), draw)


def matrix(title: str, sent: list[list[int]], ranks: int) -> str:
    """Who sends how much to whom; ranks share a cell where there are too many."""
    block = -(-ranks // MOST_CELLS)
    cells = numpy.zeros((-(-ranks // block),) * 2)
    for sender, receiver, _, size in sent:
        cells[sender // block, receiver // block] += size / MIB

    def draw(axes):
        shown = numpy.ma.masked_equal(cells, 0)
        image = axes.imshow(shown, cmap="viridis", vmin=0, interpolation="nearest")
        bar = axes.figure.colorbar(image, ax=axes, shrink=0.8)
        bar.set_label("MiB")
        bar.outline.set_edgecolor(LINES)
        axes.set_xlabel("to rank" if block == 1 else f"to rank, {block} in a cell")
        axes.set_ylabel("from rank")
        for axis in (axes.xaxis, axes.yaxis):
            axis.get_major_locator().set_params(integer=True)

    return drawn(title, (5.2, 4.2), draw)


def errors(title: str, relative: list[tuple[float, float]]) -> str:
    """The largest error within each bound, as a part of the bound."""

    def draw(axes):
        names = [f"{bound:.0e}" for bound, _ in relative]
        axes.bar(names, [part for _, part in relative], color=SERIES[0], width=0.6)
        axes.axhline(1, color=SERIES[1], linewidth=1.5)
        axes.text(-0.45, 1.02, "the bound", color=INK, fontsize=9)
        axes.set_ylim(0, 1.18)
        axes.set_xlabel("absolute bound")
        axes.set_ylabel("largest error / bound")

    return drawn(title, (7.5, 2.6), draw)
