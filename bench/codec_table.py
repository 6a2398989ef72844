"""Prints codec.csv as Markdown: tables of bounded codecs and of exact ones. Argument: the file."""

import csv
import sys
from pathlib import Path

Rows = dict[tuple[str, str, float], dict[str, str]]
BOUNDS = (1e-3, 1e-4, 1e-5)
OTHERS = ("pcodec", "blosc2-shuffle-zstd", "shuffle+zstd", "zstd", "lz4")


def read(file: Path) -> Rows:
    with file.open() as lines:
        rows = list(csv.DictReader(lines))
    return {(row["field"], row["codec"], float(row["error_bound_rel"])): row for row in rows}


def stages(rows: Rows, codec: str) -> list[str]:
    """The codec and what of it has a second stage."""
    return [codec, *sorted({name for _, name, _ in rows if name.startswith(f"{codec}+")})]


def figure(text: str) -> str:
    value = float(text)
    return f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:.0f}"


def cell(rows: Rows, field: str, codec: str, bound: float, column: str = "ratio") -> str:
    row = rows.get((field, codec, bound))
    if row is None:
        return ""
    broken = column == "ratio" and float(row["max_error_over_bound"]) > 1
    return figure(row[column]) + (" (bound broken)" if broken else "")


def line(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def speeds(rows: Rows, field: str, codec: str, bound: float) -> list[str]:
    columns = ("compress_GBps", "expand_GBps", "memcpy_GBps")
    return [cell(rows, field, codec, bound, column) for column in columns]


def bounded_table(rows: Rows, fields: list[str]) -> list[str]:
    codecs = [*stages(rows, "bounded"), "sz3", "zfp-accuracy"]
    head = ["field"]
    head += [f"{codec} {bound:g}" for bound in BOUNDS for codec in codecs]
    head += ["compress, GB/s at 1e-3", "decompress", "memcpy", "SZ3 compress"]
    lines = [line(head), "|---|" + "---:|" * (len(head) - 1)]
    for field in fields:
        if (field, "bounded", BOUNDS[0]) not in rows:
            continue
        cells = [cell(rows, field, codec, bound) for bound in BOUNDS for codec in codecs]
        cells += speeds(rows, field, "bounded", BOUNDS[0])
        cells.append(cell(rows, field, "sz3", BOUNDS[0], "compress_GBps"))
        lines.append(line([field, *cells]))
    return lines


def exact_table(rows: Rows, fields: list[str]) -> list[str]:
    codecs = [*stages(rows, "exact"), *OTHERS]
    head = ["field", *codecs, "exact, compress GB/s", "decompress", "memcpy", "pcodec compress"]
    lines = [line(head), "|---|" + "---:|" * (len(head) - 1)]
    for field in fields:
        cells = [cell(rows, field, codec, 0.0) for codec in codecs]
        cells += speeds(rows, field, "exact", 0.0)
        cells.append(cell(rows, field, "pcodec", 0.0, "compress_GBps"))
        lines.append(line([field, *cells]))
    return lines


def main() -> None:
    rows = read(Path(sys.argv[1]))
    fields = list(dict.fromkeys(field for field, _, _ in rows))
    print("\n".join([*bounded_table(rows, fields), "", *exact_table(rows, fields)]))


if __name__ == "__main__":
    main()
