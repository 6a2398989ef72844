#!/usr/bin/env python3
"""Write docs/user/coverage.md: what becomes of every MPI function under Tightwire. With a file:
write a table in C++ of those that carry values for `tightwire doctor` instead.

Made of src/interpose/calls.def (what is handled) and tools/mpi_functions.txt (all there are).
"""

import argparse
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
INTERPOSE = ROOT / "src" / "interpose"
PAGE = ROOT / "docs" / "user" / "coverage.md"
FUNCTIONS_LIST = ROOT / "tools" / "mpi_functions.txt"
sys.path.insert(0, str(INTERPOSE))

from calls_table import Call, read_calls  # noqa: E402

HEAD = """\
# What becomes of every MPI function

<!-- Written by tools/coverage.py from calls.def and tools/mpi_functions.txt. Do not edit. -->

All {functions} functions of MPI 4.0, of which {handled} are handled. `tightwire doctor ./app` says
which of them a program imports.

- **compressed**: large messages are compressed where that is profitable;
  [collectives.md](collectives.md) says when, and which calls are passed to MPI unmodified
  all the same.
- **served**: carries no values itself, or passes them on unmodified, but Tightwire does something
  there. The messages of synchronous sends are
  [compressed by GPUs alone](point-to-point.md#probes).
- **counted**: the call goes to MPI, and the [report](report.md) has its bytes.
- **passed through**: Tightwire does not stand in front of the function. The call goes straight from
  the program to MPI.

*MPI* is the version of the standard that brought the function, *Tightwire* the version since which
it is handled. `_c` is MPI 4's form with wider counts; mostly it fares alike.
All hold for C and for Fortran's three bindings alike, which end in the same functions.
"""

TABLE = """// Made by tools/coverage.py. Do not edit.
#include "cli/doctor/mpi_functions.h"

#include <array>

namespace tightwire::cli {{
namespace {{

constexpr std::array<MpiFunction, {count}> functions{{{{
{lines}}}}};

}}  // namespace

std::span<const MpiFunction> mpi_functions() {{
  return functions;
}}

}}  // namespace tightwire::cli
"""

SYNCHRONOUS = {"Ssend", "Issend", "Ssend_init"}

COLLECTIVE = (
    "Allreduce|Reduce|Bcast|Reduce_scatter|Reduce_scatter_block|Scan|Exscan|Gatherv?|Scatterv?"
    "|Allgatherv?|Alltoall[vw]?|Barrier"
)
NON_BLOCKING = "|".join("I" + one[0].lower() + one[1:] for one in COLLECTIVE.split("|"))
# What the doctor looks for.
MOVING = COLLECTIVE.removesuffix("|Barrier")
CARRIES_VALUES = (
    f"(({MOVING})|({NON_BLOCKING.removesuffix('|Ibarrier')}))(_init)?"
    r"|I?[Nn]eighbor_\w+|I?[SBRsbr]?[Ss]end(_init)?|I?[Ss]endrecv(_replace)?|I?[Rr]ecv(_init)?"
    r"|P(send|recv)_init|I?[Mm]recv|R?([Pp]ut|[Gg]et|[Aa]ccumulate|get_accumulate)"
    r"|Get_accumulate|Fetch_and_op|Compare_and_swap"
)
# The first that fits: title, functions, what to say of them.
SECTIONS = [
    ("Collectives", COLLECTIVE, ""),
    (
        "Non-blocking collectives",
        NON_BLOCKING,
        "These go on in every call of MPI that the program makes, whichever it is:\n"
        "[collectives.md](collectives.md#those-that-return-at-once).",
    ),
    (
        "Persistent collectives",
        f"({COLLECTIVE})_init",
        "",
    ),
    ("Neighbourhood collectives", r"I?[Nn]eighbor_\w+", ""),
    (
        "Point to point",
        r"[IBSRibsr]?([Ss]?[Ss]end|[Rr]ecv|[Rr]send|[Bb]send)(recv)?(_replace)?(_init)?"
        r"|Isendrecv(_replace)?|(Im|M|I)?[Pp]robe|(Im|M)recv|P(send|recv)_init"
        r"|P(ready|arrived)\w*|Test\w*|Wait(all|any|some)?|Start(all)?|Cancel"
        r"|Request_(free|get_status)|Buffer_\w+|Get_(count|elements)\w*",
        "",
    ),
    (
        "One-sided",
        r"Win_\w+|R?(Put|Get|Accumulate|get|put|accumulate|get_accumulate)|Get_accumulate"
        r"|Fetch_and_op|Compare_and_swap",
        "",
    ),
    ("Files", r"File_\w+|Register_datarep", ""),
    ("Tools interface", r"T_\w+|Pcontrol", ""),
    (
        "Start and end",
        r"Init(_thread|ialized)?|Finalized?|Abort|Session_\w+|(Query|Is)_thread\w*",
        "",
    ),
    ("Communicators, groups, types and the rest", r"\w+", ""),
]


