#!/usr/bin/env python3
"""Write the MPI entry points from calls.def: generate.py calls.def wrappers.cpp"""

import re
import sys

HEADER = """// Made from calls.def by generate.py. Do not edit.
#include <mpi.h>

#include "collective/collective.h"
#include "interpose/guard.h"
#include "interpose/real.h"
#include "interpose/special.h"
#include "runtime/runtime.h"

using namespace tightwire;

extern "C" {
"""

# Calls that MPI makes to itself, and tightwire's own, find the guard taken and pass straight through.
WRAPPER = """
[[gnu::visibility("default")]] {result} PMPI_{name}({parameters}) {{
  using Function = decltype(&PMPI_{name});
  static const auto real = interpose::real<Function>("PMPI_{name}");
  const interpose::Guard guard;
  if (!guard.outermost(){condition}) return real({arguments});
  return {handler}({arguments});
}}
[[gnu::visibility("default"), gnu::alias("PMPI_{name}")]] {result} MPI_{name}({parameters});
"""


def parse_line(line):
    """One line of the table as a dictionary for WRAPPER."""
    fields = [field.strip() for field in line.split("|")]
    if len(fields) != 3:
        raise ValueError("expected: handler | since | prototype")
    handler, _since, prototype = fields
    match = re.fullmatch(r"(\w+) (\w+)\((.*)\)", prototype)
    if not match:
        raise ValueError(f"not a prototype: {prototype}")
    result, name, parameters = match.groups()
    listed = [] if parameters == "void" else parameters.split(",")
    names = [re.search(r"(\w+)(\[\])?$", parameter.strip()).group(1) for parameter in listed]
    always = handler.startswith("special::")
    return {
        "handler": handler,
        "result": result,
        "name": name,
        "parameters": parameters,
        "arguments": ", ".join(names),
        "condition": "" if always else " || !runtime::active()",
    }


def main(table, output):
    wrappers = []
    with open(table, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            text = line.strip()
            if not text or text.startswith("#"):
                continue
            try:
                wrappers.append(WRAPPER.format(**parse_line(text)))
            except ValueError as problem:
                sys.exit(f"{table}:{number}: {problem}")
    with open(output, "w", encoding="utf-8") as file:
        file.write(HEADER + "".join(wrappers) + '\n}  // extern "C"\n')


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
