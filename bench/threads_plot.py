"""Draws results/threads.csv: how many times as fast as plain MPI, over the links, by threads."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src" / "plot"))

from axes import CODEC_COLOURS, clean, panels, size_text
from matplotlib import pyplot
from picture import save

Row = dict[str, str]
SETUP = ("mpi", "hosts", "cores_per_rank", "bytes")


def distinct(rows: list[Row], column: str) -> list[str]:
    return list(dict.fromkeys(row[column] for row in rows))


def setup_of(row: Row) -> tuple[str, ...]:
    return tuple(row[name] for name in SETUP)


def by_speed(links: list[str]) -> list[str]:
    return sorted(links, key=lambda link: float("inf") if link == "unshaped" else float(link))


def by_number(threads: list[str]) -> list[str]:
    return sorted(threads, key=lambda n: float("inf") if n == "auto" else int(n))


def draw_panel(axes, rows: list[Row], links: list[str], threads: list[str]) -> None:
    width = 0.8 / len(threads)
    for place, number in enumerate(threads):
        of_links = {row["link_gbps"]: row for row in rows if row["threads"] == number}
        heights = [float(of_links.get(link, {}).get("speedup", "nan")) for link in links]
        places = [at + (place + 0.5) * width - 0.4 for at in range(len(links))]
        axes.bar(places, heights, width, color=CODEC_COLOURS[place % len(CODEC_COLOURS)])
    axes.axhline(1, color="black", linewidth=0.8)
    axes.set_xticks(range(len(links)), links, fontsize=8)
    axes.set_xlabel("Gbit/s", fontsize=8)
    clean(axes)


def draw(file: Path, rows: list[Row]) -> None:
    """Of the set-up whose ranks have the most cores, and of those the one with the most rows:
    figures of others are not comparable."""
    setups = [setup_of(row) for row in rows]
    cores = SETUP.index("cores_per_rank")
    shown = max(dict.fromkeys(setups), key=lambda one: (float(one[cores]), setups.count(one)))
    rows = [row for row in rows if setup_of(row) == shown and row["threads"] != "plain"]
    links = by_speed(distinct(rows, "link_gbps"))
    threads = by_number(distinct(rows, "threads"))
    fields, operations = distinct(rows, "field"), distinct(rows, "operation")
    figure, grid = panels(len(fields), len(operations), width=2.9, height=2.6)
    for field, line in zip(fields, grid, strict=True):
        for operation, axes in zip(operations, line, strict=True):
            here = [row for row in rows if (row["field"], row["operation"]) == (field, operation)]
            axes.set_title(f"{operation}, {field.replace('_', ' ')}", loc="left", fontsize=9)
            draw_panel(axes, here, links, threads)
        line[0].set_ylabel("times as fast as plain MPI", fontsize=8)
    mpi, hosts, cores, size = shown
    title = (
        f"{size_text(int(size))}, {hosts} ranks of {mpi} on as many hosts, cores of each: {cores}"
    )
    figure.suptitle(title, fontsize=11)
    colours = [CODEC_COLOURS[place % len(CODEC_COLOURS)] for place in range(len(threads))]
    handles = [pyplot.Rectangle((0, 0), 1, 1, color=colour) for colour in colours]
    labels = [f"threads = {number}" for number in threads]
    figure.legend(handles, labels, loc="outside lower center", ncols=len(threads), fontsize=9)
    save(figure, file.with_suffix(".png"))
    pyplot.close(figure)
