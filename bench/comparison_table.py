"""The comparison in words: one table for each network, and what it has to show."""

from comparison_files import Row

METHODS = ("raw-best", "cprp2p-zfp-rate", "cprp2p-zfp-accuracy", "cprp2p", "ccoll-szx", "ccoll-szp")
METHODS += ("ccoll", "tightwire-result", "tightwire")
HARD = "turbulence"
WANTED_OVER_CCOLL = 2.0


def distinct(rows: list[Row], column: str) -> list[str]:
    return list(dict.fromkeys(row[column] for row in rows))


def common_size(rows: list[Row]) -> str:
    """The largest of the sizes that most rows are of."""
    sizes = distinct(rows, "bytes")
    counts = {size: sum(row["bytes"] == size for row in rows) for size in sizes}
    most = max(counts.values())
    return max((size for size in sizes if counts[size] == most), key=int)


def setups(rows: list[Row]) -> dict[tuple[str, str], list[Row]]:
    """By link and hosts."""
    found: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        found.setdefault((row["link_gbps"], row["hosts"]), []).append(row)
    return found


def figure(text: str) -> str:
    """Three digits."""
    value = float(text)
    return f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:.0f}"


def table(rows: list[Row]) -> str:
    """Times faster than plain MPI, as Markdown; `rows` are of one network and size."""
    methods = [method for method in METHODS if method in distinct(rows, "method")]
    lines = ["| operation | field | plain MPI, ms | " + " | ".join(methods) + " |"]
    lines.append("|---|---|" + "---:|" * (len(methods) + 1))
    for op in distinct(rows, "op"):
        for field in distinct(rows, "field"):
            by_method = {r["method"]: r for r in rows if r["op"] == op and r["field"] == field}
            if not by_method:
                continue
            cells = [figure(by_method[m]["speedup"]) if m in by_method else "" for m in methods]
            raw = float(next(iter(by_method.values()))["raw_ms"])
            name = field.replace("_", " ")
            lines.append(f"| {op} | {name} | {raw:.1f} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def over_ccoll(rows: list[Row]) -> list[tuple[str, str, float]]:
    """(size, field, times faster than the C-Coll-like baseline) of Tightwire's allreduce."""
    times = {
        (row["bytes"], row["field"], row["method"]): float(row["median_ms"])
        for row in rows
        if row["op"] == "allreduce"
    }
    return [
        (size, field, times[size, field, "ccoll"] / ms)
        for (size, field, method), ms in times.items()
        if method == "tightwire" and (size, field, "ccoll") in times
    ]


def print_tables(rows: list[Row]) -> None:
    for (link, hosts), here in setups(rows).items():
        size = common_size(here)
        print(f"\n{hosts} hosts at {link} Gbit/s, {int(size) >> 10} KiB: times faster\n")
        print(table([row for row in here if row["bytes"] == size]))
        ratios = [(ratio, size) for size, field, ratio in over_ccoll(here) if field == HARD]
        if ratios:
            ratio, size = max(ratios)
            print(
                f"\nallreduce of {HARD}: at best {ratio:.2f} times as fast as the C-Coll-like "
                f"baseline, at {int(size) >> 10} KiB (wanted at 10 Gbit/s: {WANTED_OVER_CCOLL:g})"
            )
