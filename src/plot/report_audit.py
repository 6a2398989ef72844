"""The sections of an audit's page."""

from collections import defaultdict
from typing import Any

import report_charts as charts
from report_parts import figures, paragraph, percent, section, settings, table
from reports import Report

USUAL, FINE = "rel:1e-4", "rel:1e-6"
MOST_ROWS = 20
NOTABLE = 0.01  # of the run


def name_of(call: dict[str, Any]) -> str:
    place = call["site"] or call["object"] or "not known"
    return f"{place}: {call['function'].removeprefix('MPI_')}"


def tried(call: dict[str, Any], choice: str, how: str) -> dict[str, Any] | None:
    found = call.get("samples", {}).get(how, ())
    return next((one for one in found if one["choice"] == choice), None)


def ratio(calls: list[dict[str, Any]], *choices: str, how: str = "tried") -> float:
    """Of the values of all these calls, by the better choice of each. `how`: each message is
    `tried` by itself, or predicted from earlier ones, `in_time`."""
    before = after = 0.0
    for call in calls:
        ratios = [one["ratio"] for choice in choices if (one := tried(call, choice, how))]
        if ratios:
            before += call["bytes"]
            after += call["bytes"] / max(1.0, *ratios)
    return before / after if after else 0.0


def senders(audit: dict[str, Any]) -> list[tuple[str, list[dict[str, Any]]]]:
    """Calls that send, by place and function, the most bytes first."""
    groups = defaultdict(list)
    for call in audit["calls"]:
        if call["bytes"] > 0:
            groups[name_of(call)].append(call)
    return sorted(groups.items(), key=lambda group: -sum(call["bytes"] for call in group[1]))


def heading(report: Report) -> str:
    audit = report.content
    seconds = audit["seconds"]
    gain = next((one for one in audit["forecast"] if one["choice"] == "exact"), None)
    link = audit.get("bandwidth", 0) * 8e-9
    pairs = [
        (f"{audit['ranks']} on {audit['hosts']}", "ranks on hosts"),
        (f"{seconds:.3g} s", "MPI_Init to MPI_Finalize"),
        (percent(audit["mpi_seconds"], seconds), "of it in MPI"),
        (f"{link:.3g} Gbit/s" if link else "not known", "link between hosts"),
        (percent(audit["cost_seconds"], seconds), "the audit's own cost"),
    ]
    if gain:
        pairs.insert(3, (percent(gain["seconds"], seconds), "to gain, every bit kept"))
    return (
        f"<h1>Audit: {report.name}</h1>".replace("&", "&amp;")
        + paragraph(f"{report.made_by}. Every message travelled as it was.", True)
        + verdict(audit)
        + figures(pairs)
    )


def verdict(audit: dict[str, Any]) -> str:
    """The answer in words."""
    seconds = audit["seconds"]
    shares = {one["choice"]: one["seconds"] / seconds for one in audit["forecast"] if seconds > 0}
    if "exact" not in shares or audit["hosts"] < 2:
        return ""
    exact = shares["exact"]
    words = [
        f"With every bit kept, the job would have taken {100 * exact:.0f} % less time."
        if exact > NOTABLE
        else "With every bit kept there is little to gain on this link."
    ]
    if shares.get(USUAL, 0) > max(NOTABLE, exact):
        words.append(
            f"If values may err by 1e-4 of their range: {100 * shares[USUAL]:.0f} % less time."
        )
    elif USUAL in shares:
        words.append("An error bound would not gain more.")
    return paragraph(" ".join(words))


def gains(audit: dict[str, Any]) -> str:
    seconds = audit["seconds"]
    if audit["hosts"] < 2:
        return section("What would be gained", paragraph(
            "All ranks were on one host, where nothing is compressed."))  # fmt: skip
    shown = [one for one in audit["forecast"]
             if one["choice"] == "exact" or one["choice"].startswith("rel:")]  # fmt: skip
    names = [one["choice"] for one in shown]
    after = [seconds - one["seconds"] for one in shown]
    rows = [
        (one["choice"], round(seconds - one["seconds"], 4), percent(one["seconds"], seconds),
         f"{one['least']:.3g} to {one['most']:.3g} s")
        for one in audit["forecast"]
        if one["choice"] == "exact" or one["seconds"] > NOTABLE * seconds
    ]  # fmt: skip
    return section(
        "What would be gained",
        paragraph(
            "Time of the job as it was, and as it would have been by the cost model: exactly, and "
            "with an error bound that is a part of the range of the values."
        ),
        charts.bars(
            "time before and after", ["as it was", *names],
            {"seconds": [seconds, *after]}, "seconds",
        ),
        table(("settings", "s after", "gain", "it may be"), rows),
        paragraph(
            "The least is by the worst sample, each message by itself, where no rank waits for a "
            "busier one; the most by the best sample. The model errs beside that.", True
        ),
    )  # fmt: skip


