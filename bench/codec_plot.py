"""Draws codec.csv: the ratio of every field, within a bound beside SZ3 and zfp, without one beside
lossless codecs. Argument: the table; the picture lies beside it."""

import csv
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

# Codec, its name in the picture, colour and shape.
BOUNDED = (
    ("bounded", "tightwire bounded", "tab:red", "o"),
    ("sz3", "SZ3", "tab:blue", "s"),
    ("zfp-accuracy", "zfp", "tab:green", "^"),
)
EXACT = (
    ("exact", "tightwire exact", "tab:red", "o"),
    ("exact+entropy", "exact+entropy", "tab:orange", "o"),
    ("pcodec", "pcodec", "tab:blue", "s"),
    ("blosc2-shuffle-zstd", "Blosc2, shuffle and zstd 1", "tab:green", "^"),
    ("zstd", "zstd 1", "tab:grey", "v"),
)
BLANK = ("constant",)  # would push all else to one side
KNOWN = {codec for codec, *_ in (*BOUNDED, *EXACT)}
STAGE_COLOUR = "darkred"


def read(file: Path) -> dict[tuple[str, str, float], dict[str, str]]:
    with file.open() as lines:
        rows = list(csv.DictReader(lines))
    return {(row["field"], row["codec"], float(row["error_bound_rel"])): row for row in rows}


def with_stages(codecs: tuple, rows: dict) -> list[tuple]:
    """And second stages of ours that are not named here."""
    first = codecs[0][0]
    names = {name for _, name, _ in rows if name.startswith(f"{first}+")}
    stages = [(name, f"tightwire {name}", STAGE_COLOUR, "D") for name in sorted(names - KNOWN)]
    return [codecs[0], *stages, *codecs[1:]]


def draw(axes, rows: dict, fields: list[str], codecs: list[tuple], bound: float) -> None:
    for codec, label, colour, marker in codecs:
        places, ratios, kept = [], [], []
        for place, field in enumerate(fields):
            row = rows.get((field, codec, bound))
            if row is None:
                continue
            places.append(place)
            ratios.append(float(row["ratio"]))
            kept.append(float(row["max_error_over_bound"]) <= 1)
        # Hollow where the bound was not kept.
        faces = [colour if inside else "none" for inside in kept]
        axes.scatter(ratios, places, s=26, c=faces, edgecolors=colour, marker=marker, label=label)
    axes.set_xscale("log")
    axes.set_title(f"bound {bound:g} of the range" if bound else "exact", fontsize=10)
    axes.set_xlabel("ratio")
    axes.grid(alpha=0.3)
    # Below, where it hides nothing.
    axes.legend(fontsize=7, loc="upper center", bbox_to_anchor=(0.5, -0.06), ncols=2)


def main() -> None:
    file = Path(sys.argv[1])
    rows = read(file)
    fields = [field for field in dict.fromkeys(name for name, _, _ in rows) if field not in BLANK]
    fields.reverse()
    bounds = sorted({bound for _, _, bound in rows if bound}, reverse=True)[:3]
    size = (4.5 * (len(bounds) + 1), 1.5 + 0.24 * len(fields))
    figure, grid = plt.subplots(
        1, len(bounds) + 1, squeeze=False, figsize=size, sharey=True, layout="constrained"
    )
    for axes, bound in zip(grid[0], [*bounds, 0.0], strict=True):
        draw(axes, rows, fields, with_stages(BOUNDED if bound else EXACT, rows), bound)
    grid[0][0].set_yticks(range(len(fields)), fields, fontsize=7)
    picture = file.with_suffix(".png")
    figure.savefig(picture, dpi=110)
    print(f"written: {picture}")


main()
