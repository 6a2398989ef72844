"""Pieces of HTML: tables, figures, sections. Every text is escaped here."""

from collections.abc import Iterable, Sequence
from html import escape

from reports import Report


def section(title: str, *parts: str) -> str:
    return f"<section><h2>{escape(title)}</h2>{''.join(parts)}</section>"


def percent(part: float, whole: float) -> str:
    return f"{100 * part / whole:.1f} %" if whole > 0 else "-"


def paragraph(text: str, note: bool = False) -> str:
    return f"<p{' class=note' if note else ''}>{escape(text)}</p>"


def figures(pairs: Iterable[tuple[str, str]]) -> str:
    cells = "".join(f"<div><b>{escape(value)}</b>{escape(name)}</div>" for value, name in pairs)
    return f'<div class="figures">{cells}</div>'


def is_number(value: object) -> bool:
    """Numbers, given as such or as texts that begin with one."""
    return not isinstance(value, str) or value[:1].isdigit()


def cell(value: object, to_the_right: bool) -> str:
    text = f"{value:.3g}" if isinstance(value, float) else str(value)
    return f"<td{' class=n' if to_the_right else ''}>{escape(text)}</td>"


def table(heads: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A column stands to the right where all of it are numbers, or nothing."""
    if not rows:
        return ""
    right = [
        all(is_number(value) for value in column if value not in ("", "-", "exact"))
        for column in zip(*rows, strict=True)
    ]
    top = "".join(
        f"<th{' class=n' if to_the_right else ''}>{escape(head)}</th>"
        for head, to_the_right in zip(heads, right, strict=True)
    )
    body = "".join(
        "<tr>" + "".join(cell(*one) for one in zip(row, right, strict=True)) + "</tr>"
        for row in rows
    )
    return f'<div class="table"><table><tr>{top}</tr>{body}</table></div>'


def settings(report: Report) -> str:
    """What was asked for."""
    if report.settings is None:
        return ""
    rows = list(report.settings.items())
    told = table(("setting", "value"), rows) if rows else paragraph("All as by default.")
    return section("Settings", told)