def ratios(audit: dict[str, Any]) -> str:
    groups = [(name, calls) for name, calls in senders(audit)
              if any("samples" in call for call in calls)]  # fmt: skip
    if not groups:
        return section("What values shrink to", paragraph("No message was sampled."))
    series = {
        "exact": [ratio(calls, "exact", "exact+entropy") for _, calls in groups],
        USUAL: [ratio(calls, USUAL) for _, calls in groups],
        FINE: [ratio(calls, FINE) for _, calls in groups],
    }
    in_time = [ratio(calls, "exact", "exact+entropy", how="in_time") for _, calls in groups]
    if any(in_time):
        series["exact, from earlier messages"] = in_time
    return section(
        "What values shrink to",
        charts.bars(
            "ratio by call",
            [name for name, _ in groups],
            series,
            "ratio, times smaller",
            are_ratios=True,
        ),
    )


def accuracy(audit: dict[str, Any]) -> str:
    parts = defaultdict(float)
    noise = {}
    fills = values = 0
    for call in audit["calls"]:
        samples = call.get("samples", {})
        fills += samples.get("fill_values", 0)
        values += samples.get("values", 0)
        for one in samples.get("tried", ()):
            choice = one["choice"]
            if choice.startswith("exact"):
                continue
            if not choice.startswith("rel:"):
                share = one["largest_error"] / float(choice)
                parts[float(choice)] = max(parts[float(choice)], share)
            elif one["psnr"] is not None:
                noise[choice] = min(noise.get(choice, one["psnr"]), one["psnr"])
    if not parts:
        return section("Errors", paragraph("No floating-point values were sampled."))
    rows = [(choice, f"{value:.1f} dB") for choice, value in noise.items()]
    return section(
        "Errors against bounds",
        charts.errors("largest error by bound", sorted(parts.items(), reverse=True)),
        table(("bound, of the range", "PSNR of the worst sample"), rows),
        paragraph(f"Fill values: {percent(fills, values)} of the values that were sampled."),
    )


def traffic(audit: dict[str, Any]) -> str:
    by_class = defaultdict(float)
    for call in audit["calls"]:
        if call["bytes"] > 0:
            by_class[call["size_class"]] += call["bytes"]
    parts = [charts.histogram("bytes by size of message", by_class)] if by_class else []
    if audit["sent"]:
        drawing = charts.matrix("who sends to whom", audit["sent"], audit["ranks"])
        parts.append(f'<div class="matrix">{drawing}</div>')
        parts.append(paragraph("Messages between two ranks; collectives are left out.", True))
    return section("What was sent", *parts) if parts else ""


def left_alone(audit: dict[str, Any]) -> str:
    why = defaultdict(lambda: [0, 0])
    for call in audit["calls"]:
        if call["bytes"] > 0 and call["reason"]:
            why[call["reason"]][0] += call["bytes"]
            why[call["reason"]][1] += call["calls"]
    most_first = sorted(why.items(), key=lambda one: -one[1][0])
    rows = [(reason, charts.size_text(size), calls) for reason, (size, calls) in most_first]
    if not rows:
        return ""
    return section("Left alone without a bound, and why",
                   table(("it", "bytes", "calls"), rows))  # fmt: skip


def calls(audit: dict[str, Any]) -> str:
    ordered = sorted(audit["calls"], key=lambda call: -call["seconds"])
    rows = [
        (call["site"] or call["object"] or "not known", call["function"], call["communicator"],
         call["peer"] if call["bytes"] else "", call["type"] if call["bytes"] else "",
         charts.size_text(call["bytes"] / call["calls"]) if call["bytes"] else "0 B",
         call["calls"], round(call["seconds"] / audit["ranks"], 4))
        for call in ordered[:MOST_ROWS]
        if call["calls"] > 0
    ]  # fmt: skip
    more = len(ordered) - MOST_ROWS
    return section(
        "Calls, by the time in them",
        table(("where", "call", "communicator", "peer", "type", "each", "calls", "s a rank"), rows),
        paragraph(f"… and {more} more", True) if more > 0 else "",
    )


def audit_sections(report: Report) -> list[str]:
    audit = report.content
    return [heading(report), gains(audit), ratios(audit), left_alone(audit), traffic(audit),
            accuracy(audit), calls(audit), settings(report)]  # fmt: skip
