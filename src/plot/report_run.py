"""The sections of the page of a run: what --report has written."""

from html import escape
from typing import Any

import report_charts as charts
from report_parts import figures, paragraph, percent, section, settings, table
from reports import Report, is_number

# As docs/user/report.md explains them.
WHY = {
    "below-threshold": "below the threshold",
    "rounded-sum": "sum of floating-point numbers, no bound",
    "same-host": "within one host",
    "no-gain": "would not shrink",
    "too-slow": "would take longer",
    "measuring": "the network was not known yet",
    "few": "too few calls yet",
    "shared-cores": "ranks share cores",
    "synchronous": "synchronous send",
    "off": "switched off",
    "unhandled": "not handled",
    "one-sided": "not handled: one-sided",
}


def is_raw(row: dict[str, Any]) -> bool:
    return row["tier"] == "raw"


def name_of(row: dict[str, Any]) -> str:
    return f"{row['collective']}, {row['codec']}"


def not_all(run: dict[str, Any]) -> str:
    """Of a job that was ended, or goes on."""
    if "parts" not in run:
        return ""
    ranks = run["parts"]["ranks"]
    shown = ", ".join(map(str, ranks[:8])) + (", …" if len(ranks) > 8 else "")
    whose = "All ranks" if len(ranks) == run["ranks"] else f"Rank {shown} of {run['ranks']}"
    end = ", ".join(run["parts"]["ended_by"])
    how = "The job goes on, or was killed." if end == "so far" else f"The job was ended: {end}."
    return f'<p class="warning">{escape(how)} {escape(whose)}, up to then.</p>'


def heading(report: Report) -> str:
    run = report.content
    coded = [row for row in run["collectives"] if not is_raw(row)]
    before = sum(row["bytes_before"] for row in coded)
    after = sum(row["bytes_after"] for row in coded)
    passed = sum(row["message_bytes"] for row in run["collectives"] if is_raw(row))
    bounds = [row.get("largest_error_bound", 0) for row in coded]
    known = is_number(run.get("seconds"))
    seconds = f" {run['seconds']:.3g} s since MPI_Init." if known else ""
    return (
        f"<h1>Run: {escape(report.name)}</h1>"
        + paragraph(f"{report.made_by}. Error bound {run['error_bound']}.{seconds}", True)
        + not_all(run)
        + figures(
            [
                (str(run["ranks"]), "ranks"),
                (f"{before / after:.2f}" if after else "-", "times smaller"),
                (charts.size_text(before), "of values compressed"),
                (charts.size_text(after), "sent for them"),
                (charts.size_text(passed), "left to MPI as it was"),
                (f"{max(bounds, default=0):.3g}" if any(bounds) else "exact", "largest bound used"),
            ]
        )
    )


def compressed(run: dict[str, Any]) -> str:
    rows = [row for row in run["collectives"] if not is_raw(row)]
    if not rows:
        return section("What was compressed", paragraph("Nothing."))
    rows.sort(key=lambda row: -row["bytes_before"])
    series = {
        "before": [row["bytes_before"] / charts.MIB for row in rows],
        "after": [row["bytes_after"] / charts.MIB for row in rows],
    }
    cells = [
        (row["collective"], row["tier"], row["codec"], row["algorithm"], row["calls"],
         charts.size_text(row["bytes_before"]), charts.size_text(row["bytes_after"]),
         f"{row['bytes_before'] / row['bytes_after']:.2f}" if row["bytes_after"] else "-",
         round(1e3 * row["seconds"] / max(row["calls"], 1), 3),
         f"{row['largest_error_bound']:.3g}" if row.get("largest_error_bound") else "exact")
        for row in rows
    ]  # fmt: skip
    heads = ("call", "tier", "codec", "algorithm", "calls", "before", "after", "ratio", "ms each",
             "bound")  # fmt: skip
    return section(
        "What was compressed",
        charts.bars("bytes before and after", [name_of(row) for row in rows], series, "MiB"),
        table(heads, cells),
    )


PHASES = ("encoding", "combining", "decoding", "communicating")


def split(run: dict[str, Any]) -> str:
    """What a call's time went into."""
    rows = [row for row in run["collectives"] if not is_raw(row) and row["calls"] > 0]
    known = [row for row in rows if all(is_number(row.get(f"{one}_seconds")) for one in PHASES)]
    known.sort(key=lambda row: -row["seconds"])
    if not known:
        return ""
    series = {
        phase: [1e3 * row[f"{phase}_seconds"] / row["calls"] for row in known] for phase in PHASES
    }
    shares = [
        (row["collective"], row["codec"], row["algorithm"],
         *(percent(row[f"{one}_seconds"], row["seconds"]) for one in PHASES),
         round(row["seconds"] / run["ranks"], 3))
        for row in known
    ]  # fmt: skip
    return section(
        "What the time of collectives went into",
        charts.stacked("time of a call", [name_of(row) for row in known], series, "ms of a call"),
        table(("call", "codec", "algorithm", *PHASES, "s a rank"), shares),
        paragraph(
            "Combining: a frame and values, or two frames, become one. Communicating: all else, "
            "waiting for other ranks included.",
            True,
        ),
    )


def passed_through(run: dict[str, Any]) -> str:
    rows = [
        (row["collective"], WHY.get(row.get("why_raw"), str(row.get("why_raw") or "")),
         row["calls"], charts.size_text(row["message_bytes"]))
        for row in run["collectives"]
        if is_raw(row)
    ]  # fmt: skip
    if not rows:
        return ""
    return section(
        "Left to MPI as it was, and why",
        table(("call", "why", "calls", "bytes"), rows),
        paragraph("What to do about it: docs/user/report.md, and tightwire explain.", True),
    )


def rules(run: dict[str, Any]) -> str:
    rows = [(one["rule"], one["text"], one["place"], one["calls"]) for one in run.get("rules", ())]
    return section("Rules", table(("", "rule", "from", "calls"), rows)) if rows else ""


MORE = {
    ("point_to_point", "coding_seconds"): "seconds that encoding them took",
    ("point_to_point", "expanding_seconds"): "seconds that decoding them took",
    ("history", "messages"): "messages predicted from earlier ones",
    ("history", "bytes_before"): "bytes of their values",
    ("history", "bytes_after"): "bytes sent for them",
    ("history", "bytes_alone"): "bytes that they would have come to alone, by samples",
    ("history", "most_kept_bytes"): "bytes of earlier messages that a rank kept at most",
    ("helper", "chunks"): "chunks that helper threads coded",
}


def more(run: dict[str, Any]) -> str:
    known = [
        (MORE.get((part, name), f"{part}: {name.replace('_', ' ')}"), f"{value:.6g}")
        for part in ("point_to_point", "history", "early", "helper")
        for name, value in run.get(part, {}).items()
        if value
    ]
    if not known:
        return ""
    return section("Messages between two ranks", table(("what", "sum over ranks"), known))


def run_sections(report: Report) -> list[str]:
    run = report.content
    return [heading(report), compressed(run), split(run), passed_through(run), rules(run),
            more(run), settings(report)]  # fmt: skip
