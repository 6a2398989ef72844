"""The HTML page of a report: its frame, and what two kinds of reports have in common."""

from html import escape

from report_audit import audit_sections
from report_compared import comparison
from report_run import run_sections
from reports import Report

STYLE = """
:root { color-scheme: light dark; --ink: #1c2530; --back: #ffffff; --lines: #8a94a0;
  --quiet: #5b6672; --faint: #eef1f4; --mark: #0a6ebd; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e8ec; --back: #14181d; --lines: #75808c;
  --quiet: #a3adb8; --faint: #20262d; --mark: #5cb0f2; } }
@media print { :root { --ink: #000; --back: #fff; --lines: #666; --quiet: #444; --faint: #f2f2f2; }
  section { break-inside: avoid; } }
body { margin: 0 auto; padding: 1.5rem; max-width: 60rem; background: var(--back);
  color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
body.two { max-width: 110rem; }
.sides { display: grid; gap: 2rem; }
body.two .sides { grid-template-columns: repeat(2, minmax(0, 1fr)); }
@media (max-width: 60rem) { body.two .sides { grid-template-columns: minmax(0, 1fr); } }
h1 { font-size: 1.5rem; margin: 0 0 .2rem; } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
p { margin: .4rem 0; } .note { color: var(--quiet); font-size: .9em; }
.warning { border-left: .3rem solid #e07b00; padding: .3rem .8rem; background: var(--faint); }
.figures { display: flex; flex-wrap: wrap; gap: .8rem; margin: 1rem 0; }
.figures div { background: var(--faint); border-radius: .4rem; padding: .5rem .9rem; }
.figures b { display: block; font-size: 1.25rem; color: var(--mark); }
.table { overflow-x: auto; } table { border-collapse: collapse; font-size: .9em; }
th, td { text-align: left; padding: .25rem .7rem; border-bottom: 1px solid var(--faint); }
th { border-bottom: 1px solid var(--lines); } td.n, th.n { text-align: right;
  font-variant-numeric: tabular-nums; white-space: nowrap; }
svg { max-width: 100%; height: auto; display: block; } .matrix svg { max-width: 32rem; }
code { font-size: .95em; background: var(--faint); padding: .1rem .3rem; border-radius: .2rem; }
"""


def side(report: Report) -> str:
    sections = audit_sections(report) if report.is_audit else run_sections(report)
    return f"<main>{''.join(sections)}</main>"


def page_of(reports: list[Report]) -> str:
    names = " and ".join(report.name for report in reports)
    two = ' class="two"' if len(reports) > 1 else ""
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Tightwire: {escape(names)}</title><style>{STYLE}</style></head>\n"
        f"<body{two}>{comparison(*reports) if len(reports) == 2 else ''}"
        '<div class="sides">'
        + "\n".join(side(report) for report in reports)
        + "</div></body></html>\n"
    )