def read_functions(path: Path) -> dict[str, str]:
    """The version of MPI that brought each function."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return dict(line.split() for line in lines if not line.startswith("#"))


def handled_functions(calls: list[Call]) -> dict[str, Call]:
    """By name, the forms with wider counts among them."""
    handled = {call.name: call for call in calls}
    return handled | {call.name + "_c": call for call in calls if call.large_count_parameters}


def row(name: str, functions: dict[str, str], handled: dict[str, Call]) -> str:
    call = handled.get(name)
    what, since = "passed through", ""
    if call and call.handler == "counted":
        what = "counted"
    elif call:
        what = "compressed" if call.moves_data and name not in SYNCHRONOUS else "served"
        since = call.tightwire
    wide = ""
    if name + "_c" in functions:
        wide = "alike" if name + "_c" in handled or not call else "passed through"
    return f"| `MPI_{name}` | {functions[name]} | {what} | {since} | {wide} |\n"


def page() -> str:
    functions = read_functions(FUNCTIONS_LIST)
    handled = handled_functions(read_calls(str(INTERPOSE / "calls.def")))
    if unknown := sorted(handled.keys() - functions.keys()):
        raise ValueError(f"mpi_functions.txt lacks what calls.def has: {', '.join(unknown)}")
    # A wider form has a row of its own only where there is no narrow one.
    left = [n for n in sorted(functions) if not (n.endswith("_c") and n[:-2] in functions)]
    text = HEAD.format(
        functions=len(functions),
        handled=sum(call.handler != "counted" for call in handled.values()),
    )
    for title, pattern, remark in SECTIONS:
        here = [name for name in left if re.fullmatch(pattern, name)]
        left = [name for name in left if name not in here]
        text += f"\n## {title}\n\n" + (f"{remark}\n\n" if remark else "")
        text += "| function | MPI | | Tightwire | `_c` |\n|---|---|---|---|---|\n"
        text += "".join(row(name, functions, handled) for name in here)
    return text


def is_compressed(call: Call | None) -> bool:
    return call is not None and call.moves_data and call.handler != "counted"


def table() -> str:
    """A C++ source: mpi_functions() of src/cli/doctor/mpi_functions.h."""
    functions = read_functions(FUNCTIONS_LIST)
    handled = handled_functions(read_calls(str(INTERPOSE / "calls.def")))
    lines = []
    for name in sorted(functions):
        if not re.fullmatch(CARRIES_VALUES, name.removesuffix("_c")):
            continue
        yes = is_compressed(handled.get(name)) and name.removesuffix("_c") not in SYNCHRONOUS
        lines.append(f'    {{"{name.lower()}", "MPI_{name}", {str(yes).lower()}}},\n')
    return TABLE.format(count=len(lines), lines="".join(lines))


def main() -> None:
    parser = argparse.ArgumentParser(description="Write docs/user/coverage.md.")
    parser.add_argument("table", type=Path, nargs="?", help="write the C++ table here instead")
    arguments = parser.parse_args()
    if arguments.table:
        arguments.table.write_text(table(), encoding="utf-8")
        return
    try:
        PAGE.write_text(page(), encoding="utf-8")
    except (OSError, ValueError) as problem:
        sys.exit(f"coverage: {problem}")


if __name__ == "__main__":
    main()
