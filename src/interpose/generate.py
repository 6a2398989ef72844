#!/usr/bin/env python3
"""Write the MPI entry points from calls.def: generate.py calls.def wrappers.cpp"""

import re
import sys

HEADER = """// Made from calls.def by generate.py. Do not edit.
#include <mpi.h>

#include "collective/collective.h"
#include "interpose/guard.h"
#include "interpose/large_count.h"
#include "interpose/real.h"
#include "interpose/special.h"
#include "runtime/runtime.h"

using namespace tightwire;

extern "C" {
"""

# Calls that MPI makes to itself, and tightwire's own, find the guard taken and pass through.
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

# The same with MPI_Count for int. {elements} says how the handler is given its int counts.
LARGE_COUNT_WRAPPER = """
#if MPI_VERSION >= 4
[[gnu::visibility("default")]] {result} PMPI_{name}_c({large_parameters}) {{
  using Function = decltype(&PMPI_{name}_c);
  static const auto real = interpose::real<Function>("PMPI_{name}_c");
  const interpose::Guard guard;
  if (!guard.outermost(){condition}{fits}) return real({arguments});
{elements}  return {handler}({int_arguments});
}}
[[gnu::visibility("default"), gnu::alias("PMPI_{name}_c")]]
{result} MPI_{name}_c({large_parameters});
#endif
"""


def large_count_twin(listed, names):
    """What LARGE_COUNT_WRAPPER needs beyond WRAPPER, or None for calls that have no such twin.

    Calls with arrays of counts have none: whether all of them fit an int is nothing that all ranks
    know.
    """
    counts = [
        i for i, parameter in enumerate(listed) if re.fullmatch(r"\s*int \w*count", parameter)
    ]
    if not counts or any("[]" in parameter for parameter in listed):
        return None
    large = [re.sub(r"^(\s*)int (\w*count)$", r"\1MPI_Count \2", one) for one in listed]
    twin = {"large_parameters": ",".join(large), "fits": "", "elements": ""}
    given = list(names)
    for i in counts:
        if "op" in names:  # all ranks of a reduction pass the same count
            twin["fits"] += f" || !interpose::fits_int({names[i]})"
            given[i] = f"static_cast<int>({names[i]})"
        else:  # the datatype follows the count
            view = names[i] + "_elements"
            twin["elements"] += f"  const interpose::Elements {view}({names[i]}, {names[i + 1]});\n"
            given[i], given[i + 1] = f"{view}.count()", f"{view}.type()"
    twin["int_arguments"] = ", ".join(given)
    return twin


def parse_line(line):
    """One line of the table as its wrappers."""
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
    wrapper = {
        "handler": handler,
        "result": result,
        "name": name,
        "parameters": parameters,
        "arguments": ", ".join(names),
        "condition": "" if always else " || !runtime::active()",
    }
    twin = large_count_twin(listed, names)
    return WRAPPER.format(**wrapper) + (
        LARGE_COUNT_WRAPPER.format(**wrapper, **twin) if twin else ""
    )


def main(table, output):
    wrappers = []
    with open(table, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            text = line.strip()
            if not text or text.startswith("#"):
                continue
            try:
                wrappers.append(parse_line(text))
            except ValueError as problem:
                sys.exit(f"{table}:{number}: {problem}")
    with open(output, "w", encoding="utf-8") as file:
        file.write(HEADER + "".join(wrappers) + '\n}  // extern "C"\n')


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
