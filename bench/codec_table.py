"""Prints codec.csv as Markdown: tables of bounded codecs, of their blocks and errors, and of exact
ones. Argument: the file."""

import csv
import sys
from pathlib import Path

Rows = dict[tuple[str, str, float], dict[str, str]]
BOUNDS = (1e-3, 1e-4, 1e-5)
LOOSE = 1e-1
QUALITY_BOUND = 1e-4
LAYOUTS = ("fz-light-layout", "szx-layout")
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


def share(rows: Rows, field: str, codec: str, bound: float) -> str:
    """Of constant blocks, in percent; empty where there are no blocks."""
    text = rows[field, codec, bound]["constant_blocks"] if (field, codec, bound) in rows else ""
    return f"{100 * float(text):.1f}" if text else ""


def quality(rows: Rows, field: str, codec: str) -> str:
    """PSNR in dB, and NRMSE. Where that is above the bound there is no use in either."""
    row = rows.get((field, codec, QUALITY_BOUND))
    if row is None:
        return ""
    if float(row["nrmse"]) > QUALITY_BOUND:
        return "bound broken"
    return f"{float(row['psnr_db']):.1f}, {float(row['nrmse']):.1e}"


def blocks_table(rows: Rows, fields: list[str]) -> list[str]:
    """The loosest bound of the papers, and what part of the blocks is constant."""
    codecs = [*stages(rows, "bounded"), "sz3", "zfp-accuracy", *LAYOUTS]
    blocks, bounds = ("bounded", *LAYOUTS), (LOOSE, *BOUNDS[:2])
    head = ["field", *(f"{codec} {LOOSE:g}" for codec in codecs)]
    head += [f"constant, {codec} {bound:g}, %" for bound in bounds for codec in blocks]
    lines = [line(head), "|---|" + "---:|" * (len(head) - 1)]
    for field in fields:
        if (field, "bounded", LOOSE) not in rows:
            continue
        cells = [cell(rows, field, codec, LOOSE) for codec in codecs]
        cells += [share(rows, field, codec, bound) for bound in bounds for codec in blocks]
        lines.append(line([field, *cells]))
    return lines


def quality_table(rows: Rows, fields: list[str]) -> list[str]:
    codecs = ["bounded", "sz3", "zfp-accuracy", *LAYOUTS]
    head = ["field", *(f"{codec}, PSNR in dB and NRMSE" for codec in codecs)]
    lines = [line(head), "|---|" + "---:|" * (len(head) - 1)]
    for field in fields:
        if (field, "bounded", QUALITY_BOUND) in rows:
            lines.append(line([field, *(quality(rows, field, codec) for codec in codecs)]))
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
    tables = [make(rows, fields) for make in (bounded_table, blocks_table, quality_table)]
    tables.append(exact_table(rows, fields))
    print("\n\n".join("\n".join(lines) for lines in tables))


if __name__ == "__main__":
    main()
