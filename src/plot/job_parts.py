"""Parts of a report, which each rank of a job has written for itself, become one."""

from typing import Any

from reports import Report, ReportError

ROW_KEY = ("collective", "tier", "why_raw", "pipelined", "codec", "algorithm")
ROW_SUMS = ("calls", "message_bytes", "bytes_before", "bytes_after", "seconds", "encoding_seconds",
            "combining_seconds", "decoding_seconds", "communicating_seconds")  # fmt: skip


def is_part(report: Report) -> bool:
    return "part" in report.content


def must_be_of_one_job(parts: list[Report]) -> None:
    first = parts[0]
    for other in parts[1:]:
        if other.content.get("job") != first.content.get("job"):
            raise ReportError(
                f"{first.name} and {other.name} are of two different jobs; give the parts of one"
            )
    ranks = [part.content["part"]["rank"] for part in parts]
    for rank in ranks:
        if ranks.count(rank) > 1:
            raise ReportError(f"there are two parts of rank {rank}; give each once")


def sum_of_rows(parts: list[Report]) -> list[dict[str, Any]]:
    rows: dict[tuple, dict[str, Any]] = {}
    for part in parts:
        for row in part.content["collectives"]:
            key = tuple(row.get(name) for name in ROW_KEY)
            if key not in rows:
                rows[key] = dict(row)
                continue
            known = rows[key]
            for name in ROW_SUMS:
                if name in known:
                    known[name] += row.get(name, 0)
            bounds = (one.get("largest_error_bound", 0) for one in (known, row))
            known["largest_error_bound"] = max(bounds)
    return list(rows.values())


def sum_of(dictionaries: list[dict[str, float]]) -> dict[str, float]:
    names = dictionaries[0]
    return {
        name: (max if name.startswith("most_") else sum)(one.get(name, 0) for one in dictionaries)
        for name in names
    }


def sum_of_rules(parts: list[Report]) -> list[dict[str, Any]]:
    rules = [dict(rule) for rule in parts[0].content.get("rules", ())]
    for i, rule in enumerate(rules):
        rule["calls"] = sum(part.content["rules"][i]["calls"] for part in parts)
    return rules


def joined(parts: list[Report]) -> Report:
    must_be_of_one_job(parts)
    whole = dict(parts[0].content)
    whole["collectives"] = sum_of_rows(parts)
    whole["seconds"] = max(part.content["seconds"] for part in parts)
    for name in ("point_to_point", "history", "helper"):
        if name in whole:
            whole[name] = sum_of([part.content[name] for part in parts])
    if "rules" in whole:
        whole["rules"] = sum_of_rules(parts)
    whole["parts"] = {
        "ranks": sorted(part.content["part"]["rank"] for part in parts),
        "ended_by": sorted({part.content["part"]["ended_by"] for part in parts}),
    }
    name = parts[0].name
    return Report(f"{name} and {len(parts) - 1} more" if len(parts) > 1 else name, False, whole)


def as_jobs(reports: list[Report]) -> list[Report]:
    """What is to be shown: one report, or two to be compared."""
    parts = [report for report in reports if is_part(report)]
    if not parts:
        if len(reports) > 2:
            raise ReportError("give one report, two to be compared, or the parts of one job")
        return reports
    if len(parts) < len(reports):
        whole = next(report for report in reports if not is_part(report))
        raise ReportError(
            f"{parts[0].name} is what one rank has written, {whole.name} is of a whole job; give "
            "parts, or whole reports"
        )
    return [joined(parts)]
