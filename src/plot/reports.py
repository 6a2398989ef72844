"""Reads what a report page is made of: an audit, or the report of a run."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

AUDIT_FORMAT = RUN_FORMAT = 1
AUDIT_KEYS = ("tightwire", "ranks", "hosts", "seconds", "mpi_seconds", "calls", "sent", "forecast")
RUN_KEYS = ("tightwire", "ranks", "error_bound", "collectives")
CALL_NUMBERS = ("calls", "bytes", "seconds", "size_class")
CALL_TEXTS = ("site", "object", "function", "communicator", "peer", "type", "reason")
ROW_NUMBERS = ("calls", "message_bytes", "bytes_before", "bytes_after", "seconds")
ROW_TEXTS = ("collective", "tier", "codec", "algorithm")


class ReportError(Exception):
    """What is wrong, for the user."""


@dataclass(frozen=True)
class Report:
    name: str  # of the file
    is_audit: bool
    content: dict[str, Any]

    @property
    def ranks(self) -> int:
        return self.content["ranks"]

    @property
    def made_by(self) -> str:
        """Tightwire's and MPI's version, and that of the file's format."""
        made = [f"Tightwire {self.content['tightwire']}", self.content.get("mpi", "")]
        made.append(f"format {self.content.get('audit' if self.is_audit else 'report', 1)}")
        return ", ".join(one for one in made if one)

    @property
    def settings(self) -> dict[str, str] | None:
        """Those that are not the default; files of older versions do not tell."""
        return self.content.get("settings")


def is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def are_rows(rows: object, numbers: tuple[str, ...], texts: tuple[str, ...]) -> bool:
    return isinstance(rows, list) and all(
        isinstance(row, dict)
        and all(is_number(row.get(key)) for key in numbers)
        and all(isinstance(row.get(key), str) for key in texts)
        for row in rows
    )


def is_whole(content: dict[str, Any], is_audit: bool) -> bool:
    if not all(key in content for key in (AUDIT_KEYS if is_audit else RUN_KEYS)):
        return False
    if not isinstance(content["ranks"], int) or content["ranks"] < 1:
        return False
    if not all(isinstance(content.get(key, ""), str) for key in ("tightwire", "mpi")):
        return False
    settings = content.get("settings", {})
    if not isinstance(settings, dict) or not all(isinstance(one, str) for one in settings.values()):
        return False
    if not is_audit:
        rows = content["collectives"]
        return are_rows(rows, ROW_NUMBERS, ROW_TEXTS) and is_whole_part(content)
    sent = content["sent"]
    return (
        are_rows(content["calls"], CALL_NUMBERS, CALL_TEXTS)
        and are_rows(content["forecast"], ("seconds", "least", "most"), ("choice",))
        and isinstance(sent, list)
        and all(isinstance(one, list) and len(one) == 4 for one in sent)
        and all(0 <= rank < content["ranks"] for one in sent for rank in one[:2])
    )


def is_whole_part(content: dict[str, Any]) -> bool:
    """What one rank of a job has written for itself; others are left to is_whole()."""
    if "part" not in content:
        return True
    part = content["part"]
    return (
        isinstance(part, dict)
        and isinstance(part.get("rank"), int)
        and 0 <= part["rank"] < content["ranks"]
        and isinstance(part.get("ended_by"), str)
        and isinstance(content.get("job"), str)
        and is_number(content.get("seconds"))
    )


def read_report(path: Path) -> Report:
    try:
        content = json.loads(path.read_bytes())
    except OSError as error:
        raise ReportError(f"cannot read {path}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise ReportError(f"{path} is cut off, or no JSON; make it anew") from error
    if not isinstance(content, dict) or not ("audit" in content or "collectives" in content):
        raise ReportError(
            f"{path} is neither an audit nor a report; tightwire audit writes the one, --report "
            "FILE.json the other"
        )
    is_audit = "audit" in content
    if is_audit and content["audit"] != AUDIT_FORMAT:
        raise ReportError(f"{path} is an audit of another version of Tightwire; make it anew")
    if not is_audit and content.get("report", RUN_FORMAT) != RUN_FORMAT:
        raise ReportError(f"{path} is a report of another version of Tightwire; make it anew")
    if not is_whole(content, is_audit):
        raise ReportError(f"{path} is damaged, or of another version of Tightwire; make it anew")
    return Report(path.name, is_audit, content)


def must_be_alike(reports: list[Report]) -> None:
    """Runs are compared of one job, told in one way."""
    if len({report.is_audit for report in reports}) > 1:
        raise ReportError(
            f"{reports[0].name} and {reports[1].name} cannot be compared: one is an audit, the "
            "other the report of a run"
        )
    if len({report.ranks for report in reports}) > 1:
        raise ReportError(
            f"{reports[0].name} and {reports[1].name} cannot be compared: they are of two "
            f"different jobs, of {reports[0].ranks} and {reports[1].ranks} ranks"
        )
