"""What two reports differ in, above both of them."""

from typing import Any

import report_charts as charts
from report_parts import paragraph, percent, section, table
from reports import Report, is_number


def change(before: float, after: float) -> str:
    """Such as -12.5 %; nothing where there is nothing to compare with."""
    return f"{100 * (after / before - 1):+.1f} %" if before > 0 else "-"


def compressed(run: dict[str, Any], key: str) -> float:
    return sum(row[key] for row in run["collectives"] if row["tier"] != "raw")


def figures_of(report: Report) -> dict[str, tuple[float, str]]:
    """By name: a number and how it is written."""
    content = report.content
    figures = {}
    if is_number(content.get("seconds")):
        figures["time"] = content["seconds"], f"{content['seconds']:.3g} s"
    if report.is_audit:
        in_mpi, link = content["mpi_seconds"], content.get("bandwidth", 0) * 8e-9
        figures["time in MPI"] = in_mpi, f"{in_mpi:.3g} s"
        figures["link, Gbit/s"] = link, f"{link:.3g}"
        for one in content["forecast"]:
            if one["choice"] in ("exact", "rel:1e-4"):
                share = percent(one["seconds"], content["seconds"])
                name = f"to gain, {one['choice']}"
                figures[name] = one["seconds"], f"{one['seconds']:.3g} s ({share})"
        return figures
    before, after = compressed(content, "bytes_before"), compressed(content, "bytes_after")
    figures["values compressed"] = before, charts.size_text(before)
    figures["sent for them"] = after, charts.size_text(after)
    ratio = before / after if after else 0.0
    figures["times smaller"] = ratio, f"{ratio:.2f}" if ratio else "-"
    return figures


def settings_that_differ(one: Report, other: Report) -> list[tuple[str, str, str, str]]:
    if one.settings is None or other.settings is None:
        return []
    names = [*one.settings, *(name for name in other.settings if name not in one.settings)]
    pairs = [(name, *(each.settings.get(name, "default") for each in (one, other)))
             for name in names]  # fmt: skip
    return [(f"setting {name}", first, second, "") for name, first, second in pairs
            if first != second]  # fmt: skip


def comparison(one: Report, other: Report) -> str:
    first, second = figures_of(one), figures_of(other)
    rows = [
        (name, text, second[name][1], change(number, second[name][0]))
        for name, (number, text) in first.items()
        if name in second
    ]
    rows += settings_that_differ(one, other)
    if one.made_by != other.made_by:
        rows.append(("made by", one.made_by, other.made_by, ""))
    same_name = one.name == other.name
    names = ("first", "second") if same_name else (one.name, other.name)
    return section(
        "What differs",
        table(("", *names, "change"), rows),
        paragraph("Runs differ by themselves, too: compare several of either kind.", True),
    )
