#!/usr/bin/env python3
"""Measures every codec on every field (bench_codec), prints the table, and says how the
project's claims stand. Options go to bench_codec; --help lists them."""

import sys
from collections import defaultdict

from codec_job import measure, with_numbers


def print_table(rows):
    fields = defaultdict(list)
    for row in rows:
        fields[row["field"], row["type"]].append(row)
    for (field, kind), group in fields.items():
        print(f"\n{field} ({kind})")
        heads = ("codec", "bound", "compress", "expand", "memcpy", "ratio", "error/bound")
        print("  {:16} {:>7} {:>9} {:>9} {:>9} {:>9}  {}".format(*heads))
        for row in sorted(group, key=lambda row: -row["error_bound_rel"]):
            bound = f"{row['error_bound_rel']:g}" if row["error_bound_rel"] else "exact"
            columns = ("compress_GBps", "expand_GBps", "memcpy_GBps", "ratio")
            values = " ".join(f"{row[column]:9.3f}" for column in columns)
            error = f"  {row['max_error_over_bound']:.6f}" if row["error_bound_rel"] else ""
            print(f"  {row['codec']:16} {bound:>7} {values}{error}")
    print("\nGB/s of uncompressed data by processor time, one core; medians of alternating rounds")


class Table:
    """Looks rows up; None where one was not measured."""

    def __init__(self, rows):
        self.rows = {(row["field"], row["codec"], row["error_bound_rel"]): row for row in rows}

    def get(self, field, codec, bound=0.0, column="ratio"):
        row = self.rows.get((field, codec, bound))
        return row and row[column]


def ratios(table, field, bound):
    """What `bounded` must be on this field: (what, value, demand)."""
    ours = table.get(field, "bounded", bound)
    reference = table.get(field, "fz-light-layout", bound)
    demands = {"turbulence": 1.5, "turbulence_3d": 1.5, "gradient": 1.35, "quiet_wavefield": 8}
    if ours and reference and field in demands:
        yield f"{field} {bound:g}: ratio over fz-light's layout", ours / reference, demands[field]
    sz3 = table.get(field, "sz3", bound)
    if ours and sz3 and field == "turbulence":
        yield f"{field} {bound:g}: ratio over SZ3's", ours / sz3, 1


def speeds(table, field, bound):
    for column, word in (("compress_GBps", "compress"), ("expand_GBps", "expand")):
        ours = table.get(field, "bounded", bound, column)
        zstd = table.get(field, "zstd", 0.0, column)
        if ours and zstd and field != "quiet_wavefield":
            yield f"{field} {bound:g}: {word} over zstd -1", ours / zstd, 10
        copy = table.get(field, "bounded", bound, "memcpy_GBps")
        if ours and field == "quiet_wavefield":
            yield f"{field} {bound:g}: {word} over memcpy", ours / copy, 1
        elif ours and word == "expand":
            yield f"{field} {bound:g}: {word} over memcpy", ours / copy, 0.8


def exact_claims(table):
    columns = (("compress_GBps", "compress"), ("expand_GBps", "expand"))
    demands = [("ratio", "ratio", "zstd", 1.4), ("ratio", "ratio", "shuffle+zstd", 1.1)]
    demands += [(column, word, "zstd", 8) for column, word in columns]
    for column, word, other, demand in demands:
        ours = table.get("climate", "exact", column=column)
        theirs = table.get("climate", other, column=column)
        if ours and theirs:
            name = "zstd -1" if other == "zstd" else other
            yield f"climate exact: {word} over {name}", ours / theirs, demand
    for (field, codec, _), row in table.rows.items():
        other = table.get(field, "shuffle+zstd")
        if codec == "exact+entropy" and other:
            yield f"{field} exact+entropy: ratio over shuffle+zstd", row["ratio"] / other, 1
    if noise := table.get("white_noise", "exact"):
        yield "white_noise exact: ratio", noise, 0.999


def print_claims(rows):
    table = Table(rows)
    claims = []
    for bound in (1e-3, 1e-4):
        for field in ("turbulence", "turbulence_3d", "gradient", "quiet_wavefield"):
            claims += ratios(table, field, bound)
            claims += speeds(table, field, bound)
    claims += exact_claims(table)
    for row in rows:
        if row["codec"] == "bounded" and row["max_error_over_bound"] > 1:
            claims.append((f"{row['field']}: bound over largest error", 0, 1))
    print("\nclaims")
    for what, value, demand in claims:
        verdict = "holds" if value >= demand else "FAILS"
        print(f"  {verdict}  {what}: {value:.2f}, claimed {demand:g}")


def main():
    output, measured = measure("bench_codec", sys.argv[1:], "codec.csv")
    rows = with_numbers(measured, {"field", "type", "codec"})
    print_table(rows)
    print_claims(rows)
    print(f"\nwritten: {output}")


main()
